"""Chapter 11: right answers in another style, near misses, likely slips."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import torch
from exercises.answers import PASSES, UNNAMED, judged

from attn.exercises import check
from attn.exercises.catalog import find


def _loss_by_loops(logits, tokens, lengths):
    losses = []
    for rows, words, length in zip(logits, tokens, lengths, strict=True):
        for t in range(length - 1):
            top = max(rows[t])
            total = sum(math.exp(x - top) for x in rows[t])
            losses.append(math.log(total) + top - rows[t][words[t + 1]])
    return sum(losses) / len(losses)


def _loss_by_torch(logits, tokens, lengths):
    kept = np.arange(1, tokens.shape[1]) < lengths[:, None]
    rows, words = torch.tensor(logits[:, :-1][kept]), torch.tensor(tokens[:, 1:][kept])
    return torch.nn.functional.cross_entropy(rows, words).item()


def _loss_by_logaddexp(logits, tokens, lengths):
    table = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    b, t = np.nonzero(np.arange(tokens.shape[1] - 1) + 1 < lengths[:, None])
    return np.float32(-table[b, t, tokens[b, t + 1]].mean())


def _ceiling_by_fractions(n, vocab):
    lists = list(product("abcdefgh"[:vocab], repeat=n - 1))
    total = sum(Counter(others).most_common(1)[0][1] for others in lists)
    return Fraction(total, len(lists) * (n - 1))


def _ceiling_by_tails(n, vocab):
    """E[max] = Σ P(max > m), with lists counted by exponential generating functions."""
    total = 0.0
    for most in range(n - 1):
        terms, power = [1 / math.factorial(j) for j in range(most + 1)], np.array([1.0])
        for _ in range(vocab):
            power = np.convolve(power, terms)[:n]
        within = power[n - 1] if len(power) >= n else 0.0
        total += 1 - within * math.factorial(n - 1) / vocab ** (n - 1)
    return total / (n - 1)


def _lags_by_loops(tokens, scored):
    b, n = tokens.shape
    places = [(i, t) for i in range(b) for t in range(n) if scored[i, t]]
    hits = lambda lag: sum(t >= lag and tokens[i, t] == tokens[i, t - lag] for i, t in places)  # noqa: E731
    return [hits(lag) / len(places) for lag in range(1, n)]


def _lags_by_padding(tokens, scored):
    n = tokens.shape[1]
    padded = np.pad(tokens, ((0, 0), (n, 0)), constant_values=-1)
    back = np.stack([padded[:, n - lag : 2 * n - lag] for lag in range(1, n)])
    return ((back == tokens) & scored).sum(axis=(1, 2)) / scored.sum()


def _flips_at_once(heads, rest, W, twin):
    X = rest + np.einsum("htd->td", heads)
    gap = W[:, 1] - W[:, 0]
    return ((X @ gap > 0) != ((X - heads + heads[:, twin]) @ gap > 0)).mean(axis=1)


def _flips_by_loops(heads, rest, W, twin):
    def verb(parts, i):
        scores = (rest[i] + sum(parts)) @ W
        return scores[1] > scores[0]

    shares = []
    for j in range(len(heads)):
        count = 0
        for i, other in enumerate(twin):
            own = [head[i] for head in heads]
            swapped = [head[other] if k == j else head[i] for k, head in enumerate(heads)]
            count += verb(own, i) != verb(swapped, i)
        shares.append(count / len(twin))
    return shares


def _adam_by_torch(w, gradient, mean, square, step, rate):
    parameter = torch.tensor(w, requires_grad=True)
    adam = torch.optim.Adam([parameter], lr=rate)
    parameter.grad = torch.tensor(gradient)
    adam.state[parameter] = {
        "step": torch.tensor(float(step - 1)),
        "exp_avg": torch.tensor(mean),
        "exp_avg_sq": torch.tensor(square),
    }
    adam.step()
    state = adam.state[parameter]
    return np.stack([parameter.detach().numpy(), state["exp_avg"], state["exp_avg_sq"]])


def _adam_in_place(w, gradient, mean, square, step, rate):
    w, mean, square = w.copy(), mean.copy(), square.copy()
    mean += 0.1 * (gradient - mean)
    square *= 0.999
    square += 0.001 * gradient * gradient
    scale = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    w -= scale * mean / (np.sqrt(square) + 1e-8 * np.sqrt(1 - 0.999**step))
    return [w, mean, square]


def _log_of_a_softmax(logits, tokens, lengths):
    e = np.exp(logits - logits.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    losses = -np.log(np.take_along_axis(p[:, :-1], tokens[:, 1:, None], 2)[..., 0])
    return losses[np.arange(1, tokens.shape[1]) < lengths[:, None]].mean()


def _most_common_digit_of_all(n, vocab):
    """Named at the first place of each list, and looked up at the last."""
    hits = [
        np.bincount(digits).argmax() == digits[-1] for digits in product(range(vocab), repeat=n)
    ]
    return np.mean(hits)


def _from_the_end(tokens, scored):
    """A negative index goes round."""
    n = tokens.shape[1]
    back = np.arange(n)[None] - np.arange(1, n)[:, None]
    return [(tokens[:, places] == tokens)[scored].mean() for places in back]


def _off(heads, rest, W, twin):
    X = rest + heads.sum(0)
    return [(((X - own) @ W).argmax(1) != (X @ W).argmax(1)).mean() for own in heads]


test_an_answer = judged(
    {
        "11-adam-step": {
            PASSES: [_adam_by_torch, _adam_in_place],
            UNNAMED: [lambda w, g, m, s, k, r: _adam_by_torch(w, g, m, s, k, 2 * r)],
        },
        "11-ceiling": {
            PASSES: [_ceiling_by_fractions, _ceiling_by_tails],
            UNNAMED: [lambda n, vocab: 1 - _ceiling_by_tails(n, vocab), lambda n, vocab: 1.0],
            "counts-its-own-digit": [_most_common_digit_of_all],
        },
        "11-fixed-lag": {
            PASSES: [_lags_by_loops, _lags_by_padding],
            UNNAMED: [
                lambda t, s: np.array(_lags_by_loops(t, s))[::-1],
                lambda t, s: np.array(_lags_by_loops(t, s)) == 1,
            ],
            "wraps-around": [_from_the_end],
        },
        "11-next-word-loss": {
            PASSES: [_loss_by_loops, _loss_by_torch, _loss_by_logaddexp],
            UNNAMED: [
                lambda g, t, n: _loss_by_loops(g, t, n) + 0.01,
                lambda g, t, n: np.exp(_loss_by_loops(g, t, n)),
                lambda g, t, n: _loss_by_loops(g / np.sqrt(g.shape[-1]), t, n),
            ],
            "logarithm-of-zero": [_log_of_a_softmax],
        },
        "11-swap-heads": {
            PASSES: [_flips_at_once, _flips_by_loops],
            UNNAMED: [lambda H, R, W, twin: _flips_at_once(H, R, W[:, ::-1], twin) / 2],
            "switches-off": [_off],
        },
    }
)


def test_half_of_an_adam_step_gets_credit():
    def adam_step(w, gradient, mean, square, step, rate):
        new_mean = 0.9 * mean + 0.1 * gradient  # noqa: F841
        new_square = ...  # noqa: F841
        return ...

    assert check("11-adam-step", adam_step).message == (
        "Your new_mean is right; new_square is still missing."
    )


def test_the_real_places_get_credit():
    def next_word_loss(logits, tokens, lengths):
        real = np.arange(1, tokens.shape[1]) < lengths[:, None]  # noqa: F841
        losses = ...  # noqa: F841
        return ...

    message = check("11-next-word-loss", next_word_loss).message
    assert message == "Your real is right; losses are still missing."


def test_the_probes_of_the_heads_hold_a_carrier_and_one_set_holds_none():
    task = find("11-swap-heads").task
    shares = [task.reference(**probe.arguments) for probe in task.probes]
    assert [share.argmax() for share in shares[:3]] == [1, 0, 2]
    assert shares[-1].max() < 0.5


def test_no_probe_of_the_heads_rests_on_a_tie():
    for probe in find("11-swap-heads").task.probes:
        heads, rest, W, twin = probe.arguments.values()
        gap = W[:, 1] - W[:, 0]
        X = rest + heads.sum(axis=0)
        for Y in (X, *(X - own + own[twin] for own in heads)):
            assert np.abs(Y @ gap).min() > 1e-3
        assert (twin[twin] == np.arange(len(twin))).all()
