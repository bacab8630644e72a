"""What a right answer spends: measured, and never in the reader's way."""

import tracemalloc

import numpy as np
import pytest

import attn
from attn.exercises import check
from attn.exercises.checking import Cost, Probe, peak_bytes

PROBE = Probe.of("a row", x=[1.0, 2.0])


def cost(measure):
    return Cost("too-much", "it is too much.", measure, most=3, hint="Less.")


def fail(error):
    def measure(answer):
        raise error

    return measure


@pytest.mark.parametrize(("spent", "exceeded"), [(3, False), (4, True), (float("nan"), False)])
def test_a_limit_may_be_reached_and_not_passed(spent, exceeded):
    assert cost(lambda answer: spent).is_exceeded_by(abs) is exceeded


def test_what_cannot_be_measured_does_not_count():
    assert cost(fail(SystemExit())).is_exceeded_by(abs) is False


def test_stop_goes_through():
    with pytest.raises(KeyboardInterrupt):
        cost(fail(KeyboardInterrupt())).is_exceeded_by(abs)


@pytest.mark.parametrize("tracing", [False, True])
def test_the_peak_counts_what_is_freed_again_and_not_what_was_there(tracing):
    def answer(x):
        x[:] = 0
        np.ones(100_000)
        return x

    if tracing:
        tracemalloc.start()
    try:
        held = np.ones(200_000)
        np.ones(1_000_000)  # a peak before the call
        assert 800_000 <= peak_bytes(answer, PROBE) < 900_000
        assert tracemalloc.is_tracing() is tracing
        assert held.size
    finally:
        tracemalloc.stop()
    np.testing.assert_array_equal(PROBE.arguments["x"], [1, 2])


def test_a_right_answer_that_spends_too_much_is_told_that_its_result_is_right():
    def windowed(Q, K, V, window):
        return attn.attention(Q, K, V, mask=attn.sliding_window_mask(len(Q), window))

    verdict = check("13-window", windowed)
    assert verdict.mistake == "holds-the-table"
    assert verdict.message.startswith("The result is right, but ")
    assert verdict.hint
