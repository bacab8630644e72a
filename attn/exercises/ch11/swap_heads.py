"""Which head carries the number: swap one head's output with that of a twin sentence."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, carrier, h, pairs, d, seed, gain=3.0):
    """Sentences 2i and 2i + 1 differ in the number of their subject; head `carrier` knows it."""
    rng = np.random.default_rng(seed)
    count = 2 * pairs
    order = rng.permutation(count)
    twin, number = np.empty(count, dtype=int), np.empty(count)
    twin[order] = order.reshape(-1, 2)[:, ::-1].ravel()
    number[order] = np.tile([-1.0, 1.0], pairs)
    W = rng.normal(size=(d, 2))
    heads, rest = 0.5 * rng.normal(size=(h, count, d)), 0.7 * rng.normal(size=(count, d))
    if carrier is not None:
        aim = W[:, 1] - W[:, 0]
        heads[carrier] += gain * number[:, None] * aim / np.linalg.norm(aim) ** 2
    arrays = {"heads": heads.round(2), "rest": rest.round(2), "W": W.round(2)}
    return Probe.of(label, **arrays, twin=twin)


PROBES = (
    _probe("two heads, ten sentences", carrier=1, h=2, pairs=5, d=3, seed=130).advise(
        "Per head: put heads[i][twin] in the place of heads[i], leave all else as it is, "
        "and compare the larger column of the scores before and after."
    ),
    _probe("three heads, fourteen sentences", carrier=0, h=3, pairs=7, d=4, seed=131).advise(
        "The rest and the two other heads stay in the sum."
    ),
    _probe(
        "four heads, a number that two readings disagree on",
        carrier=2,
        h=4,
        pairs=8,
        d=5,
        seed=132,
        gain=1.2,
    ).advise("A flip is a changed choice, not a changed score."),
    _probe("five heads of which none carries it", carrier=None, h=5, pairs=9, d=6, seed=133).advise(
        "Nothing needs to stand out: report the shares as they are."
    ),
)


def _plural(X, W):
    """Whether the plural verb gets the larger score, (t,)."""
    scores = X @ W
    return scores[:, 1] > scores[:, 0]


def _flips(heads, rest, W, twin):
    X = rest + heads.sum(axis=0)
    before = _plural(X, W)
    return np.array([(_plural(X - own + own[twin], W) != before).mean() for own in heads])


def _shares(change):
    """A mistake's function: `change(X, own, twin)` gives what is read instead of X."""

    def answer(heads, rest, W, twin):
        X = rest + heads.sum(axis=0)
        before = _plural(X, W)
        return np.array([(_plural(change(X, own, twin), W) != before).mean() for own in heads])

    return answer


def _without_the_rest(heads, rest, W, twin):
    return _flips(heads, np.zeros_like(rest), W, twin)


def _score_changes(heads, rest, W, twin):
    gaps = W[:, 1] - W[:, 0]
    return np.array([np.abs((own[twin] - own) @ gaps).mean() for own in heads])


def _plural_after(heads, rest, W, twin):
    X = rest + heads.sum(axis=0)
    return np.array([_plural(X - own + own[twin], W).mean() for own in heads])


def _reads_the_head_alone(heads, rest, W, twin):
    return np.array([(_plural(own[twin], W) != _plural(own, W)).mean() for own in heads])


MISTAKES = (
    Mistake(
        "switches-off",
        "You switch the head off instead of swapping it. That removes what it says; it does not say"
        " the opposite.",
        _shares(lambda X, own, twin: X - own),
        hint="Put the twin's output of this head, heads[i][twin], in its place.",
    ),
    Mistake(
        "adds-the-twin",
        "You add the twin's output and leave the sentence's own in as well.",
        _shares(lambda X, own, twin: X + own[twin]),
        hint="Take the own output out of the sum first.",
    ),
    Mistake(
        "swaps-everything-else",
        "You keep this head and swap all the rest with the twin.",
        _shares(lambda X, own, twin: (X - own)[twin] + own),
        hint="One head moves, everything else stays.",
    ),
    Mistake(
        "forgets-the-rest",
        "You add up the heads and leave out the rest, which is part of the vector too.",
        _without_the_rest,
        hint="What is read is rest plus the sum of all heads.",
    ),
    Mistake(
        "reads-the-head-alone",
        "You read the head's output by itself, but the verb is chosen from the whole sum.",
        _reads_the_head_alone,
        hint="Swap it within the sum: rest, plus all other heads, plus heads[i][twin].",
    ),
    Mistake(
        "uses-the-mean",
        "You put the head's mean output in, not the twin's.",
        _shares(lambda X, own, twin: X - own + own.mean(axis=0)),
        hint="heads[i][twin] has the twin's output for every sentence.",
    ),
    Mistake(
        "measures-scores",
        "You measure how far the scores move. A large move may change no verb.",
        _score_changes,
        hint="Compare choices: which of the two scores is larger, before and after?",
    ),
    Mistake(
        "counts-what-stays",
        "You count the verbs that stay as they were.",
        lambda heads, rest, W, twin: 1 - _flips(heads, rest, W, twin),
        hint="Use != where you have ==.",
    ),
    Mistake(
        "counts-plurals",
        "You count how often the plural wins after the swap, whatever won before.",
        _plural_after,
        hint="Compare with the choice before the swap.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Find the head by swapping",
    difficulty=2,
    minutes=10,
    hints=(
        "The choice without a swap: X = rest + heads.sum(axis=0), then (X @ W).argmax(axis=1).",
        "For head i, the sum becomes X - heads[i] + heads[i][twin].",
        "A mean over True and False is a share: (after != before).mean().",
    ),
    mistakes=MISTAKES,
    section="sec-11-head",
    passed=(
        "A share near 1 says that this head's output decides the verb here: swap it, and the choice"
        " follows the twin. Switching a head off can only show that something is missed."
    ),
    task=Task(
        "flip_shares",
        _flips,
        PROBES,
        coarse=True,
        steps={
            "before": (
                lambda heads, rest, W, twin: _plural(rest + heads.sum(axis=0), W).astype(int),
                lambda heads, rest, W, twin: _plural(rest + heads.sum(axis=0), W),
            )
        },
    ),
)
