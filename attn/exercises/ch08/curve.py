"""Which of two models is ahead, as far as the seeds can tell."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _nine_seeds(shift):
    """Nine gaps whose mean is 0.0233 + shift and whose standard error is about 0.0106."""
    return [0.5 + shift + gap for gap in (0.05, -0.02, 0.06, 0.01, -0.03, 0.04, 0.02, 0.05, 0.03)]


def _nine_seeds_at(errors):
    """Nine seeds whose mean gap is this many standard errors."""
    gaps = np.array(_nine_seeds(0.0)) - 0.5
    return (0.5 + gaps - gaps.mean() + errors * gaps.std(ddof=1) / 3).tolist()


PROBES = (
    Probe.of(
        "one clear lead each way",
        cnn=[[0.80, 0.84, 0.82, 0.83], [0.90, 0.91, 0.92, 0.90]],
        attention=[[0.60, 0.66, 0.61, 0.64], [0.97, 0.99, 0.99, 0.98]],
    ).advise("Attention is far behind at the first size and far ahead at the second: -1, then 1."),
    Probe.of(
        "a gap in the means that the seeds do not bear out",
        cnn=[[0.90, 0.96, 0.93, 0.95, 0.92]],
        attention=[[0.97, 0.93, 0.96, 0.92, 0.95]],
    ).advise(
        "The gaps average 0.014 and have a standard deviation of 0.043: five seeds cannot tell "
        "that from 0."
    ),
    Probe.of(
        "error bars that overlap, and a gap that every seed has",
        cnn=[[0.70, 0.80, 0.90], [0.75, 0.85, 0.95]],
        attention=[[0.72, 0.83, 0.92], [0.72, 0.83, 0.92]],
    ).advise("Each pair had the same pictures. Subtract seed by seed first: the gaps hardly vary."),
    Probe.of(
        "a lead in the means that the pairs undo",
        cnn=[[0.50, 0.58, 0.54, 0.52]],
        attention=[[0.63, 0.56, 0.60, 0.57]],
    ).advise(
        "Seed by seed the gaps are 0.13, -0.02, 0.06 and 0.05: take the standard error of these."
    ),
    Probe.of(
        "four seeds near the limit of two standard errors",
        cnn=[[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]],
        attention=[[0.62, 0.50, 0.56, 0.48], [0.62, 0.50, 0.56, 0.54], [0.60, 0.50, 0.56, 0.515]],
    ).advise(
        "One standard error is the gaps' standard deviation, with ddof=1, over the root of the "
        "number of seeds."
    ),
    Probe.of(
        "nine seeds, with gaps of 0.8, 1.7, 2.2, 3.6 and -2.9 standard errors",
        cnn=[[0.5] * 9] * 5,
        attention=[_nine_seeds(shift) for shift in (-0.015, -0.005, 0.0, 0.015, -0.054)],
    ).advise("With nine seeds two standard errors are two thirds of the standard deviation."),
    Probe.of(
        "six seeds, one of which decides the mean",
        cnn=[[0.5] * 6] * 4,
        attention=[
            [0.501, 0.501, 0.502, 0.501, 0.501, 0.53],
            [0.55, 0.49, 0.55, 0.56, 0.54, 0.55],
            [0.501, 0.501, 0.502, 0.501, 0.501, 0.45],
            [0.55, 0.45, 0.551, 0.449, 0.555, 0.4453],
        ],
    ).advise("What counts is the mean gap in standard errors, not how many seeds are ahead."),
    Probe.of(
        "nine seeds, with gaps of 1.97, 2.03, -1.97 and -2.03 standard errors",
        cnn=[[0.5] * 9] * 4,
        attention=[_nine_seeds_at(errors) for errors in (1.97, 2.03, -1.97, -2.03)],
    ).advise("The limit is two standard errors: 1.97 is not enough, 2.03 is."),
    Probe.of(
        "four seeds, with a gap of exactly two standard errors",
        cnn=[[0.5] * 4] * 2,
        attention=[[0.8125, 0.5625, 0.5625, 0.5625], [0.1875, 0.4375, 0.4375, 0.4375]],
    ).advise("More than two standard errors: exactly two is not more."),
    Probe.of(
        "two seeds",
        cnn=[[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]],
        attention=[[0.52, 0.60], [0.54, 0.56], [0.46, 0.44]],
    ).advise("The root in the standard error is that of the number of seeds, here 2."),
    Probe.of(
        "two curves that are the same",
        cnn=[[0.5, 0.75], [0.25, 1.0]],
        attention=[[0.5, 0.75], [0.25, 1.0]],
    ).advise("No gap, no lead: 0."),
)


def _lead(gap, error, times=2):
    return np.where(np.abs(gap) > times * error, np.sign(gap), 0)


def _standard_error(gaps, ddof=1):
    return gaps.std(axis=1, ddof=ddof) / np.sqrt(gaps.shape[1])


def _mean_gap(cnn, attention):
    return (attention - cnn).mean(axis=1)


def _ahead(cnn, attention, *, times=2, ddof=1):
    return _lead(_mean_gap(cnn, attention), _standard_error(attention - cnn, ddof), times)


MISTAKES = (
    Mistake(
        "compares-the-means",
        "You compare the means and never answer 0, even where the seeds cannot tell the gap from "
        "none.",
        lambda cnn, attention: np.sign(_mean_gap(cnn, attention)),
        hint="Compare the gap with two of its standard errors.",
    ),
    Mistake(
        "asks-whether-bars-overlap",
        "You ask whether the two error bars overlap, although the seeds are paired.",
        lambda cnn, attention: _lead(
            _mean_gap(cnn, attention),
            cnn.std(axis=1, ddof=1) + attention.std(axis=1, ddof=1),
            times=1,
        ),
        variants=(
            lambda cnn, attention: _lead(
                _mean_gap(cnn, attention), cnn.std(axis=1) + attention.std(axis=1), times=1
            ),
        ),
        hint="Take the gap of each pair first, then its mean and its standard error.",
    ),
    Mistake(
        "forgets-the-pairs",
        "You treat the two models' runs as unrelated, although run j of both had the same "
        "pictures.",
        lambda cnn, attention: _lead(
            _mean_gap(cnn, attention),
            np.sqrt(_standard_error(cnn) ** 2 + _standard_error(attention) ** 2),
        ),
        hint="Subtract first, then take the standard deviation of the gaps.",
    ),
    Mistake(
        "uses-the-standard-deviation",
        "You compare the mean gap with two standard deviations of a single gap, but a mean of n "
        "gaps varies less.",
        lambda cnn, attention: _lead(
            _mean_gap(cnn, attention), (attention - cnn).std(axis=1, ddof=1)
        ),
        hint="Divide by np.sqrt(seeds).",
    ),
    Mistake(
        "uses-one-standard-error",
        "You ask for one standard error, which chance alone exceeds about one time in three.",
        lambda cnn, attention: _ahead(cnn, attention, times=1),
        hint="The task asks for two.",
    ),
    Mistake(
        "divides-by-the-number-of-seeds",
        "Your standard deviation divides by the number of seeds, but the gaps are a sample.",
        lambda cnn, attention: _ahead(cnn, attention, ddof=0),
        hint="Use ddof=1.",
    ),
    Mistake(
        "accepts-exactly-two",
        "You accept a gap of exactly two standard errors, but more than two were asked for.",
        lambda cnn, attention: np.where(
            np.abs(_mean_gap(cnn, attention)) >= 2 * _standard_error(attention - cnn),
            np.sign(_mean_gap(cnn, attention)),
            0,
        ),
        hint="Use >, not >=.",
    ),
    Mistake(
        "turns-the-sign-round",
        "Your 1 means that the CNN is ahead; it should mean that attention is.",
        lambda cnn, attention: _ahead(attention, cnn),
        hint="The gap is attention minus CNN.",
    ),
    Mistake(
        "forgets-the-sign",
        "You say that there is a gap, but not whose it is.",
        lambda cnn, attention: np.abs(_ahead(cnn, attention)),
        hint="Return -1 where the CNN is ahead.",
    ),
    Mistake(
        "averages-over-the-sizes",
        "You average over the sizes and answer for each seed.",
        lambda cnn, attention: _ahead(cnn.T, attention.T),
        hint="The seeds are the columns: average over axis 1.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Read a learning curve",
    difficulty=2,
    minutes=12,
    hints=(
        "Column j of both arrays is one pair: subtract first, and work with the gaps.",
        "The standard error of a mean of n numbers is their standard deviation (ddof=1) over the "
        "square root of n.",
        "np.where(condition, np.sign(mean), 0) answers for all sizes at once.",
    ),
    mistakes=MISTAKES,
    section="sec-08-data",
    passed=(
        "You can now say who is ahead, and when the seeds cannot tell. Use it on the chapter's own "
        "learning curves before you believe a crossing."
    ),
    task=Task("who_is_ahead", _ahead, PROBES, coarse=True),
)
