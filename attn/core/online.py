"""A softmax read in pieces: a running maximum, and a running sum that is corrected."""

import numpy as np

from attn.core.arrays import Array, ArrayLike
from attn.core.shapes import check_shape, floats, whole_number


def online_softmax(scores: ArrayLike, block: int) -> tuple[Array, list[tuple[float, float]]]:
    """Compute one softmax while seeing only a block of the scores at a time.

    Parameters
    ----------
    scores : (m,)
    block : int
        How many scores are read at once; the last block may be shorter.

    Returns
    -------
    weights : (m,)
        softmax(scores).
    steps : list of (running_max, running_sum)
        After each block, the largest score so far and the sum of exp(score - running_max) so far.
        When the maximum rises by r, the old sum is multiplied by exp(-r).

    Raises
    ------
    ValueError
        If scores is not one row, if block is below 1, or if no score is above -inf.

    Examples
    --------
    >>> weights, steps = online_softmax([0.0, 0.0, np.log(2.0)], block=2)
    >>> weights
    array([0.25, 0.25, 0.5 ])
    >>> [(round(top, 3), total) for top, total in steps]
    [(0.0, 2.0), (0.693, 2.0)]
    """
    [scores] = floats(scores=scores)
    check_shape("scores", scores, ("m",))
    block = whole_number("block", block, least=1)
    top, total, steps = -np.inf, 0.0, []
    for start in range(0, scores.size, block):
        part = scores[start : start + block]
        new_top = np.maximum(top, part.max())
        if new_top > -np.inf or np.isnan(new_top):
            total = total * np.exp(top - new_top) + np.exp(part - new_top).sum()
        top = new_top
        steps.append((float(top), float(total)))
    if np.isneginf(top):
        raise ValueError(f"online_softmax needs a score above -inf: got {scores.size} without one")
    return np.exp(scores - top) / total, steps
