"""A head that finds a word, against the best rule that only counts places."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, places, targets, hits, m, seed):
    """Rows whose largest weight lies on the target where `hits` is 1, and elsewhere if not."""
    rng = np.random.default_rng(seed)
    places, targets = np.array(places), np.array(targets)
    A = rng.dirichlet(np.ones(m), size=len(places))
    looks = np.where(hits, targets, (targets + 1 + rng.integers(m - 1, size=len(targets))) % m)
    A[np.arange(len(A)), looks] += 0.9
    A = (A / A.sum(axis=1, keepdims=True)).round(3)
    return Probe.of(label, A=A, places=places, targets=targets)


PROBES = (
    _probe(
        "nearby words", places=[2, 4, 5, 3], targets=[0, 3, 4, 2], hits=[1, 1, 1, 0], m=6, seed=120
    ).advise(
        "The offsets of the targets are -2, -1, -1 and -1, so one fixed offset is right "
        "three times in four."
    ),
    _probe(
        "a head that is worse than always looking one word ahead",
        places=[1, 3, 5, 2, 0, 4, 6, 1],
        targets=[2, 4, 6, 3, 1, 5, 2, 0],
        hits=[1, 1, 0, 1, 0, 1, 1, 0],
        m=7,
        seed=121,
    ).advise("An offset may be positive: the target may stand after the query."),
    _probe(
        "words as often before as after",
        places=[4, 4, 6, 2, 3, 7, 5, 8, 1, 6],
        targets=[2, 6, 4, 4, 1, 8, 2, 7, 3, 6],
        hits=[1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
        m=9,
        seed=122,
    ).advise("Two places back and two places ahead are two different rules."),
    _probe(
        "a head that no fixed offset can match",
        places=[9, 3, 7, 5, 8, 2, 6, 4, 1, 9, 7],
        targets=[1, 3, 1, 5, 2, 0, 6, 5, 4, 6, 5],
        hits=[1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1],
        m=10,
        seed=123,
    ).advise(
        "Try every offset that occurs, and keep the best share. 0 places after the query is "
        "a rule like the others."
    ),
    _probe(
        "distant words",
        places=[0, 1, 2, 4, 7, 9, 10, 8, 5],
        targets=[7, 8, 9, 11, 2, 4, 5, 1, 4],
        hits=[1, 0, 1, 1, 1, 0, 1, 1, 1],
        m=12,
        seed=124,
    ).advise(
        "Seven places ahead is right four times. Five back is another rule, and so is seven back."
    ),
)


def _shares(A, places, targets, *, hits=None, offsets=None, choose=max):
    """[head, baseline]; the options are for the mistakes."""
    hits = A.argmax(axis=1) == targets if hits is None else hits
    offsets = targets - places if offsets is None else offsets
    return np.array([hits.mean(), choose((offsets == k).mean() for k in np.unique(offsets))])


def _with_baseline(baseline):
    def answer(A, places, targets):
        return np.array([(A.argmax(axis=1) == targets).mean(), baseline(A, places, targets)])

    return answer


def _most_common(values):
    found, counts = np.unique(values, return_counts=True)
    return found[counts.argmax()]


def _mean_weight(A, places, targets):
    return _shares(A, places, targets, hits=A[np.arange(len(A)), targets])


MISTAKES = (
    Mistake(
        "measures-the-weight",
        "You average the weight on the target. The task asks how often the target gets the most.",
        _mean_weight,
        hint="Compare A.argmax(axis=1) with targets.",
    ),
    Mistake(
        "compares-with-chance",
        "Your baseline is one key in m, a blind guess. A rule that counts places does better.",
        _with_baseline(lambda A, places, targets: 1 / A.shape[1]),
        variants=(_with_baseline(lambda A, places, targets: 1 / (A.shape[1] - 1)),),
        hint="Try each fixed offset, and take the one that is right most often.",
    ),
    Mistake(
        "the-previous-token-only",
        "Your baseline is the neighbour on one side alone. Other offsets may be right more often.",
        _with_baseline(lambda A, places, targets: (targets - places == -1).mean()),
        variants=(_with_baseline(lambda A, places, targets: (targets - places == 1).mean()),),
        hint="Try every offset that occurs, before and after the query.",
    ),
    Mistake(
        "forgets-the-direction",
        "You treat k places back and k places ahead as one rule.",
        _with_baseline(
            lambda A, places, targets: _shares(A, places, targets, offsets=abs(targets - places))[1]
        ),
        hint="Keep the sign of targets - places.",
    ),
    Mistake(
        "averages-the-offsets",
        "You take the mean or the median offset as the rule, not the one that occurs most often.",
        _with_baseline(
            lambda A, places, targets: (
                (targets - places) == np.round((targets - places).mean())
            ).mean()
        ),
        variants=(
            _with_baseline(
                lambda A, places, targets: (
                    (targets - places) == np.median(targets - places)
                ).mean()
            ),
        ),
        hint="Count how often each offset occurs; the most common one is the best rule.",
    ),
    Mistake(
        "fits-the-head",
        "Your baseline is the offset that the head itself uses most. The best rule is the one that "
        "hits the targets most often.",
        _with_baseline(
            lambda A, places, targets: (
                targets - places == _most_common(A.argmax(axis=1) - places)
            ).mean()
        ),
        variants=(
            _with_baseline(
                lambda A, places, targets: _shares(
                    A, places, targets, offsets=A.argmax(axis=1) - places
                )[1]
            ),
        ),
        hint="Use targets - places, and leave the head out of it.",
    ),
    Mistake(
        "fixed-place",
        "Your baseline is one fixed place in the sentence, the same for every query.",
        _with_baseline(lambda A, places, targets: _shares(A, 0 * places, targets)[1]),
        hint="An offset is counted from the query: targets - places.",
    ),
    Mistake(
        "returns-counts",
        "You return how many cases are right, not what share of them.",
        lambda A, places, targets: len(A) * _shares(A, places, targets),
        hint="Divide by the number of cases, or take a mean over True and False.",
    ),
    Mistake(
        "in-the-other-order",
        "You return the baseline first and the head after it.",
        lambda A, places, targets: _shares(A, places, targets)[::-1],
        hint="First the head, then the baseline.",
    ),
    Mistake(
        "the-worst-offset",
        "Your baseline is the offset that is right least often.",
        lambda A, places, targets: _shares(A, places, targets, choose=min),
        hint="A fair baseline is the best of its kind: take the maximum.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A head against a fixed offset",
    difficulty=1,
    minutes=8,
    hints=(
        "A.argmax(axis=1) is where each query looks most. A mean over True and False is a share.",
        "targets - places holds the offset that would have been right, case by case. The best rule"
        " is the one that occurs most often.",
    ),
    mistakes=MISTAKES,
    section="sec-12-heads",
    passed=(
        "A head has found something only if it beats the best rule that looks at no word at all. "
        "Clark et al. (2019) judged BERT's heads against such a baseline."
    ),
    task=Task("against_offset", _shares, PROBES, coarse=True, row_names=("head", "baseline")),
)
