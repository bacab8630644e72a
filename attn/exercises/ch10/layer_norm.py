"""Bring each token to mean 0 and variance 1, then stretch and shift its entries."""

import numpy as np

from attn import layer_norm
from attn.exercises.checking import Exercise, Mistake, Probe, Task

EPS = 1e-5


def _probe(label, *, shape, eps=EPS, seed, scale=1.0):
    given = Probe.random(label, seed, X=shape, gain=shape[-1:], shift=shape[-1:]).arguments
    return Probe.of(label, **given | {"X": scale * given["X"] + 2.0}, eps=eps)


PROBES = (
    Probe.of(
        "one token, gain 1 and shift 0",
        X=[[1.0, 2.0, 6.0]],
        gain=[1.0, 1.0, 1.0],
        shift=[0.0, 0.0, 0.0],
        eps=0.0,
    ).advise("The mean is 3, the variance (4 + 1 + 9) / 3. Subtract, then divide by its root."),
    Probe.of(
        "a token whose entries are all equal",
        X=[[7.0, 7.0, 7.0, 7.0], [1.0, -1.0, 2.0, 4.0]],
        gain=[1.0, 2.0, -1.0, 0.5],
        shift=[0.5, 0.0, 1.0, -2.0],
        eps=EPS,
    ).advise("Its variance is 0. With eps under the root it becomes 0, then shift."),
    _probe("two tokens of five entries", shape=(2, 5), seed=101).advise(
        "Each token has its own mean and variance: work along the last axis, keepdims=True."
    ),
    _probe("four tokens and a large eps", shape=(4, 3), eps=0.5, seed=102).advise(
        "eps is added to the variance, under the root."
    ),
    _probe(
        "a batch of two sequences of three tokens", shape=(2, 3, 4), scale=10.0, seed=103
    ).advise("Use axis=-1, so that any number of axes may stand before it."),
)


def _moments(X, axis=-1, **options):
    return X.mean(axis, keepdims=True), X.var(axis, keepdims=True, **options)


def _reference(X, gain, shift, eps):
    mean, variance = _moments(X)
    return (X - mean) / np.sqrt(variance + eps) * gain + shift


def _along(axis):
    def wrong(X, gain, shift, eps):
        mean, variance = _moments(X, axis)
        return (X - mean) / np.sqrt(variance + eps) * gain + shift

    return wrong


def _one_less(X, gain, shift, eps):
    mean, variance = _moments(X, ddof=1)
    return (X - mean) / np.sqrt(variance + eps) * gain + shift


def _by_variance(X, gain, shift, eps):
    mean, variance = _moments(X)
    return (X - mean) / (variance + eps) * gain + shift


def _uncentred(X, gain, shift, eps):
    return X / np.sqrt((X**2).mean(-1, keepdims=True) + eps) * gain + shift


def _without_centring(X, gain, shift, eps):
    return X / np.sqrt(_moments(X)[1] + eps) * gain + shift


def _outside(X, gain, shift, eps):
    mean, variance = _moments(X)
    return (X - mean) / (np.sqrt(variance) + eps) * gain + shift


def _without_eps(X, gain, shift, eps):
    mean, variance = _moments(X)
    return (X - mean) / np.sqrt(variance) * gain + shift


def _plain(X, gain, shift, eps):
    return layer_norm(X, eps=eps)


MISTAKES = (
    Mistake(
        "norms-over-the-tokens",
        "You take mean and variance down a column, over the tokens, so a token's result depends on "
        "its neighbours.",
        _along(-2),
        variants=(_along(0),),
        hint="Each token is normed alone, over its own entries: axis=-1.",
    ),
    Mistake(
        "norms-everything-at-once",
        "You take one mean and one variance for the whole array.",
        _along(None),
        hint="Each token has its own: axis=-1 with keepdims=True.",
    ),
    Mistake(
        "divides-by-one-less",
        "Your variance divides by d - 1, the number of entries less one.",
        _one_less,
        hint="Layer norm divides by d, as X.var(axis=-1) does.",
    ),
    Mistake(
        "divides-by-the-variance",
        "You divide by the variance instead of its root, so the result does not have variance 1.",
        _by_variance,
        hint="Divide by np.sqrt(variance + eps).",
    ),
    Mistake(
        "does-not-subtract-the-mean",
        "You divide, but the mean is still in the entries. Dividing by the root of the mean square "
        "alone is RMS norm, which many recent models use instead.",
        _uncentred,
        variants=(_without_centring,),
        hint="Subtract the token's mean first.",
    ),
    Mistake(
        "adds-eps-outside-the-root",
        "You add eps to the root of the variance, not to the variance itself.",
        _outside,
        hint="np.sqrt(variance + eps).",
    ),
    Mistake(
        "forgets-eps",
        "You leave eps out, and a token whose entries are all equal divides 0 by 0.",
        _without_eps,
        hint="Divide by np.sqrt(variance + eps).",
    ),
    Mistake(
        "forgets-gain-and-shift",
        "You stop at mean 0 and variance 1, before gain and shift.",
        _plain,
        variants=(
            lambda X, gain, shift, eps: layer_norm(X, gain, eps=eps),
            lambda X, gain, shift, eps: layer_norm(X, None, shift, eps=eps),
        ),
        hint="Multiply by gain, then add shift; both are (d,) and fit by broadcasting.",
    ),
    Mistake(
        "shifts-before-it-stretches",
        "You add shift first, and gain then multiplies it too.",
        lambda X, gain, shift, eps: (layer_norm(X, eps=eps) + shift) * gain,
        hint="Multiply by gain, then add shift.",
    ),
    Mistake(
        "applies-gain-and-shift-first",
        "You stretch and shift before norming, which takes most of it out again.",
        lambda X, gain, shift, eps: layer_norm(X * gain + shift, eps=eps),
        hint="Norm first; gain and shift come last.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Layer norm",
    difficulty=1,
    minutes=8,
    hints=(
        "A token is a row. Its mean and its variance are taken over its own entries, the last "
        "axis. keepdims=True lets you subtract them.",
        "Subtract the mean, divide by the root of (variance + eps), multiply by gain, add shift.",
    ),
    mistakes=MISTAKES,
    section="sec-10-norm",
    passed=(
        "Each token is normed alone, so the norm, like the feed-forward, never mixes words. Compare"
        " it with attn.layer_norm."
    ),
    task=Task("layer_norm", _reference, PROBES, without=(layer_norm,)),
)
