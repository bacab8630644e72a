"""Chapter 8: answers that were once accepted, or told of a mistake they do not make."""

import numpy as np
import pytest

from attn.exercises import check


def _by(limit):
    """Who is ahead, if |mean gap| must exceed limit(gaps)."""

    def ahead(cnn, attention):
        gaps = attention - cnn
        mean = gaps.mean(axis=1)
        return np.where(np.abs(mean) > limit(gaps), np.sign(mean), 0)

    return ahead


def _sd(gaps):
    return gaps.std(axis=1, ddof=1)


def _n(gaps):
    return gaps.shape[1]


@pytest.mark.parametrize(
    "answer",
    [
        _by(_sd),
        _by(lambda g: 3 * _sd(g) / np.sqrt(_n(g))),
        _by(lambda g: 1.5 * _sd(g) / np.sqrt(_n(g))),
        _by(lambda g: 2 * _sd(g) / np.sqrt(_n(g) - 1)),
        _by(lambda g: 2 * _sd(g) / np.sqrt(len(g))),
        _by(lambda g: 2 * _sd(g) / _n(g)),
        _by(lambda g: 2 * _sd(g) ** 2 / np.sqrt(_n(g))),
        lambda cnn, attention: np.sign(np.sign(attention - cnn).sum(axis=1)),
        lambda cnn, attention: (
            (attention > cnn).all(axis=1) * 1 - (attention < cnn).all(axis=1) * 1
        ),
    ],
    ids=[
        "one standard deviation",
        "three errors",
        "one and a half",
        "root of n - 1",
        "root of the sizes",
        "no root",
        "variance",
        "majority",
        "unanimous",
    ],
)
def test_another_rule_is_rejected_and_not_taken_for_a_known_one(answer):
    verdict = check("08-curve", answer)
    assert verdict.passed is False
    assert verdict.mistake is None, verdict.message


@pytest.mark.parametrize(
    "answer",
    [
        lambda kernel, n: [
            [
                kernel[j - i + len(kernel) // 2] if abs(j - i) <= len(kernel) // 2 else 0.0
                for j in range(n)
            ]
            for i in range(n)
        ],
        lambda kernel, n: np.array(
            [
                [
                    sum(w * (j - i == c - len(kernel) // 2) for c, w in enumerate(kernel))
                    for j in range(n)
                ]
                for i in range(n)
            ]
        ),
    ],
    ids=["a list of lists", "a sum of tests"],
)
def test_any_way_to_the_band_passes(answer):
    assert check("08-band", answer).passed is True


def test_positions_that_are_read_are_not_the_span():
    def literal(sizes, steps):
        heard = {0}
        for size, step in zip(sizes, steps, strict=True):
            heard = {at + step * (c - size // 2) for at in heard for c in range(size)}
        return len(heard)

    assert check("08-receptive-field", literal).passed is False
