"""Chapter 13's bytes from Python: equal to those of arrays of these shapes."""

import numpy as np
import pytest
from traitlets import TraitError

from attn.widgets import MemoryBill
from attn.widgets.memory_bill import NUMBERS, SHARING


@pytest.mark.parametrize(("share", "shared_by"), [("1", 1), ("2", 2), ("all", 8)])
def test_the_bytes_are_those_of_arrays_of_these_shapes(share, shared_by):
    n, d, h, layers = 64, 256, 8, 2
    kv, d_head = h // shared_by, d // h
    figure = MemoryBill(n=n, d=d, heads=h, layers=layers, number="2", share=share)

    def held(*shape):
        return np.empty(shape, np.float16).nbytes

    assert figure.bytes == {
        "Q, K, V and Y": 2 * held(h, n, d_head) + 2 * held(kv, n, d_head),
        "table of weights": held(h, n, n),
        "rows at a time": held(64, n),
        "key–value cache": held(layers, 2, kv, n, d_head),
        "projections": held(layers, 2, d, d) + held(layers, 2, d, kv * d_head),
    }


@pytest.mark.parametrize("heads", [8, 16, 128])
def test_with_a_key_for_each_head_the_table_catches_up_at_four_times_the_head_s_size(heads):
    figure = MemoryBill(d=8192, heads=heads)
    assert figure.crossing == 4 * 8192 / heads
    figure.n = int(figure.crossing)
    assert figure.bytes["table of weights"] == figure.bytes["Q, K, V and Y"]


def test_every_choice_gives_whole_bytes():
    for number in NUMBERS:
        for share in SHARING:
            figure = MemoryBill(d=256, heads=128, number=number, share=share)
            assert all(isinstance(x, int) and x > 0 for x in figure.bytes.values())


def test_a_length_that_is_no_power_of_two_is_refused():
    with pytest.raises(TraitError, match="n must be a power of 2, 64 to 131072, not 100"):
        MemoryBill(n=100)
