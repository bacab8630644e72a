"""Shares of attention, and what a mask may be, in torch."""

import math

import torch
from torch import Tensor


def attention_weights(
    Q: Tensor, K: Tensor, *, hidden: Tensor | None = None, bias: Tensor | None = None
) -> Tensor:
    """Return softmax(Q Kᵀ / sqrt(d_k) + bias), with 0 where hidden."""
    scores = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
    if bias is not None:
        scores = scores + bias
    if hidden is not None:
        if (blind := hidden.all(dim=-1)).any():
            raise ValueError(
                "each query must see at least one key: mask and bias together hide every key "
                f"from query {_first_in_words(blind)}"
            )
        scores = scores.masked_fill(hidden, -torch.inf)
    return torch.softmax(scores, dim=-1)


def blend(A: Tensor, V: Tensor, hidden: Tensor | None = None) -> Tensor:
    """Return A @ V, leaving out the values that are hidden even if they are NaN or infinite."""
    if hidden is None or (finite := V.isfinite()).all():
        return A @ V
    strange, hidden = V.masked_fill(finite, 0), hidden.expand(A.shape)
    Y = A @ V.masked_fill(~finite, 0)
    for j in (~finite).nonzero()[:, -2].unique().tolist():
        seen = strange[..., None, j, :].masked_fill(hidden[..., :, j, None], 0)
        Y = Y + A[..., :, j, None] * seen
    return Y


def hidden_keys(mask: Tensor | None, bias: Tensor | None) -> Tensor | None:
    """Return where a mask or a bias of -inf hides a key, (..., n, m); None without either."""
    if bias is None:
        return None if mask is None else ~mask
    if bias.dtype == torch.bool:
        raise TypeError("a bias is added to the scores, got dtype torch.bool: give a mask as mask=")
    blocked = bias.isneginf()
    return blocked if mask is None else blocked | ~mask


def check_mask(mask: Tensor, n: int, m: int) -> None:
    """Require a boolean mask that ends in (n, m) or broadcasts to it, and hides no row whole."""
    if mask.dtype != torch.bool:
        raise TypeError(f"a mask must be boolean (True = may look), got dtype {mask.dtype}")
    shape = tuple(mask.shape)
    if mask.ndim < 2 or shape[-2] not in (1, n) or shape[-1] not in (1, m):
        raise ValueError(f"mask must be (..., n, m) = (..., {n}, {m}): mask is {shape}")
    blind = ~mask.any(dim=-1)
    if blind.any():
        raise ValueError(
            f"each query must see at least one key: the mask, shape {shape}, "
            f"hides every key from query {_first_in_words(blind)}"
        )


def _first_in_words(found):
    *lead, i = found.nonzero()[0].tolist()
    return f"{i} at leading index {tuple(lead)}" if lead else f"{i}"


def causal_mask(n: int, m: int, device: torch.device | None = None) -> Tensor:
    """Return True where j <= i + (m - n): query i may look at key j."""
    return torch.ones(n, m, dtype=torch.bool, device=device).tril(m - n)
