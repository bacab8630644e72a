"""One step of Adam, with both running means and their correction."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task

KEEP, KEEP_SQUARES, EPS = 0.9, 0.999, 1e-8


def _probe(label, *, w, gradient, mean, square, step, rate):
    state = {"w": w, "gradient": gradient, "mean": mean, "square": square}
    return Probe.of(label, **state, step=step, rate=rate)


PROBES = (
    _probe(
        "the first step",
        w=[1.0, -2.0, 0.5],
        gradient=[0.3, -4.0, 0.02],
        mean=[0.0, 0.0, 0.0],
        square=[0.0, 0.0, 0.0],
        step=1,
        rate=0.1,
    ).advise(
        "At the first step the corrections give back the gradient and its square: every "
        "parameter moves by 0.1 against the sign of its derivative."
    ),
    _probe(
        "the second step",
        w=[0.9, -1.9],
        gradient=[-0.5, 2.0],
        mean=[0.03, -0.4],
        square=[9e-5, 0.016],
        step=2,
        rate=0.05,
    ).advise("mean becomes 0.9 · mean + 0.1 · gradient; divide it by 1 - 0.9² for the step."),
    _probe(
        "the seventh step",
        w=[0.25, 1.5, -0.75, 2.0],
        gradient=[0.02, -0.7, 0.4, 3.0],
        mean=[0.1, -0.2, -0.05, 0.6],
        square=[0.004, 0.02, 0.0015, 0.03],
        step=7,
        rate=0.01,
    ).advise("square becomes 0.999 · square + 0.001 · gradient²; divide it by 1 - 0.999⁷."),
    _probe(
        "a derivative that has always been 0",
        w=[0.4, 0.6],
        gradient=[0.0, 0.5],
        mean=[0.0, 0.08],
        square=[0.0, 0.001],
        step=3,
        rate=0.02,
    ).advise("eps keeps the division from being 0/0: such a parameter stays where it is."),
    _probe(
        "derivatives as small as eps",
        w=[0.0, 0.3],
        gradient=[2e-8, -3e-8],
        mean=[1e-8, -1e-8],
        square=[1e-19, 2e-19],
        step=5,
        rate=0.5,
    ).advise("eps is added to the root, after it is taken: √square + eps."),
)


def _adam(
    w,
    gradient,
    mean,
    square,
    step,
    rate,
    *,
    keep=(KEEP, KEEP_SQUARES),
    corrected=(True, True),
    update=lambda mean, square: mean / (np.sqrt(square) + EPS),
    power=None,
):
    """(3, d): the new w, mean and square; the options are for the mistakes."""
    power = step if power is None else power
    mean = keep[0] * mean + (1 - keep[0]) * gradient
    square = keep[1] * square + (1 - keep[1]) * gradient**2
    steady = mean / (1 - keep[0] ** power) if corrected[0] else mean
    typical = square / (1 - keep[1] ** power) if corrected[1] else square
    return np.stack([w - rate * update(steady, typical), mean, square])


def _swapped_shares(w, gradient, mean, square, step, rate):
    return _adam(w, gradient, mean, square, step, rate, keep=(1 - KEEP, 1 - KEEP_SQUARES))


def _keeps_corrected(w, gradient, mean, square, step, rate):
    new = _adam(w, gradient, mean, square, step, rate)
    corrections = (1 - KEEP**step, 1 - KEEP_SQUARES**step)
    return np.stack([new[0], new[1] / corrections[0], new[2] / corrections[1]])


def _squares_the_mean(w, gradient, mean, square, step, rate):
    new_mean = KEEP * mean + (1 - KEEP) * gradient
    new_square = KEEP_SQUARES * square + (1 - KEEP_SQUARES) * new_mean**2
    steady, typical = new_mean / (1 - KEEP**step), new_square / (1 - KEEP_SQUARES**step)
    return np.stack([w - rate * steady / (np.sqrt(typical) + EPS), new_mean, new_square])


def _uses_the_old(w, gradient, mean, square, step, rate):
    new = _adam(w, gradient, mean, square, step, rate)
    steady, typical = mean / (1 - KEEP**step), square / (1 - KEEP_SQUARES**step)
    return np.stack([w - rate * steady / (np.sqrt(typical) + EPS), new[1], new[2]])


def _forgets_the_square(w, gradient, mean, square, step, rate):
    new_mean = KEEP * mean + (1 - KEEP) * gradient
    new_square = KEEP_SQUARES * square + (1 - KEEP_SQUARES) * gradient
    steady, typical = new_mean / (1 - KEEP**step), new_square / (1 - KEEP_SQUARES**step)
    return np.stack([w - rate * steady / (np.sqrt(typical) + EPS), new_mean, new_square])


def _plain_step(w, gradient, mean, square, step, rate):
    new = _adam(w, gradient, mean, square, step, rate)
    return np.stack([w - rate * gradient, new[1], new[2]])


def _with(**options):
    return lambda w, gradient, mean, square, step, rate: _adam(
        w, gradient, mean, square, step, rate, **options
    )


MISTAKES = (
    Mistake(
        "walks-uphill",
        "You add the step. The gradient points where the loss grows.",
        _with(update=lambda mean, square: -mean / (np.sqrt(square) + EPS)),
        hint="Subtract it.",
    ),
    Mistake(
        "forgets-the-corrections",
        "You use the running means as they are. They start at 0, so at first they are far too "
        "small, and not equally so.",
        _with(corrected=(False, False)),
        hint="Divide them by 1 - 0.9**step and 1 - 0.999**step for the step.",
    ),
    Mistake(
        "corrects-one-only",
        "You correct one of the two running means and not the other.",
        _with(corrected=(True, False)),
        variants=(_with(corrected=(False, True)),),
        hint="Both start at 0, and both need it.",
    ),
    Mistake(
        "corrects-without-the-power",
        "You divide by 1 - 0.9 and 1 - 0.999 at every step, which is right for the first one only.",
        lambda w, g, m, s, step, rate: _adam(w, g, m, s, step, rate, power=1),
        hint="The share of the start that is left after `step` steps is 0.9**step.",
    ),
    Mistake(
        "counts-steps-from-0",
        "You count the steps from 0; here the first one has the number 1.",
        lambda w, g, m, s, step, rate: _adam(w, g, m, s, step, rate, power=step - 1),
        variants=(lambda w, g, m, s, step, rate: _adam(w, g, m, s, step, rate, power=step + 1),),
        hint="Use step as it is given.",
    ),
    Mistake(
        "keeps-the-corrected-means",
        "You return the corrected means, and the next step would correct them once more.",
        _keeps_corrected,
        hint="Correct for the step only; carry the plain running means on.",
    ),
    Mistake(
        "swaps-old-and-new",
        "You keep a tenth of the old mean and take nine tenths of the new gradient.",
        _swapped_shares,
        hint="0.9 is what is kept: mean = 0.9 * mean + 0.1 * gradient.",
    ),
    Mistake(
        "exchanges-the-rates",
        "You exchange 0.9 and 0.999 with each other.",
        _with(keep=(KEEP_SQUARES, KEEP)),
        hint="The mean of the gradient forgets quickly, 0.9, that of the squares slowly, 0.999.",
    ),
    Mistake(
        "forgets-the-root",
        "You divide by the mean square itself, so a parameter with large derivatives hardly moves.",
        _with(update=lambda mean, square: mean / (square + EPS)),
        hint="Take its root: it is then in the units of the gradient.",
    ),
    Mistake(
        "takes-the-plain-gradient-step",
        "Your step is not divided by the root of the mean square, so parameters move at very "
        "different paces.",
        _with(update=lambda mean, square: mean),
        variants=(_plain_step,),
        hint="Divide by the root of the mean square.",
    ),
    Mistake(
        "forgets-to-square",
        "Your second mean is of the gradient, not of its square.",
        _forgets_the_square,
        hint="square = 0.999 * square + 0.001 * gradient**2.",
    ),
    Mistake(
        "squares-the-mean",
        "Your second mean squares the running mean, not the gradient.",
        _squares_the_mean,
        hint="It is a mean of squares: use gradient**2.",
    ),
    Mistake(
        "steps-before-it-learns",
        "You take the step with the old means, so this gradient has no part in it.",
        _uses_the_old,
        hint="Update both means first, then step.",
    ),
    Mistake(
        "eps-under-the-root",
        "You add eps under the root, where it counts for much more: √1e-8 is 1e-4.",
        _with(update=lambda mean, square: mean / np.sqrt(square + EPS)),
        hint="Add it after the root is taken.",
    ),
    Mistake(
        "leaves-eps-out",
        "You leave eps out. Where all derivatives were 0 this is 0/0.",
        _with(update=lambda mean, square: mean / np.sqrt(square)),
        hint="Add eps to the root before you divide.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One step of Adam by hand",
    difficulty=2,
    minutes=10,
    hints=(
        "Four lines: the two running means, their corrected copies, the step, the result. The means"
        " that you return are the ones before correction.",
        "mean / (1 - 0.9**step) and square / (1 - 0.999**step), then w - rate * steady / "
        "(np.sqrt(typical) + 1e-8).",
    ),
    mistakes=MISTAKES,
    section="sec-11-loss",
    passed=(
        "At the first step every parameter moves by the rate, whatever its derivative's size: only "
        "the sign counts. Compare a few steps with torch.optim.Adam(lr=rate)."
    ),
    task=Task(
        "adam_step",
        _adam,
        PROBES,
        tolerance=(1e-6, 1e-12),
        row_names=("w", "mean", "square"),
        steps={
            "new_mean": (lambda *a: _adam(*a)[1],),
            "new_square": (lambda *a: _adam(*a)[2],),
        },
    ),
)
