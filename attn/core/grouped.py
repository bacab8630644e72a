"""Heads in groups: several query heads share one head of keys and values."""

from attn.core.arrays import Array, ArrayLike
from attn.core.dot_product import attention
from attn.core.shapes import check_axes, check_leading, fitting_mask, floats


def grouped_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
) -> Array:
    """Attend in h heads that share g heads of keys and values, h/g query heads to each.

    With g = h this is multi-head attention, with g = 1 multi-query attention. A cache keeps g heads
    instead of h (Ainslie et al., 2023).

    Parameters
    ----------
    Q : (..., h, n, d_k)
    K : (..., g, m, d_k)
        g divides h; query head i uses the keys and values of head i // (h/g).
    V : (..., g, m, d_v)
    scale : float, optional
        What multiplies the scores; 1/sqrt(d_k) if not given.
    mask : (..., n, m) of bool, optional
        True where query i may look at key j, in all heads alike.

    Returns
    -------
    (..., h, n, d_v)

    Raises
    ------
    ValueError
        If shapes do not fit, if g does not divide h, or if the mask hides every key from a query.
    TypeError
        If the mask is not boolean.

    Examples
    --------
    >>> four, two, values = [[[0]]] * 4, [[[0], [0]]] * 2, [[[1], [3]], [[10], [30]]]
    >>> grouped_attention(four, two, values)[:, 0, 0]
    array([ 2.,  2., 20., 20.])
    """
    Q, K, V = floats(Q=Q, K=K, V=V)
    check_axes(least=3, Q=Q, K=K, V=V)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"queries and keys must share d_k: Q is {Q.shape}, K is {K.shape}")
    if K.shape[-3:-1] != V.shape[-3:-1]:
        raise ValueError(f"each key of each head needs one value: K is {K.shape}, V is {V.shape}")
    h, g = Q.shape[-3], K.shape[-3]
    if g == 0 or h % g:
        raise ValueError(
            f"the query heads must be a multiple of the key heads: Q is {Q.shape}, K is {K.shape}"
        )
    Q = Q.reshape(*Q.shape[:-3], g, h // g, *Q.shape[-2:])
    K, V = K[..., None, :, :], V[..., None, :, :]
    *lead, _, _ = check_leading(Q=Q, K=K, V=V)
    if mask is not None:
        mask = fitting_mask(mask, (*lead, Q.shape[-2], K.shape[-2]))[..., None, None, :, :]
    Y = attention(Q, K, V, scale=scale, mask=mask)
    return Y.reshape(*lead, h, *Y.shape[-2:])
