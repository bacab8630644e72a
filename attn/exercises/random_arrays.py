"""Arrays for probes: drawn at random, and round enough to be read and retyped."""

import numpy as np


def random_arrays(seed, shapes, *, digits=2):
    """Normal arrays by name, drawn in the order of `shapes`."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape).round(digits) for name, shape in shapes.items()}
