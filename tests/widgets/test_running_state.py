"""Chapter 9's opening figure from Python: shares that sum to 1, and the state they make."""

import numpy as np
import pytest

from attn.sentence import X
from attn.widgets import RunningState


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.95])
@pytest.mark.parametrize("gate", ["same", "living"])
def test_the_shares_make_the_state_that_a_loop_makes(keep, gate):
    h = np.zeros(8)
    for step, x in enumerate(X, start=1):
        g = keep if gate == "same" or x[4] else 1.0
        h = g * h + (1 - g) * x
        figure = RunningState(step=step, keep=keep, gate=gate)
        assert figure.shares.sum() == pytest.approx(1)
        np.testing.assert_allclose(figure.state, h)


def test_a_gate_that_opens_for_the_cat_alone_keeps_it_to_the_end():
    for step in range(2, 7):
        assert RunningState(step=step, keep=0.0, gate="living").shares[2] == 1
