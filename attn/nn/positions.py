"""Sinusoids, rotations and distances, in torch."""

from collections.abc import Sequence

import torch
from torch import Tensor


def sinusoidal_positions(n: int, d_model: int, *, base: float = 10000.0) -> Tensor:
    """Return sin(p w_i) at entry 2i and cos(p w_i) at entry 2i + 1, (n, d_model), in float64."""
    angles = torch.arange(n)[:, None] * _speeds(d_model, base)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(n, d_model)


def rotate(
    X: Tensor, *, base: float = 10000.0, speeds: Sequence[float] | Tensor | None = None
) -> Tensor:
    """Turn the pairs (2i, 2i + 1) of X (..., n, d) by each row's index times the pair's speed.

    `speeds` (d / 2,) says how far each pair turns a row; by the base if not given.
    """
    n, d = X.shape[-2:]
    if speeds is None:
        speeds = _speeds(d, base)
    angles = (torch.arange(n)[:, None] * torch.as_tensor(speeds, dtype=torch.float64)).to(X.device)
    cos, sin = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
    x0, x1 = X[..., 0::2], X[..., 1::2]
    return torch.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], dim=-1).reshape(X.shape)


def alibi_bias(n: int, heads: int) -> Tensor:
    """Return -slope * abs(i - j), (heads, n, n), in float64."""
    places = torch.arange(n)
    distance = (places[:, None] - places).abs()
    return -torch.tensor(_slopes(heads), dtype=torch.float64)[:, None, None] * distance


def _slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    slopes = [2.0 ** (-8 * (k + 1) / below) for k in range(below)]
    if below < heads:
        slopes += _slopes(2 * below)[0::2][: heads - below]
    return slopes


def _speeds(d, base):
    if d % 2:
        raise ValueError(f"entries turn in pairs, so their number must be even: got {d}")
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
