"""Live figures: one class per figure, each with its own JavaScript."""

from attn.widgets.kit_sampler import KitSampler
from attn.widgets.soft_lookup import SoftLookup

__all__ = ["KitSampler", "SoftLookup"]
