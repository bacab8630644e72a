"""Switch heads off."""

import numpy as np

from attn import merge_heads
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _heads(label, h, n, d_v, d_out, keep, seed, advice):
    rng = np.random.default_rng(seed)
    Z = np.round(rng.normal(size=(h, n, d_v)), 2)
    W_o = np.round(rng.normal(size=(h * d_v, d_out)), 2)
    return Probe(label, {"Z": Z, "W_o": W_o, "keep": np.array(keep)}, advice)


PROBES = (
    _heads(
        "two heads, both on",
        2,
        4,
        3,
        5,
        [True, True],
        81,
        "With every head on, this is the heads side by side, (4, 6), times W_o.",
    ),
    _heads(
        "three heads, the first off",
        3,
        2,
        4,
        5,
        [False, True, True],
        82,
        "What is left is Z[1] @ W_o[4:8] + Z[2] @ W_o[8:12].",
    ),
    _heads(
        "four heads, the first and third on",
        4,
        3,
        2,
        7,
        [True, False, True, False],
        83,
        "What is left is Z[0] @ W_o[0:2] + Z[2] @ W_o[4:6].",
    ),
    _heads(
        "two heads, both off",
        2,
        3,
        4,
        5,
        [False, False],
        84,
        "Nothing is written: the outputs are all 0, and their shape stays (n, d_out).",
    ),
)


def _parts(Z, W_o):
    h, _, d_v = Z.shape
    return Z @ W_o.reshape(h, d_v, -1)


def _ablate(Z, W_o, keep):
    return _parts(Z, W_o)[keep].sum(axis=0)


def _mean(Z, W_o, keep):
    return _parts(Z, W_o)[keep].mean(axis=0)


def _made_up_for(Z, W_o, keep):
    return _ablate(Z, W_o, keep) * len(keep) / max(1, keep.sum())


def _every_hth_row(Z, W_o, keep):
    return sum(Z[i] @ W_o[i :: len(Z)] * keep[i] for i in range(len(Z)))


def _first_ones(Z, W_o, keep):
    return _parts(Z, W_o)[: keep.sum()].sum(axis=0)


MISTAKES = (
    Mistake(
        "ignores-keep",
        "All heads are still on. Leave out what the heads with keep False would add.",
        lambda Z, W_o, keep: merge_heads(Z) @ W_o,
    ),
    Mistake(
        "keeps-the-others",
        "You keep the heads that should go, and drop those that should stay. True means on.",
        lambda Z, W_o, keep: _ablate(Z, W_o, ~keep),
    ),
    Mistake(
        "makes-up-for-the-missing",
        "You scale the rest up to make up for the missing heads. Ablation leaves the others as "
        "they are: their parts of the sum do not change.",
        _made_up_for,
        variants=(lambda Z, W_o, keep: _mean(Z, W_o, keep) * len(keep),),
    ),
    Mistake(
        "averages-the-parts",
        "You average the heads' parts; multiplying side by side by W_o adds them. Use a sum.",
        _mean,
    ),
    Mistake(
        "leaves-rows-of-W_o-behind",
        "You put only the heads that are on side by side, so W_o has too many rows. Drop the same "
        "heads' rows of W_o, or put zeros in the place of a head that is off.",
        lambda Z, W_o, keep: merge_heads(Z[keep]) @ W_o,
        variants=(lambda Z, W_o, keep: np.concatenate(list(Z[keep]), axis=-1) @ W_o,),
    ),
    Mistake(
        "keeps-the-first-ones",
        "You keep as many heads as asked, but always the first ones; keep says which. Use it as a "
        "mask: terms[keep].",
        _first_ones,
    ),
    Mistake(
        "takes-every-h-th-row",
        "You give head i every h-th row of W_o; it has neighbouring rows, i * d_v to (i + 1) * "
        "d_v.",
        _every_hth_row,
    ),
    Mistake(
        "merges-by-a-plain-reshape",
        "You put the heads side by side by a plain reshape of (h, n, d_v), which mixes up tokens "
        "and heads. Swap the first two axes, then reshape.",
        lambda Z, W_o, keep: (Z * keep[:, None, None]).reshape(Z.shape[1], -1) @ W_o,
    ),
)

EXERCISE = Exercise(
    "05-ablate",
    "Switch heads off",
    5,
    difficulty=2,
    minutes=8,
    hints=(
        "The output is a sum with one term for each head: Z[i] times its own d_v rows of W_o.",
        "W_o.reshape(h, d_v, -1) is one block for each head, and Z @ blocks is one term for each.",
        "Add up the terms of the heads that are on.",
    ),
    mistakes=MISTAKES,
    section="sec-05-output",
    task=Task("ablate", _ablate, PROBES),
)
