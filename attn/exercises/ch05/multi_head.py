"""Multi-head attention, built out of attention."""

import numpy as np

from attn import attention, merge_heads, multi_head_attention, split_heads
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import naive_softmax, overflows


def _probe(label, *, n, d, heads, d_k, d_v, d_out, seed, spread=1.0):
    W = {"W_q": (d, heads * d_k), "W_k": (d, heads * d_k), "W_v": (d, heads * d_v)}
    W |= {"W_o": (heads * d_v, d_out)}
    return Probe.random(label, seed, spread=spread, X=(n, d), **W, heads=heads)


PROBES = (
    _probe("one head", n=3, d=4, heads=1, d_k=5, d_v=2, d_out=6, seed=61).advise(
        "With one head this is attention(X @ W_q, X @ W_k, X @ W_v) @ W_o."
    ),
    _probe("two heads", n=3, d=5, heads=2, d_k=4, d_v=6, d_out=7, seed=62).advise(
        "Head i has columns i * d_k to (i + 1) * d_k of X @ W_q and of X @ W_k, and d_v "
        "columns of X @ W_v."
    ),
    _probe(
        "three heads and W_o to a smaller size", n=4, d=6, heads=3, d_k=2, d_v=5, d_out=3, seed=63
    ).advise("Here d_k is 2 and d_v is 5: read the size of a head off each projection by itself."),
    _probe("four heads over two tokens", n=2, d=7, heads=4, d_k=3, d_v=1, d_out=9, seed=64).advise(
        "Two tokens cannot be shared out among four heads; columns can."
    ),
    _probe("scores above 1000", n=3, d=5, heads=2, d_k=4, d_v=6, d_out=7, seed=70, spread=4).advise(
        "Print np.exp of the largest score: it is inf. attn.softmax shifts scores first."
    ),
)


def _project(X, *W):
    return [X @ w for w in W]


def _heads(X, W_q, W_k, W_v, heads):
    return [split_heads(M, heads) for M in _project(X, W_q, W_k, W_v)]


def _multi_head(X, W_q, W_k, W_v, W_o, heads):
    return multi_head_attention(X, W_q, W_k, W_v, W_o, heads=heads)


def _attend_by_head(X, W_q, W_k, W_v, heads, factor=lambda h: 1.0):
    Q, K, V = _heads(X, W_q, W_k, W_v, heads)
    return attention(Q, K, V, scale=factor(heads) / np.sqrt(Q.shape[-1]))


def _attend_without_a_shift(X, W_q, W_k, W_v, W_o, heads):
    Q, K, V = _heads(X, W_q, W_k, W_v, heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return merge_heads(naive_softmax(scores) @ V) @ W_o


def _cut_by_reshape(X, W_q, W_k, W_v, W_o, heads):
    Q, K, V = (M.reshape(heads, len(X), -1) for M in _project(X, W_q, W_k, W_v))
    return merge_heads(attention(Q, K, V)) @ W_o


def _cut_and_merge_by_reshape(X, W_q, W_k, W_v, W_o, heads):
    Q, K, V = (M.reshape(heads, len(X), -1) for M in _project(X, W_q, W_k, W_v))
    return attention(Q, K, V).reshape(len(X), -1) @ W_o


def _deal_out_columns(X, W_q, W_k, W_v, W_o, heads):
    parts = [attention(*(M[:, i::heads] for M in _project(X, W_q, W_k, W_v))) for i in range(heads)]
    return np.concatenate(parts, axis=-1) @ W_o


def _split_sequence(X, W_q, W_k, W_v, W_o, heads):
    Q, K, V = (np.array_split(M, heads) for M in _project(X, W_q, W_k, W_v))
    return np.concatenate([attention(q, k, v) for q, k, v in zip(Q, K, V, strict=True)]) @ W_o


MISTAKES = (
    Mistake(
        "uses-one-head",
        "You attend once, with all the columns together, so there is a single set of weights.",
        lambda X, W_q, W_k, W_v, W_o, heads: attention(X @ W_q, X @ W_k, X @ W_v) @ W_o,
        hint="Cut the projections into heads first.",
    ),
    Mistake(
        "forgets-W_o",
        "You put the heads side by side and stop there, before W_o mixes them.",
        lambda X, W_q, W_k, W_v, W_o, heads: merge_heads(_attend_by_head(X, W_q, W_k, W_v, heads)),
        hint="Multiply by W_o.",
    ),
    Mistake(
        "cuts-by-a-plain-reshape",
        "You cut by a reshape to (h, n, size) without a transpose, so a head's first rows are "
        "pieces of one and the same token.",
        _cut_by_reshape,
        variants=(_cut_and_merge_by_reshape,),
        hint="Reshape to (n, h, size), then swap the first two axes.",
    ),
    Mistake(
        "merges-by-a-plain-reshape",
        "You cut correctly, but merge the heads by a reshape of (h, n, d_v) without a transpose, "
        "which mixes up tokens and heads.",
        lambda X, W_q, W_k, W_v, W_o, heads: (
            _attend_by_head(X, W_q, W_k, W_v, heads).reshape(len(X), -1) @ W_o
        ),
        hint="Swap the first two axes, then reshape.",
    ),
    Mistake(
        "has-one-head-s-width",
        "What you multiply by W_o has d_v columns, as many as one head brings, but W_o has h * d_v"
        " rows.",
        lambda X, W_q, W_k, W_v, W_o, heads: (
            _attend_by_head(X, W_q, W_k, W_v, heads).sum(axis=0) @ W_o
        ),
        hint=(
            "Put the heads side by side along the last axis; do not add them, stack them or pick "
            "one."
        ),
    ),
    Mistake(
        "does-not-merge",
        "You multiply W_o by an array that still has an axis for the heads, (h, n, d_v).",
        lambda X, W_q, W_k, W_v, W_o, heads: _attend_by_head(X, W_q, W_k, W_v, heads) @ W_o,
        hint="Put the heads side by side first: (n, h * d_v).",
    ),
    Mistake(
        "scales-by-all-columns",
        "You divide the scores by the square root of all the columns of W_q, but a head's scores "
        "sum over its own d_k columns.",
        lambda X, W_q, W_k, W_v, W_o, heads: (
            merge_heads(_attend_by_head(X, W_q, W_k, W_v, heads, lambda h: 1 / np.sqrt(h))) @ W_o
        ),
        hint="Let attention take the scale from the head's queries.",
    ),
    Mistake(
        "scales-by-the-model-size",
        "You divide the scores by the square root of d_model, but a head's scores sum over its own"
        " d_k columns.",
        lambda X, W_q, W_k, W_v, W_o, heads: (
            merge_heads(attention(*_heads(X, W_q, W_k, W_v, heads), scale=1 / np.sqrt(X.shape[-1])))
            @ W_o
        ),
        hint="Let attention take the scale from the head's queries.",
    ),
    Mistake(
        "forgets-the-scale",
        "Your scores are not divided by the square root of d_k, the size of one head's queries.",
        lambda X, W_q, W_k, W_v, W_o, heads: (
            merge_heads(attention(*_heads(X, W_q, W_k, W_v, heads), scale=1.0)) @ W_o
        ),
        hint="attention divides by itself; if you write the softmax, divide first.",
    ),
    overflows(_attend_without_a_shift),
    Mistake(
        "deals-out-the-columns",
        "You give head 0 every h-th column instead of neighbouring ones.",
        _deal_out_columns,
        hint="Head i has columns i * d_k to (i + 1) * d_k.",
    ),
    Mistake(
        "splits-the-sequence",
        "You cut the sequence, so words in different pieces never see each other.",
        _split_sequence,
        hint="Every head sees all the words: cut the columns.",
    ),
    Mistake(
        "puts-keys-before-queries",
        "Your queries and keys have changed places, so row i holds what is asked of token i.",
        lambda X, W_q, W_k, W_v, W_o, heads: _multi_head(X, W_k, W_q, W_v, W_o, heads),
        hint="Row i must hold what token i asks for, X @ W_q.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Build multi-head attention from attention",
    difficulty=2,
    minutes=15,
    hints=(
        "Project for all heads at once, X @ W_q and so on. Then cut each result into heads.",
        "attention takes (h, n, d_k), (h, n, d_k) and (h, n, d_v) and treats h as a batch. A loop "
        "over the heads works just as well.",
        "To merge, undo the cut: swap the head axis behind the tokens, then reshape to (n, h * "
        "d_v). Multiply by W_o last.",
    ),
    mistakes=MISTAKES,
    section="sec-05-formula",
    passed=(
        "That is the whole layer: one head adds first and decides once, several heads decide first."
        " Compare it with attn.multi_head_attention."
    ),
    task=Task("multi_head", _multi_head, PROBES),
)
