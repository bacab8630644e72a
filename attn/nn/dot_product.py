"""Shares of attention, and what a mask may be, in torch."""

import math

import torch


def attention_weights(Q, K, *, mask=None, bias=None):
    """Return softmax(Q Kᵀ / sqrt(d_k) + bias), with 0 where the mask is False."""
    scores = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1)


def check_mask(mask, n, m):
    """Require a boolean mask that ends in (n, m) or broadcasts to it, and hides no row whole."""
    if mask.dtype != torch.bool:
        raise TypeError(f"a mask must be boolean (True = may look), got dtype {mask.dtype}")
    shape = tuple(mask.shape)
    if mask.ndim < 2 or shape[-2] not in (1, n) or shape[-1] not in (1, m):
        raise ValueError(f"mask must be (..., n, m) = (..., {n}, {m}): mask is {shape}")
    blind = ~mask.any(dim=-1)
    if blind.any():
        *lead, i = blind.nonzero()[0].tolist()
        where = f" at leading index {tuple(lead)}" if lead else ""
        raise ValueError(
            f"each query must see at least one key: the mask, shape {shape}, "
            f"hides every key from query {i}{where}"
        )


def causal_mask(n, m, device=None):
    """Return True where j <= i + (m - n): query i may look at key j."""
    return torch.ones(n, m, dtype=torch.bool, device=device).tril(m - n)
