"""The eighth chapter's stack of convolutions, from Python."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

from attn.widgets import ReceptiveField

STACKS = [(1, 3, False, 5), (3, 3, False, 17), (4, 5, False, 30), (3, 3, True, 17), (3, 5, True, 2)]


@pytest.mark.parametrize(("layers", "size", "dilated", "position"), STACKS)
def test_what_is_reached_is_what_a_stack_of_convolutions_reads(layers, size, dilated, position):
    x = torch.zeros(1, 1, 33, requires_grad=True)
    y = x
    for layer in range(layers):
        step = 2**layer if dilated else 1
        edge = step * (size - 1) // 2
        y = torch.conv1d(y, torch.ones(1, 1, size), padding=edge, dilation=step)
    y[0, 0, position - 1].backward()
    figure = ReceptiveField(layers=layers, size=size, dilated=dilated, position=position)
    np.testing.assert_array_equal(figure.reached, x.grad[0, 0].numpy() != 0)


def test_an_even_kernel_is_refused():
    with pytest.raises(TraitError, match="size must be 1, 3, 5, 7 or 9, not 4"):
        ReceptiveField(size=4)
