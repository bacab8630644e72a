"""Write word by word with a cache and rotary positions, and get the rows of one full pass."""

import numpy as np

from attn import KeyValueCache, attention, causal_mask, rotate
from attn.exercises.checking import Cost, Exercise, Mistake, Probe, Task, watch_call
from attn.exercises.families import forgets_the_scale


def _probe(label, *, n, d, d_k, d_v, seed):
    W = {"W_q": (d, d_k), "W_k": (d, d_k), "W_v": (d, d_v)}
    return Probe.random(label, seed, digits=1, X=(n, d), **W)


PROBES = (
    _probe("one word", n=1, d=3, d_k=2, d_v=4, seed=131).advise(
        "The first word sees itself alone: its output is x @ W_v."
    ),
    _probe("three words", n=3, d=5, d_k=4, d_v=2, seed=132).advise(
        "Word t is turned by position t, and sees words 0 to t."
    ),
    _probe("six words", n=6, d=3, d_k=2, d_v=4, seed=133).advise(
        "A key is turned once, when it enters the cache, and then stays as it is."
    ),
    _probe("nine words", n=9, d=4, d_k=6, d_v=2, seed=134).advise(
        "Compare with rotate(X @ W_q), rotate(X @ W_k), X @ W_v and a causal mask."
    ),
)


class _Counting(np.ndarray):
    """A matrix that notes how many rows each product with it projects."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        plain = [x.view(np.ndarray) if isinstance(x, _Counting) else x for x in inputs]
        if ufunc is np.matmul and inputs[1] is self and hasattr(self, "projected"):
            left = np.shape(inputs[0])
            self.projected.append(left[-2] if len(left) > 1 else 1)
        return getattr(ufunc, method)(*plain, **options)


def _projected(answer):
    """How many rows each product projects, for each of the three matrices."""
    X, *matrices = PROBES[-1].arguments.values()
    counting = [W.view(_Counting) for W in matrices]
    for W in counting:
        W.projected = []
    answer(X.copy(), *counting)
    return [W.projected for W in counting]


def _full(Q, K, V):
    return attention(Q, K, V, mask=causal_mask(len(Q)))


def _decode(X, W_q, W_k, W_v):
    keys, values, rows = [], [], []
    for t in range(len(X)):
        x = X[t : t + 1]
        keys.append(rotate(x @ W_k, [t])[0])
        values.append((x @ W_v)[0])
        rows.append(attention(rotate(x @ W_q, [t]), np.array(keys), np.array(values))[0])
    return np.array(rows)


def _turn_again(X, W_q, W_k, W_v):
    """Keys enter the cache turned, and the whole cache is turned again whenever it is read."""
    return _full(rotate(X @ W_q), rotate(rotate(X @ W_k)), X @ W_v)


def _turn_the_stored_cache(X, W_q, W_k, W_v):
    """Each step turns all that the cache holds and puts it back."""
    K, rows = np.empty((0, W_k.shape[1])), []
    for t in range(len(X)):
        K = rotate(np.concatenate([K, X[t : t + 1] @ W_k]))
        q = rotate(X[t : t + 1] @ W_q, [t])
        rows.append(attention(q, K, X[: t + 1] @ W_v)[0])
    return np.array(rows)


def _ask_first(X, W_q, W_k, W_v):
    """Each word looks before its own key and value are there; the first finds an empty cache."""
    Q, K, V = rotate(X @ W_q), rotate(X @ W_k), X @ W_v
    rows = [attention(Q[t : t + 1], K[:t], V[:t])[0] for t in range(len(X))]
    return np.array(rows)


def _ask_first_or_zero(X, W_q, W_k, W_v):
    Q, K, V = rotate(X @ W_q), rotate(X @ W_k), X @ W_v
    rows = [attention(Q[t : t + 1], K[:t], V[:t])[0] for t in range(1, len(X))]
    return np.array([0 * V[0], *rows])


MISTAKES = (
    Mistake(
        "every-word-at-place-0",
        "You turn each new query and key as if it stood at position 0, so no word knows how far "
        "back another is.",
        lambda X, W_q, W_k, W_v: _full(X @ W_q, X @ W_k, X @ W_v),
        hint="Pass positions=[t]: the new word's position is the number of words before it.",
    ),
    Mistake(
        "turns-the-cache-again",
        "You turn keys that were turned when they entered the cache.",
        _turn_again,
        variants=(_turn_the_stored_cache,),
        hint="Turn a key once, by its own position, then store it.",
    ),
    Mistake(
        "turns-the-queries-only",
        "You turn the queries and leave the keys as they are.",
        lambda X, W_q, W_k, W_v: _full(rotate(X @ W_q), X @ W_k, X @ W_v),
        hint="Both are turned, each by its own position.",
    ),
    Mistake(
        "turns-the-keys-only",
        "You turn the keys and leave the queries as they are.",
        lambda X, W_q, W_k, W_v: _full(X @ W_q, rotate(X @ W_k), X @ W_v),
        hint="Both are turned, each by its own position.",
    ),
    Mistake(
        "turns-the-values",
        "You turn the values as well, so the outputs are turned with them.",
        lambda X, W_q, W_k, W_v: _full(rotate(X @ W_q), rotate(X @ W_k), rotate(X @ W_v)),
        hint="Positions belong in the scores: queries and keys alone.",
    ),
    Mistake(
        "asks-before-it-stores",
        "Each word looks into the cache before its own key and value are in it.",
        _ask_first,
        variants=(_ask_first_or_zero,),
        hint="Store first, then ask: a word sees itself too.",
    ),
    Mistake(
        "keeps-the-last-word-only",
        "Your cache holds one word: each new one replaces it, and sees itself alone.",
        lambda X, W_q, W_k, W_v: X @ W_v,
        hint="Append to what is there; attention must see words 0 to t.",
    ),
    Mistake(
        "sees-the-future",
        "You let every word see all words, even those that have not been written yet.",
        lambda X, W_q, W_k, W_v: attention(rotate(X @ W_q), rotate(X @ W_k), X @ W_v),
        hint="At step t the cache holds words 0 to t and no others.",
    ),
    forgets_the_scale(
        lambda X, W_q, W_k, W_v: _decode(X, W_q * np.sqrt(W_q.shape[1]), W_k, W_v),
        hint="Divide by np.sqrt(d_k), or let attn.attention do it.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Write with a cache",
    difficulty=3,
    minutes=12,
    hints=(
        "At step t, make one query, one key and one value from X[t:t + 1], each of one row.",
        "rotate(row, positions=[t]) turns it by position t. Append the turned key, and the value.",
        "Then call attn.attention(query, K, V) on all that is stored: no mask is needed.",
    ),
    mistakes=MISTAKES,
    section="sec-13-cache",
    passed=(
        "Writing with a cache gives the rows that one causal pass gives, and each step projects "
        "one word. Compare with attn.KeyValueCache, which leaves the turning to you."
    ),
    task=Task(
        "decode",
        _decode,
        PROBES,
        costs=(
            Cost(
                "projects-again",
                "you project words again that were projected before. Their keys and values have "
                "not changed.",
                lambda answer: max(map(sum, _projected(answer))),
                most=len(PROBES[-1].arguments["X"]),
                hint="Append each key and each value to a list, and keep it from step to step.",
            ),
            Cost(
                "projects-all-at-once",
                "you project several words in one product: when a model writes, the later ones are "
                "not there yet.",
                lambda answer: max(max(rows, default=0) for rows in _projected(answer)),
                most=1,
                hint="At step t, project X[t:t + 1] alone, and take the rest from the cache.",
            ),
            Cost(
                "leaves-the-cache-to-ours",
                "attn.KeyValueCache keeps the keys and values for you. The task is to keep them "
                "yourself.",
                lambda answer: KeyValueCache.step.__code__ in watch_call(answer, PROBES[1])[1],
                most=0,
                hint="Two lists will do, one of keys and one of values.",
            ),
        ),
    ),
)
