"""One gated step of a recurrence as a soft lookup among two rows."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task
from attn.exercises.families import overflows


def _probe(label, *, d, seed, scores=None):
    rng = np.random.default_rng(seed)
    h, candidate, score = (np.round(rng.normal(size=d), 2) for _ in range(3))
    score = np.round(2 * score, 2) if scores is None else np.array(scores)
    return Probe.of(label, h=h, candidate=candidate, score=score)


PROBES = (
    _probe("four entries", d=4, seed=92, scores=[-0.5, 0.6, -0.78, 2.82]).advise(
        "Each entry has a softmax of its own, over two scores: score[i] for h[i], 0 for "
        "candidate[i]."
    ),
    _probe("scores of 0", d=3, seed=91, scores=[0.0, 0.0, 0.0]).advise(
        "With both scores at 0 each row gets ½: the new state is halfway."
    ),
    _probe("scores that are all large", d=5, seed=93, scores=[6.0, 7.0, 5.0, 8.0, 6.5]).advise(
        "A large score keeps the old state."
    ),
    _probe("scores far below 0", d=2, seed=94, scores=[-7.0, -9.0]).advise(
        "A score far below 0 takes the candidate."
    ),
    _probe("scores of 800 and -800", d=3, seed=96, scores=[800.0, -800.0, 0.5]).advise(
        "Print np.exp(800.0): it is inf. attn.softmax shifts the scores first."
    ),
    _probe("one entry", d=1, seed=95).advise("Two rows, one entry: the two weights sum to 1."),
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
        "You give the score to the candidate, but it belongs to the old state.",
        lambda h, candidate, score: _step(candidate, h, score),
        hint="A high score must keep h; the candidate's score is 0.",
    ),
    Mistake(
        "shares-among-the-entries",
        "Your softmax runs over the entries of the state, but each entry chooses for itself "
        "between two rows.",
        lambda h, candidate, score: _blend(softmax(score), 1 - softmax(score), h, candidate),
        variants=(
            lambda h, candidate, score: (
                softmax(np.stack([score, 0 * score])) * np.stack([h, candidate])
            ).sum(axis=0),
        ),
        hint="Run it over the two rows.",
    ),
    Mistake(
        "uses-the-score-as-a-weight",
        "You blend with the scores themselves, but weights lie between 0 and 1 and sum to 1.",
        lambda h, candidate, score: score * h + (1 - score) * candidate,
        variants=(lambda h, candidate, score: score * h,),
        hint="Run a softmax over the two scores first.",
    ),
    overflows(
        lambda h, candidate, score: (
            np.exp(score) / (np.exp(score) + 1) * h + 1 / (np.exp(score) + 1) * candidate
        ),
        score="of 800",
        largest="the larger of the two scores",
    ),
    Mistake(
        "chooses-one-row",
        "You take one row or the other, whole, instead of blending them.",
        lambda h, candidate, score: np.where(score > 0, h, candidate),
        variants=(lambda h, candidate, score: np.where(score >= 0, h, candidate),),
        hint="A soft lookup blends rows by their weights.",
    ),
    Mistake(
        "forgets-the-candidate",
        "You weigh the old state and leave out the candidate.",
        lambda h, candidate, score: _keep(score) * h,
        hint="Its row has the rest of the weight.",
    ),
    Mistake(
        "adds-the-whole-candidate",
        "You add the candidate with a weight of 1, so the two weights sum to more than 1.",
        lambda h, candidate, score: _keep(score) * h + candidate,
        hint="The candidate has the rest of the weight.",
    ),
    Mistake(
        "averages",
        "You take the mean of the two rows, whatever the scores say.",
        lambda h, candidate, score: (h + candidate) / 2,
        hint="The weights are the softmax of score and 0.",
    ),
    Mistake(
        "doubles-the-gap",
        "You give the candidate the score -score instead of 0, which doubles the gap and makes the"
        " step too sharp.",
        lambda h, candidate, score: _step(h, candidate, 2 * score),
        hint="Its score is 0.",
    ),
    Mistake(
        "returns-the-weights",
        "You return the weights of h, not a new state.",
        lambda h, candidate, score: _keep(score),
        hint="Blend the two rows with them.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One step as a lookup",
    difficulty=1,
    minutes=8,
    hints=(
        "For one entry the table has two rows: values h[i] and candidate[i], scores score[i] and "
        "0. This is chapter 1's soft lookup.",
        "np.stack([score, np.zeros_like(score)]) is (2, d). Each entry shares out 1 between the "
        "two rows: over which axis is that? Look at the shape.",
    ),
    mistakes=MISTAKES,
    section="sec-09-recurrence",
    passed=(
        "A gate is a soft lookup between two rows, keep and replace. For one entry, compare it with"
        " attn.soft_lookup over keys that score score[i] and 0."
    ),
    task=Task("gated_step", _step, PROBES),
)
