"""How annotations speak of arrays. Their shapes stand in the docstrings."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
else:
    ArrayLike = Any  # numpy.typing is for checkers: importing attn does not wait for it
