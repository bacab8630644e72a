"""A listed mistake is named on the first attempt that makes it, whatever else is wrong later."""

import numpy as np

from attn import softmax
from attn.exercises import check


def test_a_mistake_is_named_although_a_later_probe_would_fail_in_another_way():
    """All rows share 1, and large scores are cut off: no listed mistake does that."""

    def softmax_of_all(x):
        e = np.exp(np.minimum(x, 500))
        return e / e.sum()

    assert check("01-softmax", softmax_of_all).mistake == "one-sum-for-the-whole-array"


def test_a_first_attempt_for_one_kind_of_values_is_named():
    def soft_lookup(query, keys, values, *, beta=1.0):
        return softmax(keys @ query) * values if values.ndim == 1 else None

    assert check("01-soft-lookup", soft_lookup).mistake == "forgets-to-add-up"


def test_where_two_mistakes_fit_the_first_failure_the_other_probes_decide():
    last = check("08-receptive-field", lambda sizes, steps: 1 + sum((sizes - 1)[-1:] * steps[-1:]))
    widest = check(
        "08-receptive-field", lambda sizes, steps: 1 + max((sizes - 1) * steps, default=0)
    )
    assert (last.mistake, widest.mistake) == ("counts-one-layer", "takes-the-widest-layer")


def test_where_two_fit_and_neither_explains_the_rest_none_is_named():
    verdict = check("08-receptive-field", lambda sizes, steps: 2)
    assert verdict.passed is False
    assert verdict.mistake is None


def test_one_true_or_false_names_nothing_by_itself():
    first_row = check("02-equivariance", lambda Y, S, order: bool(np.allclose(S[0], Y[order[0]])))
    assert first_row.passed is False
    assert first_row.mistake is None
