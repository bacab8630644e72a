"""Read the weights of torch.nn.MultiheadAttention."""

import numpy as np

from attn import multi_head_attention
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, heads, seed):
    W = {"in_proj_weight": (3 * d, d), "out_proj_weight": (d, d)}
    return Probe.random(label, seed, X=(n, d), **W, heads=heads)


PROBES = (
    _probe("one head of size 3", n=4, d=3, heads=1, seed=71).advise(
        "Rows 0 to 2 of in_proj_weight make the queries, rows 3 to 5 the keys, rows 6 to 8 the "
        "values. torch multiplies by the transpose: X @ W.T."
    ),
    _probe("two heads of size 2", n=3, d=4, heads=2, seed=72).advise(
        "First cut in_proj_weight into three, then let multi_head_attention cut each into heads."
    ),
    _probe("three heads of size 2", n=5, d=6, heads=3, seed=73).advise(
        "Compare your W_q with in_proj_weight[:6].T, and W_o with out_proj_weight.T."
    ),
)


def _attend(X, W_q, W_k, W_v, W_o, heads):
    return multi_head_attention(X, W_q, W_k, W_v, W_o, heads=heads)


def _thirds(W):
    return np.split(W, 3)


def _torch(X, W, W_o, heads):
    return _attend(X, *(part.T for part in _thirds(W)), W_o.T, heads)


def _take_thirds(order):
    return lambda X, W, W_o, heads: _attend(X, *(_thirds(W)[k].T for k in order), W_o.T, heads)


def _pack_by_head(X, W, W_o, heads):
    d = X.shape[-1]
    parts = W.reshape(heads, 3, d // heads, d).swapaxes(0, 1).reshape(3, d, d)
    return _attend(X, *(part.T for part in parts), W_o.T, heads)


def _split_columns(X, W, W_o, heads):
    d = X.shape[-1]
    return _attend(X, *np.split(W.reshape(d, 3 * d), 3, axis=1), W_o.T, heads)


MISTAKES = (
    Mistake(
        "forgets-the-transpose",
        "You use torch's matrices as they are, but torch stores (out, in) where ours are (in, "
        "out).",
        lambda X, W, W_o, heads: _attend(X, *_thirds(W), W_o, heads),
        hint="torch multiplies by the transpose: transpose all four.",
    ),
    Mistake(
        "forgets-to-transpose-W_o",
        "Queries, keys and values are right, but out_proj_weight, also stored as (out, in), goes "
        "in as it is.",
        lambda X, W, W_o, heads: _attend(X, *(part.T for part in _thirds(W)), W_o, heads),
        hint="Transpose it as well.",
    ),
    Mistake(
        "forgets-to-transpose-the-input-side",
        "You transpose out_proj_weight only, although the three parts of in_proj_weight are stored"
        " as (out, in) too.",
        lambda X, W, W_o, heads: _attend(X, *_thirds(W), W_o.T, heads),
        hint="Transpose all four.",
    ),
    Mistake(
        "swaps-queries-and-keys",
        "You read the keys first and the queries second.",
        _take_thirds((1, 0, 2)),
        hint="torch stacks queries, keys, values, in this order.",
    ),
    Mistake(
        "reads-another-order",
        "You read the three parts in another order than torch stacks them.",
        _take_thirds((2, 1, 0)),
        variants=(_take_thirds((2, 0, 1)), _take_thirds((0, 2, 1)), _take_thirds((1, 2, 0))),
        hint="The order is queries, keys, values.",
    ),
    Mistake(
        "takes-every-third-row",
        "You take every third row of in_proj_weight, although the three parts are stacked as "
        "blocks.",
        lambda X, W, W_o, heads: _attend(X, *(W[k::3].T for k in range(3)), W_o.T, heads),
        hint="d rows for all queries come first, then d for the keys, then d for the values.",
    ),
    Mistake(
        "expects-a-block-for-each-head",
        "You read in_proj_weight head by head, each with its q, k and v. Some models are packed "
        "that way; torch's is not.",
        _pack_by_head,
        hint="torch has the queries of all heads first.",
    ),
    Mistake(
        "reshapes-for-a-transpose",
        "You take every third row of in_proj_weight and do not transpose, as W[k::3] does, or a "
        "reshape to (d, 3 d).",
        _split_columns,
        hint=(
            "The parts are blocks of d rows, and a transpose turns rows into columns: "
            "in_proj_weight[:d].T."
        ),
    ),
    Mistake(
        "forgets-the-output-projection",
        "You leave out out_proj_weight, which is torch's W_o and mixes the heads.",
        lambda X, W, W_o, heads: _attend(
            X, *(part.T for part in _thirds(W)), np.eye(X.shape[-1]), heads
        ),
        hint="Pass its transpose as W_o.",
    ),
    Mistake(
        "uses-one-head",
        "Your result is that of one head, with all the columns together.",
        lambda X, W, W_o, heads: _torch(X, W, W_o, 1),
        hint="Pass the number of heads on.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Read torch's layout",
    difficulty=2,
    minutes=10,
    hints=(
        "np.split(in_proj_weight, 3) gives the three (d, d) blocks.",
        "A torch layer computes X @ weight.T. So W_q, as we write it, is the transpose of the "
        "first block.",
    ),
    mistakes=MISTAKES,
    section="sec-05-parallel",
    passed=(
        "You can now load trained weights into our layer. If torch is installed, compare your "
        "result with torch.nn.MultiheadAttention itself, with bias=False."
    ),
    task=Task("torch_attention", _torch, PROBES),
)
