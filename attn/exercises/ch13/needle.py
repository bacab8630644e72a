"""A query and keys that softmax attention tells apart and linear attention does not."""

import numpy as np

from attn import softmax
from attn.exercises.checking import Exercise, Mistake, Outcome, Probe, Task, numbers

_MOST_ENTRIES = 1_000_000
_NO_PAIR = Outcome("unreadable", problem="something else than a query and keys: return q, K")


def _features(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def found_by_both(result):
    """Read (q, K) as four rows: how many keys, and what the two kinds of attention make of them."""
    if type(result) not in (tuple, list) or len(result) != 2:
        read = numbers(result)
        return read if read.kind != "returned" else _NO_PAIR
    parts = [numbers(part) for part in result]
    if any(part.kind != "returned" for part in parts):
        return next(part for part in parts if part.kind != "returned")
    q, K = (part.value.astype(np.float64) for part in parts)
    if q.ndim != 1 or K.ndim != 2 or K.shape[1] != q.size or not K.size:
        words = f"arrays of shapes {q.shape} and {K.shape}: q must be (d_k,), K (m, d_k)"
        return Outcome("unreadable", problem=words)
    if K.size > _MOST_ENTRIES:
        return Outcome("unreadable", problem=f"keys of shape {K.shape}: far fewer entries will do")
    if not (np.isfinite(q).all() and np.isfinite(K).all()):
        return Outcome("unreadable", problem="numbers that are nan or inf: use finite ones")
    p = softmax(K @ q / np.sqrt(q.size))
    raw = _features(K) @ _features(q)
    linear = raw[0] / raw.sum() if raw.sum() > 0 else 1.0
    best = -1 if np.isclose(p, p.max(), rtol=1e-9, atol=0).sum() > 1 else p.argmax()
    rows = len(K), best, p[0] >= 0.99, linear <= 2 / len(K)
    return Outcome("returned", value=np.array(rows, dtype=int)[:, None])


PROBES = (
    Probe.of("8 keys", m=8).advise(
        "The softmax sees differences of scores, linear attention sees ratios of φ(q) · φ(k). "
        "Which keys differ a lot in one and little in the other?"
    ),
    Probe.of("32 keys", m=32).advise("Key 0 needs 0.99 against 31 others: a larger query helps."),
    Probe.of("200 keys", m=200).advise(
        "The same keys, only more of them: is the query still large enough?"
    ),
)


def _needle(size=100.0, needle=1.0, others=0.0, at=0):
    def answer(m):
        q, K = np.array([size, 0.0]), np.zeros((m, 2))
        K[:, 0] = others
        K[at, 0] = needle
        return q, K

    return answer


def _one_hot(size):
    return lambda m: (size * np.eye(m)[0], size * np.eye(m))


MISTAKES = (
    Mistake(
        "too-soft",
        "Key 0 scores highest, but softmax attention gives it less than 0.99.",
        _needle(size=1.0),
        variants=(_needle(size=4.0), _needle(size=7.0), _one_hot(1), _one_hot(2), _one_hot(3)),
        hint="A larger query multiplies every difference of scores. Linear attention hardly cares.",
    ),
    Mistake(
        "found-by-both",
        "Linear attention finds key 0 as well: it gives it more than 2/m.",
        _needle(others=-100.0),
        variants=(
            *(_needle(needle=size) for size in (5.0, 1000.0)),
            _needle(others=-1.0),
            *map(_one_hot, (5, 10, 20, 100)),
        ),
        hint=(
            "Far below 0, φ is nearly 0, and a large key has a large φ. Keep all keys small and "
            "not negative, and let the query be large."
        ),
    ),
    Mistake(
        "all-keys-alike",
        "Softmax attention gives all keys the same weight: it has no preference either.",
        _needle(needle=0.0),
        variants=(lambda m: (np.ones(2), np.ones((m, 2))), lambda m: (np.zeros(2), np.eye(m, 2))),
        hint="Key 0 must score higher than the others.",
    ),
    Mistake(
        "another-key",
        "The last key wins, but key 0 should.",
        _needle(at=-1),
        hint="Put the special key first.",
    ),
    Mistake(
        "one-key-too-many",
        "You return m + 1 keys: the m others, and one to be found.",
        lambda m: _needle()(m + 1),
        hint="m keys in all.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A needle that linear attention misses",
    difficulty=2,
    minutes=10,
    hints=(
        "Two entries are enough. Let all keys but the first be zeros: φ(0) = 1.",
        "If key 0 is (1, 0), then φ gives (2, 1): at most about twice the others, whatever q is.",
        "Softmax weighs by exp of the score. A query of (100, 0) is large enough for 200 keys.",
    ),
    mistakes=MISTAKES,
    section="sec-13-linear",
    passed=(
        "The softmax turns a difference of scores into any ratio you like; φ(q) · φ(k) is as "
        "sharp as the keys themselves and no sharper. Watch it with attn.linear_attention: "
        "multiply q by 10 and nothing much happens."
    ),
    task=Task(
        "needle",
        _needle(),
        PROBES,
        read=found_by_both,
        coarse=True,
        row_names=(
            "keys",
            "key that softmax prefers (-1: none)",
            "softmax gives key 0 at least 0.99 (1: yes)",
            "linear attention gives it at most 2/m (1: yes)",
        ),
    ),
)
