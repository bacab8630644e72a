"""One gated step of a recurrence as a soft look-up among two rows."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, d, seed, advice, scores=None):
    rng = np.random.default_rng(seed)
    h, candidate, score = (np.round(rng.normal(size=d), 2) for _ in range(3))
    score = np.round(2 * score, 2) if scores is None else np.array(scores)
    return Probe(label, {"h": h, "candidate": candidate, "score": score}, advice)


PROBES = (
    _probe(
        "scores of 0",
        d=3,
        seed=91,
        advice="With both scores at 0 each row gets ½: the new state is halfway.",
        scores=[0.0, 0.0, 0.0],
    ),
    _probe(
        "four entries",
        d=4,
        seed=92,
        advice=(
            "Each entry has a softmax of its own, over two scores: score[i] for h[i], 0 for "
            "candidate[i]."
        ),
    ),
    _probe(
        "scores that are all large",
        d=5,
        seed=93,
        advice="A large score keeps the old state.",
        scores=[6.0, 7.0, 5.0, 8.0, 6.5],
    ),
    _probe(
        "scores far below 0",
        d=2,
        seed=94,
        advice="A score far below 0 takes the candidate.",
        scores=[-7.0, -9.0],
    ),
    _probe("one entry", d=1, seed=95, advice="Two rows, one entry: the two weights sum to 1."),
)


def _blend(keep, take, h, candidate):
    return keep * h + take * candidate


def _keep(score):
    return softmax(np.stack([score, np.zeros_like(score)]), axis=0)[0]


def _step(h, candidate, score):
    return _blend(_keep(score), 1 - _keep(score), h, candidate)


MISTAKES = (
    Mistake(
        "swaps-the-rows",
        "You give the score to the candidate; it belongs to the old state, and the candidate's is "
        "0. A high score must keep h.",
        lambda h, candidate, score: _step(candidate, h, score),
    ),
    Mistake(
        "shares-among-the-entries",
        "Your softmax runs over the entries of the state; each entry chooses for itself, between "
        "two rows. Run it over the two rows.",
        lambda h, candidate, score: _blend(softmax(score), 1 - softmax(score), h, candidate),
        variants=(
            lambda h, candidate, score: (
                softmax(np.stack([score, 0 * score])) * np.stack([h, candidate])
            ).sum(axis=0),
        ),
    ),
    Mistake(
        "uses-the-score-as-a-weight",
        "You blend with the scores themselves; weights lie between 0 and 1 and sum to 1. Run a "
        "softmax over the two scores first.",
        lambda h, candidate, score: score * h + (1 - score) * candidate,
        variants=(lambda h, candidate, score: score * h,),
    ),
    Mistake(
        "chooses-one-row",
        "You take one row or the other, whole. A soft look-up blends them by their weights.",
        lambda h, candidate, score: np.where(score > 0, h, candidate),
        variants=(lambda h, candidate, score: np.where(score >= 0, h, candidate),),
    ),
    Mistake(
        "forgets-the-candidate",
        "You weigh the old state and leave out the candidate: its row has the rest of the weight.",
        lambda h, candidate, score: _keep(score) * h,
    ),
    Mistake(
        "adds-the-whole-candidate",
        "You add the candidate with weight 1; the two weights must sum to 1.",
        lambda h, candidate, score: _keep(score) * h + candidate,
    ),
    Mistake(
        "averages",
        "You take the mean of the two rows, whatever the scores say.",
        lambda h, candidate, score: (h + candidate) / 2,
    ),
    Mistake(
        "doubles-the-gap",
        "You give the candidate the score -score; it is 0. With minus the score the gap is twice "
        "as large, and the step too sharp.",
        lambda h, candidate, score: _step(h, candidate, 2 * score),
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights of h; blend the two rows with them.",
        lambda h, candidate, score: _keep(score),
    ),
)

EXERCISE = Exercise(
    "09-gated-step",
    title="One step as a look-up",
    chapter=9,
    difficulty=1,
    minutes=8,
    hints=(
        "For one entry the table has two rows: values h[i], candidate[i], scores score[i] and 0. "
        "This is chapter 1's soft look-up.",
        "np.stack([score, np.zeros_like(score)]) is (2, d). Each entry shares out 1 between the "
        "two rows: over which axis is that? Look at the shape.",
    ),
    mistakes=MISTAKES,
    section="sec-09-recurrence",
    task=Task("gated_step", _step, PROBES),
)
