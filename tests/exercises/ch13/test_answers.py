"""Chapter 13: right answers in another style, near misses, likely slips."""

import numpy as np
from exercises.answers import PASSES, UNNAMED, judged

from attn import (
    KeyValueCache,
    attention,
    blockwise_attention,
    causal_mask,
    rotate,
    sliding_window_mask,
    softmax,
)


def _merge_by_logs(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    """Each block's share from the logarithm of its sum, as a softmax over two."""
    p = softmax(np.stack([top_a + np.log(sum_a), top_b + np.log(sum_b)]), axis=0)
    return p[0][:, None] * Y_a + p[1][:, None] * Y_b


def _merge_row_by_row(Y_a, top_a, sum_a, Y_b, top_b, sum_b):
    rows = []
    for i in range(len(Y_a)):
        top = max(top_a[i], top_b[i])
        a, b = sum_a[i] * np.exp(top_a[i] - top), sum_b[i] * np.exp(top_b[i] - top)
        rows.append((a * Y_a[i] + b * Y_b[i]) / (a + b))
    return rows


def _window_by_mask(Q, K, V, window):
    return attention(Q, K, V, mask=sliding_window_mask(len(Q), window))


def _window_by_index(Q, K, V, window):
    """All windows at once, (n, window, d): larger than a loop's, and still no (n, n)."""
    j = np.arange(len(Q))[:, None] - np.arange(window)
    scores = np.einsum("id,iwd->iw", Q, K[np.maximum(j, 0)]) / np.sqrt(Q.shape[1])
    A = softmax(np.where(j >= 0, scores, -np.inf))
    return np.einsum("iw,iwd->id", A, V[np.maximum(j, 0)])


def _window_by_numpy(Q, K, V, window):
    rows = []
    for i, q in enumerate(Q):
        near = [j for j in range(len(K)) if 0 <= i - j < window]
        e = np.exp(K[near] @ q / np.sqrt(len(q)))
        rows.append(e @ V[near] / e.sum())
    return np.array(rows)


def _decode_with_ours(X, W_q, W_k, W_v):
    cache, rows = KeyValueCache(), []
    for t in range(len(X)):
        x, place = X[t : t + 1], [len(cache)]
        rows.append(cache.step(rotate(x @ W_q, place), rotate(x @ W_k, place), x @ W_v)[0])
    return np.array(rows)


def _decode_one_place_later(X, W_q, W_k, W_v):
    """Places from 1: only differences count."""
    K, V, rows = np.empty((0, W_k.shape[1])), np.empty((0, W_v.shape[1])), []
    for t in range(len(X)):
        x = X[t : t + 1]
        K = np.concatenate([K, rotate(x @ W_k, [t + 1])])
        V = np.concatenate([V, x @ W_v])
        rows.append(attention(rotate(x @ W_q, [t + 1]), K, V)[0])
    return np.array(rows)


def _decode_vector_by_vector(X, W_q, W_k, W_v):
    """Rows without an axis of their own, np.dot and einsum, room reserved in advance."""
    K, V = np.zeros((len(X), W_k.shape[1])), np.zeros((len(X), W_v.shape[1]))
    rows = []
    for t, x in enumerate(X):
        K[t], V[t] = rotate(np.dot(x, W_k)[None], [t])[0], np.einsum("i,ij->j", x, W_v)
        q = rotate((x @ W_q)[None], [t])[0]
        rows.append(softmax(K[: t + 1] @ q / np.sqrt(len(q))) @ V[: t + 1])
    return rows


def _decode_with_one_matrix(X, W_q, W_k, W_v):
    """Query, key and value from one product."""
    W, cuts = np.hstack([W_q, W_k, W_v]), np.cumsum([W_q.shape[1], W_k.shape[1]])
    keys, values, rows = [], [], []
    for t in range(len(X)):
        q, k, v = np.split(X[t : t + 1] @ W, cuts, axis=1)
        keys.append(rotate(k, [t]))
        values.append(v)
        rows.append(attention(rotate(q, [t]), np.vstack(keys), np.vstack(values))[0])
    return np.array(rows)


def _decode_in_one_pass(X, W_q, W_k, W_v):
    Q, K = rotate(X @ W_q), rotate(X @ W_k)
    return attention(Q, K, X @ W_v, mask=causal_mask(len(X)))


def _decode_without_a_cache(X, W_q, W_k, W_v):
    rows = []
    for t in range(len(X)):
        q, seen = rotate(X[t : t + 1] @ W_q, [t]), X[: t + 1]
        rows.append(attention(q, rotate(seen @ W_k), seen @ W_v)[0])
    return np.array(rows)


def _one_entry(m):
    return [300.0], [[1.0]] + [[0.0]] * (m - 1)


def _many_entries(m):
    K = np.full((m, 6), 0.5)
    K[0] = 0.6
    return np.full(6, 200.0), K


def _window_in_float32(Q, K, V, window):
    return _window_by_mask(*(x.astype(np.float32) for x in (Q, K, V)), window)


def _window_in_blocks(Q, K, V, window):
    return blockwise_attention(Q, K, V, mask=sliding_window_mask(len(Q), window), block=8)


def _loop_below_zero(Q, K, V, window):
    rows = []
    for i in range(len(Q)):
        seen = slice(i - window + 1, i + 1)
        rows.append(attention(Q[i : i + 1], K[seen], V[seen]))
    return np.concatenate(rows)


def _place_0(X, W_q, W_k, W_v):
    """rotate without positions: a single row always stands at place 0."""
    cache, rows = KeyValueCache(), []
    for x in X[:, None]:
        rows.append(cache.step(rotate(x @ W_q), rotate(x @ W_k), x @ W_v)[0])
    return np.array(rows)


def _turn_what_is_read(X, W_q, W_k, W_v):
    K, rows = np.empty((0, W_k.shape[1])), []
    for t in range(len(X)):
        K = np.concatenate([K, rotate(X[t : t + 1] @ W_k, [t])])
        q = rotate(X[t : t + 1] @ W_q, [t])
        rows.append(attention(q, rotate(K), X[: t + 1] @ W_v)[0])
    return np.array(rows)


test_an_answer = judged(
    {
        "13-decode": {
            PASSES: [_decode_vector_by_vector, _decode_with_one_matrix, _decode_one_place_later],
            UNNAMED: [lambda X, W_q, W_k, W_v: _decode_with_ours(X, W_k, W_q, W_v)],
            "projects-all-at-once": [_decode_in_one_pass],
            "projects-again": [_decode_without_a_cache],
            "leaves-the-cache-to-ours": [_decode_with_ours],
            "every-word-at-place-0": [_place_0],
            "turns-the-cache-again": [_turn_what_is_read],
        },
        "13-longest": {
            PASSES: [
                lambda budget, layers, d_model, heads, shared_by, each: int(
                    budget / (2 * layers * d_model / shared_by * each)
                )
            ],
            UNNAMED: [
                lambda budget, layers, d_model, heads, shared_by, each: budget,
                lambda budget, layers, d_model, heads, shared_by, each: max(
                    1, budget // (2 * layers * d_model // shared_by * each)
                ),
            ],
            "every-head-its-own": [
                lambda budget, layers, d_model, heads, shared_by, each: (
                    budget // (2 * layers * d_model * each)
                )
            ],
        },
        "13-merge": {
            PASSES: [_merge_by_logs, _merge_row_by_row],
            UNNAMED: [lambda Y_a, top_a, sum_a, Y_b, top_b, sum_b: Y_a + Y_b],
        },
        "13-needle": {
            PASSES: [_one_entry, _many_entries],
            UNNAMED: [
                lambda m: (np.ones(3), np.ones((m, 2))),
                lambda m: np.ones((m, 2)),
                lambda m: (np.array([np.inf]), np.ones((m, 1))),
            ],
            "found-by-both": [lambda m: (10 * np.eye(m)[0], 10 * np.eye(m))],
        },
        "13-window": {
            PASSES: [_window_by_index, _window_by_numpy],
            UNNAMED: [lambda Q, K, V, window: 2 * _window_by_mask(Q, K, V, window)],
            "holds-the-table": [_window_by_mask, _window_in_float32, _window_in_blocks],
            "starts-before-the-text": [_loop_below_zero],
        },
    }
)
