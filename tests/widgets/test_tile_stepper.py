"""Chapter 13's softmax in pieces from Python: its running numbers are those of the whole."""

import numpy as np
import pytest
from traitlets import TraitError

from attn import softmax
from attn.widgets import TileStepper


@pytest.mark.parametrize("block", range(1, 9))
def test_in_the_end_every_block_size_gives_the_ordinary_answer(block):
    figure = TileStepper(step=8, block=block)
    expected = softmax(np.array(figure.scores)) @ figure.values
    assert figure.running[2] == pytest.approx(expected, abs=1e-12)
    assert figure.answer == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("step", range(1, 9))
def test_the_running_numbers_are_those_of_the_scores_that_were_added(step):
    figure = TileStepper(step=step)
    seen, values = np.array(figure.scores[:step]), np.array(figure.values[:step])
    top, total, output = figure.running
    assert top == seen.max()
    assert total == pytest.approx(np.exp(seen - top).sum())
    assert output == pytest.approx(np.exp(seen) @ values / np.exp(seen).sum())


@pytest.mark.parametrize(
    ("step", "block", "added"), [(1, 1, 1), (2, 3, 0), (3, 3, 3), (7, 3, 6), (8, 3, 8), (7, 8, 0)]
)
def test_a_block_is_added_when_it_is_full_or_nothing_is_left(step, block, added):
    figure = TileStepper(step=step, block=block)
    assert figure.added == added
    assert (figure.running is None) == (added == 0)


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"scores": [1.0]}, "scores must have 8 numbers, not 1"),
        ({"scores": [6.0] * 8}, "each of scores must be between -5 and 5, not 6.0"),
        ({"values": [1.0]}, "each score needs one value: 8 scores, 1 values"),
        ({"block": 0}, "block must be between 1 and 8, not 0"),
    ],
)
def test_a_bad_trait_is_named_with_its_rule(traits, says):
    with pytest.raises(TraitError, match=says):
        TileStepper(**traits)
