"""One small network, the same for every token, each token alone."""

import numpy as np

from attn import feed_forward
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, before, d, d_ff, d_out, seed):
    hidden = {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_out), "b_2": (d_out,)}
    return Probe.random(label, seed, X=(*before, d), **hidden)


PROBES = (
    Probe.of(
        "one token, two hidden units",
        X=[[1.0, -2.0, 0.5]],
        W_1=[[1.0, -1.0], [0.0, 2.0], [2.0, 0.0]],
        b_1=[0.5, 0.9],
        W_2=[[2.0], [10.0]],
        b_2=[-1.0],
    ).advise(
        "X W_1 + b_1 is (2.5, −4.1). The second unit is below 0 and gives 0. So 2.5 · 2 − 1 = 4."
    ),
    _probe("three tokens", before=(3,), d=4, d_ff=6, d_out=5, seed=111).advise(
        "hidden is (3, 6): X @ W_1 + b_1, with what is below 0 set to 0."
    ),
    _probe(
        "seven tokens, more than there are hidden units",
        before=(7,),
        d=2,
        d_ff=5,
        d_out=3,
        seed=112,
    ).advise("Every row passes the same two matrices; no row sees another."),
    _probe(
        "a batch of two sequences of three tokens", before=(2, 3), d=5, d_ff=4, d_out=6, seed=113
    ).advise("@ works on the last two axes: the same line does for (b, n, d)."),
)


def _relu(x):
    return np.maximum(x, 0)


MISTAKES = (
    Mistake(
        "forgets-the-relu",
        "Nothing bends between your two products, so W_1 W_2 is one matrix, a linear layer.",
        lambda X, W_1, b_1, W_2, b_2: (X @ W_1 + b_1) @ W_2 + b_2,
        hint="Set what is below 0 to 0 between the two products: np.maximum(…, 0).",
    ),
    Mistake(
        "bends-the-output",
        "Your ReLU comes after the second product, or there as well, so no output is below 0.",
        lambda X, W_1, b_1, W_2, b_2: _relu(_relu(X @ W_1 + b_1) @ W_2 + b_2),
        variants=(lambda X, W_1, b_1, W_2, b_2: _relu((X @ W_1 + b_1) @ W_2 + b_2),),
        hint="Only the hidden units are cut off at 0; what is added to a token may be negative.",
    ),
    Mistake(
        "bends-the-input",
        "Your ReLU cuts off the token before the first product, not the hidden units after it.",
        lambda X, W_1, b_1, W_2, b_2: (_relu(X) @ W_1 + b_1) @ W_2 + b_2,
        hint="np.maximum(X @ W_1 + b_1, 0).",
    ),
    Mistake(
        "adds-the-first-bias-too-late",
        "You add b_1 after the ReLU, so it cannot decide which units are on.",
        lambda X, W_1, b_1, W_2, b_2: (_relu(X @ W_1) + b_1) @ W_2 + b_2,
        hint="np.maximum(X @ W_1 + b_1, 0).",
    ),
    Mistake(
        "forgets-a-bias",
        "One of the two biases, or both of them, is missing from your sum.",
        lambda X, W_1, b_1, W_2, b_2: _relu(X @ W_1) @ W_2 + b_2,
        variants=(
            lambda X, W_1, b_1, W_2, b_2: _relu(X @ W_1 + b_1) @ W_2,
            lambda X, W_1, b_1, W_2, b_2: _relu(X @ W_1) @ W_2,
        ),
        hint="Add b_1 to the hidden units before the ReLU, and b_2 at the end.",
    ),
    Mistake(
        "takes-the-absolute-value",
        "You fold negative hidden units up to positive ones instead of setting them to 0.",
        lambda X, W_1, b_1, W_2, b_2: np.abs(X @ W_1 + b_1) @ W_2 + b_2,
        hint="np.maximum(…, 0), not np.abs.",
    ),
    Mistake(
        "mixes-the-tokens",
        "You average the tokens before or inside the network, so every token gets one and the same "
        "answer.",
        lambda X, W_1, b_1, W_2, b_2: (
            _relu(X.mean(-2, keepdims=True) @ W_1 + b_1) @ W_2 + b_2 + 0 * X[..., :1]
        ),
        variants=(
            lambda X, W_1, b_1, W_2, b_2: (
                _relu(X @ W_1 + b_1).mean(-2, keepdims=True) @ W_2 + b_2 + 0 * X[..., :1]
            ),
        ),
        hint="Each row goes through alone: no mean, no sum over the tokens.",
    ),
)


def _hidden(X, W_1, b_1, W_2, b_2):
    return _relu(X @ W_1 + b_1)


def _reference(X, W_1, b_1, W_2, b_2):
    return _hidden(X, W_1, b_1, W_2, b_2) @ W_2 + b_2


EXERCISE = Exercise.of(
    __name__,
    title="The feed-forward network",
    difficulty=1,
    minutes=6,
    hints=(
        "Two products with a bend between them. First to the hidden units, (n, d_ff), then back.",
        "hidden = np.maximum(X @ W_1 + b_1, 0); the answer is hidden @ W_2 + b_2.",
    ),
    mistakes=MISTAKES,
    section="sec-10-feed-forward",
    passed=(
        "Row by row, the same network for every token, wherever it stands: that is what "
        "position-wise means. Compare it with attn.feed_forward."
    ),
    task=Task(
        "feed_forward",
        _reference,
        PROBES,
        steps={"hidden": (_hidden,)},
        without=(feed_forward,),
    ),
)
