"""A whole stack with the norm before each part, and one more at its end."""

import numpy as np

from attn import layer_norm
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, parts, seed):
    return Probe.random(label, seed, X=(n, d), W=(parts, d, d))


PROBES = (
    _probe("one part", n=2, d=3, parts=1, seed=131).advise(
        "layer_norm(X + np.tanh(layer_norm(X) @ W[0]))."
    ),
    _probe("two parts", n=3, d=5, parts=2, seed=132).advise(
        "The second part reads the normed sum, but its answer is added to the sum itself."
    ),
    _probe("six parts", n=4, d=3, parts=6, seed=133).advise(
        "A loop over W; inside it, one norm and one sum. After it, one norm."
    ),
    Probe.of("no part at all", X=[[1.0, 4.0, 2.0], [-3.0, 0.0, 1.0]], W=np.zeros((0, 3, 3))).advise(
        "Only the last norm is left: layer_norm(X)."
    ),
)


def _part(Z, w):
    return np.tanh(Z @ w)


def _stack(X, W):
    for w in W:
        X = X + _part(layer_norm(X), w)
    return layer_norm(X)


def _without_the_last(X, W):
    for w in W:
        X = X + _part(layer_norm(X), w)
    return X


def _post(X, W):
    for w in W:
        X = layer_norm(X + _part(X, w))
    return X


def _post_and_last(X, W):
    return layer_norm(_post(X, W))


def _norms_the_stream(X, W):
    for w in W:
        X = layer_norm(X)
        X = X + _part(X, w)
    return layer_norm(X)


def _norms_the_stream_without_the_last(X, W):
    for w in W:
        X = layer_norm(X)
        X = X + _part(X, w)
    return X


def _no_residual(X, W):
    for w in W:
        X = _part(layer_norm(X), w)
    return layer_norm(X)


def _from_the_start(X, W):
    Z = X
    for w in W:
        Z = X + _part(layer_norm(Z), w)
    return layer_norm(Z)


def _reads_the_start(X, W):
    return layer_norm(X + sum(_part(layer_norm(X), w) for w in W))


def _no_inner_norm(X, W):
    for w in W:
        X = X + _part(X, w)
    return layer_norm(X)


def _norms_once(X, W):
    X = layer_norm(X)
    for w in W:
        X = X + _part(X, w)
    return layer_norm(X)


def _norms_answers(X, W):
    for w in W:
        X = X + layer_norm(_part(X, w))
    return layer_norm(X)


MISTAKES = (
    Mistake(
        "norms-each-sum",
        "You norm after each sum: that is post-norm. A norm then stands in the way of the residual "
        "from one end of the stack to the other.",
        _post,
        variants=(_post_and_last,),
        hint="Norm only what enters a part: X + np.tanh(layer_norm(X) @ w).",
    ),
    Mistake(
        "norms-the-residual-too",
        "You norm X and then add to the normed X, so nothing passes a part unchanged.",
        _norms_the_stream,
        variants=(_norms_the_stream_without_the_last,),
        hint="The norm is for the part's eyes only; add its answer to X as it was.",
    ),
    Mistake(
        "forgets-the-last-norm",
        "Your sums are right, but they leave the stack without a norm, and they grow with every "
        "part.",
        _without_the_last,
        hint="After the loop comes one more layer_norm.",
    ),
    Mistake(
        "forgets-the-residual",
        "Each part's answer replaces what was there instead of being added to it.",
        _no_residual,
        hint="Add it to the running sum: X = X + the part's answer.",
    ),
    Mistake(
        "adds-the-first-input-each-time",
        "You add every answer to the stack's first input, so only the last answer is left in the "
        "end.",
        _from_the_start,
        hint="Add to the running sum.",
    ),
    Mistake(
        "shows-every-part-the-first-input",
        "All your parts read the first input, side by side, so none sees what the others added.",
        _reads_the_start,
        hint="Part by part: the next one reads the sum so far, normed.",
    ),
    Mistake(
        "norms-only-at-the-end",
        "Your parts read sums that were never normed; the only norm is the last one.",
        _no_inner_norm,
        hint="np.tanh(layer_norm(X) @ w).",
    ),
    Mistake(
        "norms-once-at-the-start",
        "You norm what enters the stack, and no part after that reads a normed sum.",
        _norms_once,
        hint="The norm belongs inside the loop, around what the part reads.",
    ),
    Mistake(
        "norms-the-answers",
        "You norm what each part returns, not what it reads.",
        _norms_answers,
        hint="np.tanh(layer_norm(X) @ w).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A stack with the norm before",
    difficulty=2,
    minutes=10,
    hints=(
        "Keep one running sum X. Each part reads a normed copy of it, and adds its answer to the "
        "sum itself.",
        "In the loop: X = X + np.tanh(layer_norm(X) @ w). After it: layer_norm(X).",
    ),
    mistakes=MISTAKES,
    section="sec-10-pre-post",
    passed=(
        "Before the last norm, the output is X plus one answer for each part: a sum that every part"
        " writes to, often called the residual stream. attn.encoder_block does so by default."
    ),
    task=Task("pre_norm_stack", _stack, PROBES),
)
