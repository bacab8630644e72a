"""Switch heads off."""

import numpy as np

from attn import merge_heads
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, h, n, d_v, d_out, keep, seed):
    return Probe.random(label, seed, Z=(h, n, d_v), W_o=(h * d_v, d_out), keep=keep)


PROBES = (
    _probe("two heads, both on", h=2, n=4, d_v=3, d_out=5, keep=[True, True], seed=81).advise(
        "With every head on, this is the heads side by side, (4, 6), times W_o."
    ),
    _probe(
        "three heads, the first off", h=3, n=2, d_v=4, d_out=5, keep=[False, True, True], seed=82
    ).advise("What is left is Z[1] @ W_o[4:8] + Z[2] @ W_o[8:12]."),
    _probe(
        "four heads, the first and third on",
        h=4,
        n=3,
        d_v=2,
        d_out=7,
        keep=[True, False, True, False],
        seed=83,
    ).advise("What is left is Z[0] @ W_o[0:2] + Z[2] @ W_o[4:6]."),
    _probe("two heads, both off", h=2, n=3, d_v=4, d_out=5, keep=[False, False], seed=84).advise(
        "Nothing is written: the outputs are all 0, and their shape stays (n, d_out)."
    ),
)


def _head_terms(Z, W_o):
    h, _, d_v = Z.shape
    return Z @ W_o.reshape(h, d_v, -1)


def _ablate(Z, W_o, keep):
    return _head_terms(Z, W_o)[keep].sum(axis=0)


def _mean_of_terms(Z, W_o, keep):
    return _head_terms(Z, W_o)[keep].mean(axis=0)


def _rescale_to_all_heads(Z, W_o, keep):
    return _ablate(Z, W_o, keep) * len(keep) / max(1, keep.sum())


def _use_every_hth_row(Z, W_o, keep):
    return sum(Z[i] @ W_o[i :: len(Z)] * keep[i] for i in range(len(Z)))


def _keep_first_heads(Z, W_o, keep):
    return _head_terms(Z, W_o)[: keep.sum()].sum(axis=0)


MISTAKES = (
    Mistake(
        "ignores-keep",
        "All heads are still on: your output does not depend on keep.",
        lambda Z, W_o, keep: merge_heads(Z) @ W_o,
        hint="Leave out what the heads with keep False would add.",
    ),
    Mistake(
        "keeps-the-others",
        "You keep the heads that should go and drop those that should stay.",
        lambda Z, W_o, keep: _ablate(Z, W_o, ~keep),
        hint="True means on.",
    ),
    Mistake(
        "makes-up-for-the-missing",
        "You scale up the remaining heads to make up for the missing ones.",
        _rescale_to_all_heads,
        variants=(lambda Z, W_o, keep: _mean_of_terms(Z, W_o, keep) * len(keep),),
        hint="Ablation leaves the others as they are: their terms do not change.",
    ),
    Mistake(
        "averages-the-parts",
        "You average the heads' terms, but multiplying the merged heads by W_o adds them.",
        _mean_of_terms,
        hint="Use a sum.",
    ),
    Mistake(
        "leaves-rows-of-W_o-behind",
        "You put only the heads that are on side by side, so W_o has too many rows for them.",
        lambda Z, W_o, keep: merge_heads(Z[keep]) @ W_o,
        variants=(lambda Z, W_o, keep: np.concatenate(list(Z[keep]), axis=-1) @ W_o,),
        hint="Drop the same heads' rows of W_o, or put zeros in the place of a head that is off.",
    ),
    Mistake(
        "keeps-the-first-ones",
        "You keep as many heads as asked, but always the first ones, whichever keep names.",
        _keep_first_heads,
        hint="Use keep as a mask: terms[keep].",
    ),
    Mistake(
        "takes-every-h-th-row",
        "You give head i every h-th row of W_o instead of neighbouring rows.",
        _use_every_hth_row,
        hint="Head i has rows i * d_v to (i + 1) * d_v.",
    ),
    Mistake(
        "merges-by-a-plain-reshape",
        "You put the heads side by side by a plain reshape of (h, n, d_v), which mixes up tokens "
        "and heads.",
        lambda Z, W_o, keep: (Z * keep[:, None, None]).reshape(Z.shape[1], -1) @ W_o,
        hint="Swap the first two axes, then reshape.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Switch heads off",
    difficulty=2,
    minutes=8,
    hints=(
        "The output is a sum with one term per head: Z[i] times its own d_v rows of W_o.",
        "W_o.reshape(h, d_v, -1) has one block per head, and Z @ blocks has one term per head.",
        "Add up the terms of the heads that are on.",
    ),
    mistakes=MISTAKES,
    section="sec-05-output",
    passed=(
        "The layer's output is a sum of one term per head, so a head can be removed without "
        "touching the others. With every head on, compare it with attn.merge_heads(Z) @ W_o."
    ),
    task=Task("ablate", _ablate, PROBES),
)
