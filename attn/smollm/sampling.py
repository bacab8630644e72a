"""Choosing the next token: temperature, the few most likely, and chance."""

import numpy as np

from attn.core import softmax
from attn.core.arrays import Array, ArrayLike


def probabilities(
    logits: ArrayLike,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Array:
    """What each token's chance is, once scores are divided by the temperature and cut.

    Parameters
    ----------
    logits : (v,)
    temperature : float, default 1.0
        Below 1 the likely ones gain, above 1 they lose; 0 leaves the likeliest alone.
    top_k : int, optional
        Only so many of the likeliest.
    top_p : float, optional
        Only the likeliest that together reach this share: nucleus sampling (Holtzman et al., 2020).

    Returns
    -------
    (v,)
        Of the tokens that are left, in float64, summing to 1; 0 for all others.

    Examples
    --------
    >>> probabilities(np.log([0.5, 0.3, 0.2]), top_p=0.6).round(3)
    array([0.625, 0.375, 0.   ])
    """
    check_settings(temperature, top_k, top_p)
    logits = np.asarray(logits, np.float64)
    if temperature == 0:
        return np.eye(1, len(logits), int(logits.argmax()))[0]
    p = softmax(logits / temperature)
    kept = np.ones(len(p), bool)
    order = np.argsort(-p, kind="stable")
    if top_k is not None:
        kept[order[top_k:]] = False
    if top_p is not None:
        before = np.cumsum(p[order]) - p[order]  # the share of those that are likelier
        kept[order[before >= top_p]] = False
    return np.where(kept, p, 0) / p[kept].sum()


def choose(p: Array, rng: np.random.Generator) -> int:
    """Draw one token by its chance."""
    at = int(np.searchsorted(np.cumsum(p), rng.random() * p.sum(), side="right"))
    return min(at, int(np.flatnonzero(p)[-1]))


def check_settings(temperature: float, top_k: int | None, top_p: float | None) -> None:
    """Refuse settings by name, with the rule and what was received."""
    if not _is_number(temperature) or not 0 <= temperature < np.inf:
        raise ValueError(
            f"temperature must be a number, at least 0 and finite: got {temperature!r}"
        )
    if top_k is not None and (isinstance(top_k, bool) or int(top_k) != top_k or top_k < 1):
        raise ValueError(f"top_k must be a whole number of at least 1, or None: got {top_k!r}")
    if top_p is not None and (not _is_number(top_p) or not 0 < top_p <= 1):
        raise ValueError(f"top_p must be above 0 and at most 1, or None: got {top_p!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
