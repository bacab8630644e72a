"""Causal attention through a window, one score for each pair that is seen and no other."""

import numpy as np

from attn import attention, causal_mask, softmax
from attn.exercises.checking import Cost, Exercise, Mistake, Probe, Task, peak_bytes
from attn.exercises.families import forgets_the_scale


def _probe(label, *, n, window, d_k, d_v, seed):
    QKV = {"Q": (n, d_k), "K": (n, d_k), "V": (n, d_v)}
    return Probe.random(label, seed, digits=1, spread=1.5, **QKV, window=window)


PROBES = (
    _probe("six words, a window of 3", n=6, window=3, d_k=4, d_v=2, seed=131).advise(
        "Word 5 sees words 3, 4 and 5; word 0 sees itself alone."
    ),
    _probe("seven words, a window of 2", n=7, window=2, d_k=3, d_v=5, seed=132).advise(
        "Each word sees the one before it and itself."
    ),
    _probe("a window of 1", n=4, window=1, d_k=2, d_v=3, seed=133).advise(
        "Each word sees itself alone, with a weight of 1: the answer is V."
    ),
    _probe("a window wider than the text", n=4, window=9, d_k=5, d_v=2, seed=134).advise(
        "Then the window hides nothing: the answer is ordinary causal attention."
    ),
)

_LONG = _probe("300 words", n=300, window=3, d_k=5, d_v=2, seed=135)


def _over(first, last):
    """Row by row, attention over the keys from first(i, window) to last(i, window), n at most."""

    def windowed(Q, K, V, window):
        rows = []
        for i in range(len(Q)):
            seen = slice(first(i, window), min(len(K), last(i, window)))
            rows.append(attention(Q[i : i + 1], K[seen], V[seen])[0])
        return np.array(rows)

    return windowed


_windowed = _over(lambda i, w: max(0, i - w + 1), lambda i, w: i + 1)


def _negative_start(Q, K, V, window):
    """Without max(0, …), and with a softmax of one's own."""
    rows = []
    for i in range(len(Q)):
        keys, values = K[i - window + 1 : i + 1], V[i - window + 1 : i + 1]
        rows.append(softmax(keys @ Q[i] / np.sqrt(Q.shape[1])) @ values)
    return np.array(rows)


def _numpy_negative_start(Q, K, V, window):
    rows = []
    for i in range(len(Q)):
        scores = K[i - window + 1 : i + 1] @ Q[i] / np.sqrt(Q.shape[1])
        e = np.exp(scores - scores.max())
        rows.append(e / e.sum() @ V[i - window + 1 : i + 1])
    return np.array(rows)


def _zero_after_softmax(Q, K, V, window):
    n = len(Q)
    back = np.arange(n)[:, None] - np.arange(n)
    A = softmax(np.where(back >= 0, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf))
    return np.where(back < window, A, 0) @ V


MISTAKES = (
    Mistake(
        "starts-before-the-text",
        "Near the start your slice begins below 0, and Python counts that from the end of the "
        "text.",
        _over(lambda i, w: i - w + 1, lambda i, w: i + 1),
        variants=(_negative_start, _numpy_negative_start),
        hint="The first key is max(0, i - window + 1).",
    ),
    Mistake(
        "one-too-wide",
        "You let a word see `window` keys before it, and itself: one too many.",
        _over(lambda i, w: max(0, i - w), lambda i, w: i + 1),
        hint="The window counts the word itself.",
    ),
    Mistake(
        "one-too-narrow",
        "Your window is one key short: it holds `window - 1` of them.",
        _over(lambda i, w: min(i, max(0, i - w + 2)), lambda i, w: i + 1),
        variants=(_over(lambda i, w: max(0, i - w + 2), lambda i, w: i + 1),),
        hint="From i - window + 1 to i there are window keys.",
    ),
    Mistake(
        "sees-both-sides",
        "Your window reaches as far ahead as back.",
        _over(lambda i, w: max(0, i - w + 1), lambda i, w: i + w),
        variants=(_over(lambda i, w: max(0, i - w // 2), lambda i, w: i + w // 2 + 1),),
        hint="Causal: the last key that word i sees is its own.",
    ),
    Mistake(
        "looks-ahead",
        "Your window begins at the word and reaches ahead.",
        _over(lambda i, w: i, lambda i, w: i + w),
        hint="It must end at the word.",
    ),
    Mistake(
        "cuts-into-blocks",
        "You cut the text into blocks of `window` words, so the first word of a block sees nothing "
        "before it.",
        _over(lambda i, w: i // w * w, lambda i, w: i + 1),
        hint="The window slides: every word has a window of its own.",
    ),
    Mistake(
        "forgets-the-window",
        "Every word sees all words before it, as in plain causal attention.",
        lambda Q, K, V, window: attention(Q, K, V, mask=causal_mask(len(Q))),
        hint="Leave out the keys before i - window + 1.",
    ),
    Mistake(
        "zeroes-after-the-softmax",
        "You set weights outside the window to 0 after the softmax, so the rest no longer sums to "
        "1.",
        _zero_after_softmax,
        hint="Take the softmax over the window's scores alone.",
    ),
    forgets_the_scale(
        lambda Q, K, V, window: _windowed(Q * np.sqrt(Q.shape[1]), K, V, window),
        hint="Divide by np.sqrt(Q.shape[1]), or let attn.attention do it.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="A window that slides",
    difficulty=2,
    minutes=8,
    hints=(
        "Go through the words one by one. Word i sees keys max(0, i - window + 1) to i.",
        "attn.attention(Q[i:i + 1], K[first:i + 1], V[first:i + 1]) is one row, with its scale.",
        "Put the rows together with np.concatenate, or take row [0] of each into np.array.",
    ),
    mistakes=MISTAKES,
    section="sec-13-window",
    passed=(
        "There is no table of n², and with slices only n · window scores at most. Compare "
        "with attn.attention and mask=attn.sliding_window_mask(n, window): "
        "the same rows, from a table."
    ),
    task=Task(
        "windowed",
        _windowed,
        PROBES,
        costs=(
            Cost(
                "holds-the-table",
                "a table of n × n numbers is made on the way, most of them only to be hidden: for "
                "300 words, 90,000.",
                lambda answer: peak_bytes(answer, _LONG),
                most=4 * 300**2,
                hint="Go through the words, and let each one score a slice of the keys.",
            ),
        ),
    ),
)
