"""How far a soft lookup's answer moves with its query."""

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, query, keys, values, **beta):
    arguments = {"query": query, "keys": keys, "values": values} | beta
    return Probe.of(label, **arguments, keywords=tuple(beta))


_NUDGE = "Nudge one entry of the query by 1e-6 and see how far the answer moves, per unit of nudge."

PROBES = (
    _probe(
        "three keys",
        query=[1.0, 0.5],
        keys=[[1.0, 0.2], [0.0, 1.5], [-1.0, 0.4]],
        values=[1.0, 2.0, 4.0],
    ).advise(_NUDGE),
    _probe(
        "a sharper lookup",
        query=[0.3, -0.2],
        keys=[[1.0, 0.2], [0.0, 1.5], [-1.0, 0.4]],
        values=[1.0, 2.0, 4.0],
        beta=2.5,
    ).advise(
        "Sharpness stands inside the softmax, and the chain rule puts it in front as well. If "
        "you measure, try a smaller nudge."
    ),
    _probe(
        "four keys of size 3",
        query=[0.2, 0.1, -0.4],
        keys=[[1.0, 0.0, 2.0], [0.5, 1.0, 0.0], [0.0, -1.0, 0.3], [-0.5, 0.4, 1.0]],
        values=[-1.0, 0.5, 3.0, 0.2],
        beta=0.8,
    ).advise("There is one slope for each entry of the query: the result is (d_k,), not (m,)."),
    _probe(
        "values that are all the same",
        query=[0.7, -0.6],
        keys=[[1.0, 0.2], [0.0, 1.5], [-1.0, 0.4], [0.6, -0.5], [0.1, 0.3]],
        values=[3.0, 3.0, 3.0, 3.0, 3.0],
        beta=1.5,
    ).advise("If every value is 3, so is every answer, and nothing can move it: the slope is 0."),
    _probe(
        "a lookup that ignores its query",
        query=[0.7, -0.6],
        keys=[[1.0, 0.2], [0.0, 1.5], [-1.0, 0.4]],
        values=[1.0, 2.0, 4.0],
        beta=0.0,
    ).advise("With beta = 0 every weight is a third, whatever the query is: the slope is 0."),
    _probe(
        "a lookup that is certain",
        query=[0.7, -0.6, 0.2],
        keys=[[1.0, 0.2, 0.0], [0.0, 1.5, 0.3]],
        values=[1.0, 2.0],
        beta=2000.0,
    ).advise("One key has all the weight, and a small nudge does not change that: the slope is 0."),
)


def _slope(query, keys, values, *, beta=1.0):
    weights = softmax(beta * (keys @ query))
    return beta * (weights * (values - weights @ values)) @ keys


def _weights(query, keys, beta):
    return softmax(beta * (keys @ query))


MISTAKES = (
    Mistake(
        "returns-the-answer",
        "You return the lookup's answer, not how it moves: one number for each entry of the query "
        "was asked for.",
        lambda query, keys, values, *, beta=1.0: _weights(query, keys, beta) @ values,
        hint="Differentiate the answer, or nudge one entry at a time.",
    ),
    Mistake(
        "stops-at-the-scores",
        "You return one slope per key: how the answer moves with a score, not with the query.",
        lambda query, keys, values, *, beta=1.0: (
            _weights(query, keys, beta) * (values - _weights(query, keys, beta) @ values)
        ),
        variants=(
            lambda query, keys, values, *, beta=1.0: (
                beta * _weights(query, keys, beta) * (values - _weights(query, keys, beta) @ values)
            ),
        ),
        hint="A score moves with the query by beta times its key. Multiply by the keys.",
    ),
    Mistake(
        "forgets-the-sum-below",
        "You differentiate the exponentials and leave the sum below the fraction line fixed, but "
        "it moves too: what one key gains, the others lose.",
        lambda query, keys, values, *, beta=1.0: (
            beta * (_weights(query, keys, beta) * values) @ keys
        ),
        hint="Replace each value by its difference from the answer.",
    ),
    Mistake(
        "centres-on-the-plain-mean",
        "You measure the values from their plain mean, whatever the weights are.",
        lambda query, keys, values, *, beta=1.0: (
            beta * (_weights(query, keys, beta) * (values - values.mean())) @ keys
        ),
        hint="The middle is the answer itself, weights @ values.",
    ),
    Mistake(
        "forgets-the-weights",
        "You let every key count the same, although a key without weight cannot move the answer.",
        lambda query, keys, values, *, beta=1.0: (
            beta * (values - _weights(query, keys, beta) @ values) @ keys
        ),
        hint="Multiply each term by its weight.",
    ),
    Mistake(
        "forgets-the-chain-rule",
        "Your weights use beta, but the factor beta in front of the slope is missing.",
        lambda query, keys, values, *, beta=1.0: (
            (_weights(query, keys, beta) * (values - _weights(query, keys, beta) @ values)) @ keys
        ),
        hint=(
            "Scores are multiplied by beta on the way in, so slopes are multiplied by it on the way"
            " out."
        ),
    ),
    Mistake(
        "sharpens-only-the-slope",
        "You multiply the slope by beta, but compute the weights without it.",
        lambda query, keys, values, *, beta=1.0: beta * _slope(query, keys, values),
        hint="The weights are softmax(beta * scores).",
    ),
    Mistake(
        "ignores-beta",
        "Your slope is the same for every beta, but both the weights and the factor in front "
        "depend on it.",
        lambda query, keys, values, *, beta=1.0: _slope(query, keys, values),
        hint="Start from softmax(beta * scores).",
    ),
    Mistake(
        "turns-the-sign",
        "Your slope points the wrong way: along it, the answer falls.",
        lambda query, keys, values, *, beta=1.0: -_slope(query, keys, values, beta=beta),
        hint=(
            "Take the value minus the answer, not the other way round; if you measure, the new "
            "answer minus the old one."
        ),
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="How far does the answer move?",
    difficulty=3,
    minutes=15,
    hints=(
        "See it before you derive it: nudge one entry of the query by 1e-6, look up again, and "
        "divide the change in the answer by the nudge. Doing that for every entry already passes.",
        "A nudge of the query moves score j by beta times key j, so weight j moves by beta * "
        "weights[j] * (keys[j] - weights @ keys).",
        "Put that into the sum of weights times values and collect terms: beta times the sum over "
        "j of weights[j] * (values[j] - answer) * keys[j].",
    ),
    mistakes=MISTAKES,
    section="sec-01-hull",
    passed=(
        "Your slope is 0 when the lookup is certain and when it ignores its query: a network learns"
        " through it only in between. Compare it with a measured one: (soft_lookup(query + nudge, "
        "...) - soft_lookup(query, ...)) / 1e-6."
    ),
    task=Task("slope", _slope, PROBES),
)
