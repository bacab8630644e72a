"""Chapter 4, Scaling: the variance of scores, a scale by search, heads, a slope, a temperature."""

import numpy as np

from attn import softmax
from attn.exercises.catalogue import Exercise, Mistake
from attn.exercises.examination import Task
from attn.exercises.probe import Probe

# --- 04-score-variance --------------------------------------------------------------------


def _pairs(label, count, d_k, seed, advice, shift=0.0):
    rng = np.random.default_rng(seed)
    Q, K = (np.round(shift + rng.normal(size=(count, d_k)), 2) for _ in range(2))
    return Probe(label, {"Q": Q, "K": K}, advice)


_PAIR_PROBES = (
    Probe(
        "two pairs of size 3",
        {
            "Q": np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]),
            "K": np.array([[3.0, 1.0, 4.0], [2.0, 2.0, -1.0]]),
        },
        "By hand: the two dot products are 5 and -1, their mean is 2, so the variance is 9.",
    ),
    _pairs(
        "five pairs of size 3",
        5,
        3,
        40,
        "Print the dot products first: there must be five of them, one for each pair.",
    ),
    _pairs(
        "four pairs of size 4",
        4,
        4,
        41,
        "Here t = d_k, so a sum over the wrong axis also fits. Sum over the entries, axis -1.",
    ),
    _pairs(
        "six pairs with a mean that is not 0",
        6,
        2,
        42,
        "A variance is measured from the mean: subtract the mean of the dot products first.",
        shift=1.5,
    ),
    _pairs("200 pairs of size 16", 200, 16, 43, "Compare your result with d_k: they are close."),
)


def _dots(Q, K):
    return (Q * K).sum(axis=-1)


_VARIANCE = Exercise(
    "04-score-variance",
    "Measure the variance of a score",
    4,
    difficulty=1,
    minutes=6,
    hints=(
        "First the t dot products: multiply entry by entry, then sum each row.",
        "The variance is the mean of the squared distances from the mean; an array has a method "
        "for it.",
    ),
    mistakes=(
        Mistake(
            "returns-the-dot-products",
            "You return the dot products themselves; one number was asked for, their variance. "
            "Add .var() to them.",
            _dots,
        ),
        Mistake(
            "takes-every-query-with-every-key",
            "You take the dot product of every query with every key; the pairs are row i of Q with "
            "row i of K. Multiply entry by entry and sum each row.",
            lambda Q, K: (Q @ K.T).var(),
        ),
        Mistake(
            "forgets-to-add-up",
            "You take the variance of the single products; a score is the sum of d_k of them. Sum "
            "over the last axis before you take the variance.",
            lambda Q, K: (Q * K).var(),
        ),
        Mistake(
            "sums-over-the-pairs",
            "You sum over the pairs, along axis 0, and get one number for each entry. A dot "
            "product sums over the entries: axis -1.",
            lambda Q, K: (Q * K).sum(axis=0).var(),
        ),
        Mistake(
            "returns-the-standard-deviation",
            "You return the standard deviation, the root of what was asked for. It is the variance "
            "that grows like d_k: leave the root out.",
            lambda Q, K: _dots(Q, K).std(),
        ),
        Mistake(
            "measures-from-zero",
            "You average the squares, which measures from 0; a variance measures from the mean. "
            "Subtract the mean of the dot products first.",
            lambda Q, K: (_dots(Q, K) ** 2).mean(),
        ),
        Mistake(
            "divides-by-one-less",
            "You divide by t - 1, the estimate for a larger population; the mean over the t pairs "
            "was asked for. Use .var() without ddof.",
            lambda Q, K: _dots(Q, K).var(ddof=1),
        ),
        Mistake(
            "predicts-instead-of-measuring",
            "You return d_k, which is what the chapter predicts for entries of variance 1. "
            "Measure it: compute the dot products and their variance.",
            lambda Q, K: float(Q.shape[-1]),
        ),
    ),
    section="sec-04-variance",
    task=Task("score_variance", lambda Q, K: _dots(Q, K).var(), _PAIR_PROBES),
)

# --- 04-find-scale ------------------------------------------------------------------------


def _entropies(p, log=np.log):
    return -(p * log(np.maximum(p, 1e-300))).sum(axis=-1)


def _mean_entropy(scores):
    return _entropies(softmax(scores)).mean()


def _search(measure, target):
    """The scale at which a measure that falls with the scale meets the target."""
    low, high = 0.0, 1.0
    while measure(high) > target and high < 1e6:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if measure(middle) > target:
            low = middle
        else:
            high = middle
    return high


def _find_scale(scores, target):
    return _search(lambda c: _mean_entropy(c * scores), target)


def _table(label, n, m, spread, seed, target, advice):
    scores = np.round(spread * np.random.default_rng(seed).normal(size=(n, m)), 2)
    return Probe(label, {"scores": scores, "target": target}, advice)


_SCALE_PROBES = (
    Probe(
        "two scores a point apart",
        {"scores": np.array([[1.0, 0.0]]), "target": 0.5},
        "Put your scale back: softmax(scale * scores) must have an entropy of 0.5 nats.",
    ),
    _table(
        "three rows of five scores",
        3,
        5,
        4.0,
        44,
        1.2,
        "Average the entropies of the rows: print one for each row and then their mean.",
    ),
    _table(
        "four rows of scores of size 8",
        4,
        16,
        8.0,
        45,
        2.3,
        "The scale lies below 1 here: start your search at 0.",
    ),
    _table(
        "scores that need a scale above 1",
        3,
        6,
        0.2,
        46,
        0.8,
        "Double the upper end until the entropy falls below the target, then halve.",
    ),
    _table(
        "as many rows as keys",
        6,
        6,
        3.0,
        47,
        1.0,
        "Each query is a row: the softmax runs over axis -1.",
    ),
)

_FIND_SCALE = Exercise(
    "04-find-scale",
    "Find the scale by search",
    4,
    difficulty=2,
    minutes=12,
    hints=(
        "Write down what you can measure: for a trial scale, the softmax of scale * scores, the "
        "entropy of each row, and their mean.",
        "A larger scale makes the weights sharper and the entropy smaller. So if the entropy is "
        "above the target, the scale must grow.",
        "Start with an upper end that is certainly too sharp, then halve the interval sixty "
        "times. np.log(np.maximum(p, 1e-300)) survives weights of 0.",
    ),
    mistakes=(
        Mistake(
            "returns-the-temperature",
            "You return one over the scale, which is the temperature: the number to divide by. The "
            "scale multiplies the scores. Return its inverse.",
            lambda scores, target: 1 / _find_scale(scores, target),
        ),
        Mistake(
            "makes-the-spread-one",
            "You divide by the scores' standard deviation. That is the idea of the chapter, but it "
            "ignores the target: a search must meet the entropy that is asked for.",
            lambda scores, target: 1 / scores.std(),
        ),
        Mistake(
            "measures-in-bits",
            "You measure the entropy in bits, with log2; the target is in nats. Use np.log.",
            lambda scores, target: _search(
                lambda c: _entropies(softmax(c * scores), np.log2).mean(), target
            ),
        ),
        Mistake(
            "adds-up-the-rows",
            "You add the entropies of all rows; the target is their mean. With more rows your "
            "scale would grow for no reason. Average over the rows.",
            lambda scores, target: _search(lambda c: _entropies(softmax(c * scores)).sum(), target),
        ),
        Mistake(
            "averages-the-weights-first",
            "You average the weights of all queries and take the entropy of that; queries that "
            "look at different keys then seem undecided. Take each row's entropy first.",
            lambda scores, target: _search(
                lambda c: _entropies(softmax(c * scores).mean(axis=0)), target
            ),
        ),
        Mistake(
            "one-softmax-for-all-rows",
            "You run one softmax over the whole table, so all queries share a single 1. Each row "
            "has its own: the softmax runs over the last axis.",
            lambda scores, target: _search(lambda c: _mean_entropy(c * scores.ravel()), target),
        ),
        Mistake(
            "shares-among-the-queries",
            "Your softmax runs down the columns, among the queries; each query shares among the "
            "keys, along its row. Use the last axis.",
            lambda scores, target: _search(lambda c: _mean_entropy(c * scores.T), target),
        ),
    ),
    section="sec-04-division",
    task=Task("find_scale", _find_scale, _SCALE_PROBES, tolerance=(0.005, 0.0)),
)

# --- 04-head-scale ------------------------------------------------------------------------


def _heads(label, h, n, m, d_head, seed, advice):
    rng = np.random.default_rng(seed)
    Q, K = (np.round(rng.normal(size=(h, size, d_head)), 2) for size in (n, m))
    return Probe(label, {"Q": Q, "K": K}, advice)


_HEAD_PROBES = (
    _heads("one head", 1, 2, 3, 4, 48, "Divide the scores by 2 here, the root of d_head = 4."),
    _heads(
        "three heads of size 4",
        3,
        2,
        5,
        4,
        49,
        "The sum in a dot product runs over d_head = 4 entries: which number undoes its growth?",
    ),
    _heads(
        "eight heads of size 6",
        8,
        3,
        2,
        6,
        50,
        "Q is (8, 3, 6): the head's size is the last axis, whatever d_model was.",
    ),
    _heads(
        "two heads of size 64",
        2,
        3,
        4,
        64,
        51,
        "Print the spread of your scaled scores: it should be near 1.",
    ),
)


def _raw(Q, K):
    return Q @ K.swapaxes(-1, -2)


def _head_weights(Q, K):
    return softmax(_raw(Q, K) / np.sqrt(Q.shape[-1]))


_HEAD_SCALE = Exercise(
    "04-head-scale",
    "Which d goes under the root?",
    4,
    difficulty=2,
    minutes=8,
    hints=(
        "Every score is a sum of d_head products. Its variance, for entries of variance 1, is "
        "d_head.",
        "All heads at once: Q @ K.swapaxes(-1, -2) is (h, n, m). Divide, then softmax.",
    ),
    mistakes=(
        Mistake(
            "uses-the-model-size",
            "You divide by the root of d_model, all heads together; a head's dot product sums over "
            "d_head entries only. Your weights are too even. Use Q.shape[-1].",
            lambda Q, K: softmax(_raw(Q, K) / np.sqrt(Q.shape[0] * Q.shape[-1])),
        ),
        Mistake(
            "forgets-the-scale",
            "You do not divide at all, so the spread of the scores is the root of d_head instead "
            "of 1. Divide before the softmax.",
            lambda Q, K: softmax(_raw(Q, K)),
        ),
        Mistake(
            "forgets-the-root",
            "You divide by d_head; that is the variance. The spread is its root, so divide by "
            "np.sqrt(d_head).",
            lambda Q, K: softmax(_raw(Q, K) / Q.shape[-1]),
        ),
        Mistake(
            "multiplies",
            "You multiply by the root of d_head, which makes large scores larger. Divide by it.",
            lambda Q, K: softmax(_raw(Q, K) * np.sqrt(Q.shape[-1])),
        ),
        Mistake(
            "divides-after-the-softmax",
            "You divide the weights, so a row no longer sums to 1, and the softmax has already "
            "saturated. Divide the scores, before the softmax.",
            lambda Q, K: softmax(_raw(Q, K)) / np.sqrt(Q.shape[-1]),
        ),
        Mistake(
            "divides-by-eight",
            "You divide by 8, the root of 64: right for heads of size 64, and only for them. Read "
            "the size off Q.",
            lambda Q, K: softmax(_raw(Q, K) / 8),
        ),
        Mistake(
            "uses-the-number-of-keys",
            "You divide by the root of the number of keys; the scores grow with the size of a key. "
            "That is the last axis.",
            lambda Q, K: softmax(_raw(Q, K) / np.sqrt(K.shape[-2])),
        ),
        Mistake(
            "uses-the-number-of-queries",
            "You divide by the root of the number of queries; the scores grow with the size of a "
            "query. That is the last axis.",
            lambda Q, K: softmax(_raw(Q, K) / np.sqrt(Q.shape[-2])),
        ),
        Mistake(
            "uses-the-number-of-heads",
            "You divide by the root of the number of heads; each head makes its own scores, over "
            "d_head entries. Use the last axis.",
            lambda Q, K: softmax(_raw(Q, K) / np.sqrt(Q.shape[0])),
        ),
        Mistake(
            "shares-among-the-queries",
            "Your columns sum to 1; each query's row must. Run the softmax over the last axis.",
            lambda Q, K: softmax(_raw(Q, K) / np.sqrt(Q.shape[-1]), axis=-2),
        ),
    ),
    section="sec-04-head-size",
    task=Task("head_weights", _head_weights, _HEAD_PROBES),
)

# --- 04-jacobian --------------------------------------------------------------------------


def _row(label, scores, advice, scale=None):
    arguments = {"scores": np.array(scores)}
    if scale is None:
        return Probe(label, arguments, advice)
    return Probe(label, arguments | {"scale": scale}, advice, keywords=("scale",))


_JACOBIAN_PROBES = (
    _row(
        "two scores",
        [1.0, 0.0],
        "By hand: p = (0.731, 0.269), and every entry is 0.197 or -0.197.",
    ),
    _row(
        "three scores",
        [0.5, -1.0, 2.0],
        "Nudge one score by 1e-6 and see how each of the three weights moves: that is a column.",
    ),
    _row(
        "two scores with scale 0.125",
        [8.0, 0.0],
        "The scale stands inside the softmax, and the chain rule puts it in front as well.",
        scale=0.125,
    ),
    _row(
        "four scores with scale 2",
        [0.3, -0.2, 0.1, 0.0],
        "The scale stands inside the softmax, and the chain rule puts it in front as well.",
        scale=2.0,
    ),
    _row("one score", [3.0], "One weight is always 1, so nothing moves: the matrix is [[0.]]."),
)


def _p(scores, scale=1.0):
    return softmax(scale * scores)


def _slope(scores, *, scale=1.0):
    p = _p(scores, scale)
    return scale * (np.diag(p) - np.outer(p, p))


_JACOBIAN = Exercise(
    "04-jacobian",
    "The slope of the softmax",
    4,
    difficulty=3,
    minutes=12,
    hints=(
        "Raising a score moves weight to its key and away from all the others. So the diagonal is "
        "positive and everything else negative; each column sums to 0.",
        "Entry (i, j) is p[i] * (1 - p[i]) on the diagonal and -p[i] * p[j] elsewhere.",
        "np.diag(p) puts p on a diagonal, np.outer(p, p) holds every product. For the scale, use "
        "the chain rule.",
    ),
    mistakes=(
        Mistake(
            "keeps-only-the-diagonal",
            "You keep only the diagonal, p (1 - p), as for a sigmoid. In a softmax the weights "
            "share one sum: raising one score lowers all other weights. Add -p[i] * p[j].",
            lambda scores, *, scale=1.0: (
                scale * np.diag(_p(scores, scale) * (1 - _p(scores, scale)))
            ),
        ),
        Mistake(
            "returns-a-vector",
            "You return p (1 - p), one number per score; each of the m weights depends on each of "
            "the m scores. The slope is an (m, m) table.",
            lambda scores, *, scale=1.0: scale * _p(scores, scale) * (1 - _p(scores, scale)),
        ),
        Mistake(
            "forgets-the-diagonal",
            "You return -p pᵀ alone, so raising a score would lower its own weight too. Add p on "
            "the diagonal.",
            lambda scores, *, scale=1.0: -scale * np.outer(_p(scores, scale), _p(scores, scale)),
        ),
        Mistake(
            "adds-the-products",
            "You add p pᵀ; when one key gains weight the others lose it. Subtract it.",
            lambda scores, *, scale=1.0: (
                scale
                * (np.diag(_p(scores, scale)) + np.outer(_p(scores, scale), _p(scores, scale)))
            ),
        ),
        Mistake(
            "starts-from-the-identity",
            "You subtract from the identity; the diagonal carries p, not 1. Use np.diag(p).",
            lambda scores, *, scale=1.0: (
                scale * (np.eye(len(scores)) - np.outer(_p(scores, scale), _p(scores, scale)))
            ),
        ),
        Mistake(
            "uses-the-scores",
            "You build the matrix from the scores; it is made of the weights. Apply the softmax "
            "first.",
            lambda scores, *, scale=1.0: (
                scale * (np.diag(scale * scores) - np.outer(scale * scores, scale * scores))
            ),
        ),
        Mistake(
            "forgets-the-chain-rule",
            "Your weights use the scale, but the factor in front is missing: scores are multiplied "
            "by it on the way in, so slopes are multiplied by it on the way out.",
            lambda scores, *, scale=1.0: _slope(scale * scores),
        ),
        Mistake(
            "scales-only-the-slope",
            "You multiply the slope by the scale but compute the weights without it. Use "
            "softmax(scale * scores).",
            lambda scores, *, scale=1.0: scale * _slope(scores),
        ),
        Mistake(
            "ignores-the-scale",
            "Your slope does not depend on the scale; both the weights and the factor in front do. "
            "Start from softmax(scale * scores).",
            lambda scores, *, scale=1.0: _slope(scores),
        ),
    ),
    section="sec-04-gradient",
    task=Task("softmax_jacobian", _slope, _JACOBIAN_PROBES),
)

# --- 04-temperature -----------------------------------------------------------------------


def _shares(label, weights, temperature, advice):
    return Probe(label, {"weights": np.array(weights), "temperature": temperature}, advice)


_TEMPERATURE_PROBES = (
    _shares(
        "one row, twice as warm",
        [[0.8, 0.2]],
        2.0,
        "Scores are logarithms of weights. Halving them takes the root of each weight: the ratio "
        "4 becomes 2.",
    ),
    _shares(
        "two rows, twice as warm",
        [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]],
        2.0,
        "Each row sums to 1 by itself: print your result's sum over the last axis.",
    ),
    _shares(
        "two rows, twice as cold",
        [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]],
        0.5,
        "A lower temperature sharpens: the largest weight of each row must grow.",
    ),
    _shares(
        "an unchanged temperature",
        [[0.5, 0.4, 0.1]],
        1.0,
        "At temperature 1 the weights must come back as they were.",
    ),
    _shares(
        "a weight of zero, warmed",
        [[0.5, 0.5, 0.0], [0.9, 0.0, 0.1]],
        3.0,
        "A weight of 0 is a score of minus infinity: it stays 0 at every temperature.",
    ),
    _shares(
        "weights with a leading axis",
        [[[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.25, 0.75]]],
        0.25,
        "Count axes from the end: the weights that share 1 are always along axis -1.",
    ),
)


def _raised(weights, power):
    return weights**power


def _over_rows(x):
    return x / x.sum(axis=-1, keepdims=True)


_TEMPERATURE = Exercise(
    "04-temperature",
    "Change the temperature afterwards",
    4,
    difficulty=2,
    minutes=10,
    hints=(
        "A softmax cannot be undone quite, but nearly: np.log(weights) gives the scores back, up "
        "to a constant for each row, and constants cancel.",
        "Dividing log p by the temperature T is the same as raising p to the power 1 / T.",
        "Then divide each row by its sum, with keepdims=True.",
    ),
    mistakes=(
        Mistake(
            "softmax-of-the-weights",
            "You run a softmax over the weights as if they were scores; the scores are their "
            "logarithms. Take np.log first, or raise the weights to a power.",
            lambda weights, temperature: softmax(weights / temperature),
        ),
        Mistake(
            "divides-the-weights",
            "You divide the weights by the temperature; their ratios stay the same and the row no "
            "longer sums to 1. The temperature divides the scores.",
            lambda weights, temperature: weights / temperature,
        ),
        Mistake(
            "lets-the-temperature-cancel",
            "You divide each weight by the temperature and then by the row's sum, where it "
            "cancels: the weights come back unchanged. Raise them to a power instead.",
            lambda weights, temperature: weights,
        ),
        Mistake(
            "inverts-the-temperature",
            "You raise to the power T, which sharpens when it is warm. A temperature divides the "
            "scores: the power is 1 / T.",
            lambda weights, temperature: _over_rows(_raised(weights, temperature)),
        ),
        Mistake(
            "forgets-to-normalise",
            "The ratios are right but the rows no longer sum to 1. Divide each row by its sum.",
            lambda weights, temperature: _raised(weights, 1 / temperature),
        ),
        Mistake(
            "one-sum-for-the-whole-table",
            "You divide by one sum for all rows; each query has its own 1 to share. Give sum an "
            "axis.",
            lambda weights, temperature: (
                _raised(weights, 1 / temperature) / _raised(weights, 1 / temperature).sum()
            ),
        ),
        Mistake(
            "sums-over-the-queries",
            "Your columns sum to 1, along axis 0; each query's row must, along axis -1. Change the "
            "axis.",
            lambda weights, temperature: (
                _raised(weights, 1 / temperature)
                / _raised(weights, 1 / temperature).sum(axis=0, keepdims=True)
            ),
        ),
        Mistake(
            "loses-the-row-axis",
            "sum drops the axis it runs over, so (2, 3) meets (2,) and the shapes do not fit; "
            "(2, 1) would. Add keepdims=True.",
            lambda weights, temperature: (
                _raised(weights, 1 / temperature) / _raised(weights, 1 / temperature).sum(axis=-1)
            ),
        ),
    ),
    section="sec-04-temperature",
    task=Task(
        "change_temperature",
        lambda weights, temperature: _over_rows(_raised(weights, 1 / temperature)),
        _TEMPERATURE_PROBES,
    ),
)

EXERCISES = (_VARIANCE, _FIND_SCALE, _HEAD_SCALE, _JACOBIAN, _TEMPERATURE)
