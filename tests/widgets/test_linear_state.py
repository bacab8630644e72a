"""Chapter 9's second figure from Python: the state gives what all words at once give."""

import numpy as np
import pytest

from attn.widgets import LinearState


@pytest.mark.parametrize("step", range(1, 7))
@pytest.mark.parametrize("d_k", [1, 3])
def test_the_state_gives_what_all_words_at_once_give(step, d_k):
    figure = LinearState(step=step, d_k=d_k)
    assert figure.state.shape == (d_k, 3)
    np.testing.assert_allclose(*figure.outputs, rtol=1e-12)
