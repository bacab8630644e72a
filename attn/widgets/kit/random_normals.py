"""Random numbers that Python and a page draw alike: arithmetic.js has the same generators."""

import numpy as np


def normals(count, seed):
    """`count` numbers of mean 0 and variance 1: mulberry32, then Box and Muller's transform.

    >>> normals(3, 4).round(3)
    array([-1.131,  1.966,  0.616])
    """
    pairs = uniforms(count + count % 2, seed).reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(1 - pairs[:, 0])), 2 * np.pi * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:count]


def uniforms(count, seed, skip=0):
    """`count` numbers in [0, 1), after the first `skip`: 32-bit states that grow by a constant.

    >>> uniforms(2, 4, skip=1) == uniforms(3, 4)[1:]
    array([ True,  True])
    """
    counted = np.arange(skip + 1, skip + count + 1).astype(np.uint32)
    state = counted * np.uint32(0x6D2B79F5) + np.uint32(seed)
    t = (state ^ (state >> 15)) * (state | 1)
    t ^= t + (t ^ (t >> 7)) * (t | 61)
    return (t ^ (t >> 14)) / 2.0**32
