"""Chapter 8: answers that were once accepted, or told of a mistake they do not make."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged


def _by(limit):
    """Who is ahead, if |mean gap| must exceed limit(gaps, standard deviation, number)."""

    def ahead(cnn, attention):
        gaps = attention - cnn
        mean = gaps.mean(axis=1)
        least = limit(gaps, gaps.std(axis=1, ddof=1), gaps.shape[1])
        return np.where(np.abs(mean) > least, np.sign(mean), 0)

    return ahead


def _band_by_lists(kernel, n):
    half = len(kernel) // 2
    return [
        [kernel[j - i + half] if abs(j - i) <= half else 0.0 for j in range(n)] for i in range(n)
    ]


def _band_by_tests(kernel, n):
    half = len(kernel) // 2
    return np.array(
        [
            [sum(w * (j - i == c - half) for c, w in enumerate(kernel)) for j in range(n)]
            for i in range(n)
        ]
    )


def _positions_that_are_read(sizes, steps):
    heard = {0}
    for size, step in zip(sizes, steps, strict=True):
        heard = {at + step * (c - size // 2) for at in heard for c in range(size)}
    return len(heard)


test_an_answer = judged(
    {
        "08-band": {PASSES: [_band_by_lists, _band_by_tests]},
        "08-receptive-field": {UNNAMED: [_positions_that_are_read]},
        "08-curve": {
            UNNAMED: [
                _by(lambda gaps, sd, n: sd),
                _by(lambda gaps, sd, n: 3 * sd / np.sqrt(n)),
                _by(lambda gaps, sd, n: 1.5 * sd / np.sqrt(n)),
                _by(lambda gaps, sd, n: 2 * sd / np.sqrt(n - 1)),
                _by(lambda gaps, sd, n: 2 * sd / np.sqrt(len(gaps))),
                _by(lambda gaps, sd, n: 2 * sd / n),
                _by(lambda gaps, sd, n: 2 * sd**2 / np.sqrt(n)),
                lambda cnn, attention: np.sign(np.sign(attention - cnn).sum(axis=1)),
                lambda cnn, attention: (
                    (attention > cnn).all(axis=1) * 1 - (attention < cnn).all(axis=1) * 1
                ),
            ],
        },
    }
)
