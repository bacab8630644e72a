"""Chapter 9's second figure from Python: the state gives what all words at once give."""

import numpy as np
import pytest
from traitlets import TraitError

from attn.widgets import LinearState


@pytest.mark.parametrize("step", range(1, 7))
@pytest.mark.parametrize("d_k", [1, 3])
def test_the_state_gives_what_all_words_at_once_give(step, d_k):
    figure = LinearState(step=step, d_k=d_k)
    assert figure.state.shape == (d_k, 3)
    np.testing.assert_allclose(*figure.outputs, rtol=1e-12)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"step": 7}, "step must be between 1 and 6, not 7"),
        ({"d_k": 0}, "d_k must be between 1 and 4, not 0"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        LinearState(**traits)
