"""Attention, written to be read.

``import attn`` needs NumPy only. torch modules are in ``attn.nn``, live figures in
``attn.widgets``, matplotlib figures in ``attn.plot``, and checks for the exercises in
``attn.exercises``.
"""

from attn.core import *  # noqa: F403
from attn.core import __all__ as __all__  # the one list of public names

__version__ = "1.0.0"
