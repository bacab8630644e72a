"""How much of the data one fixed lag explains."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _repeat(rng, period, n, vocab):
    return np.resize(rng.permutation(vocab)[:period], n)


def _probe(label, *, periods, n, vocab, seed):
    """One sequence per period; scored where the word before has been seen already."""
    rng = np.random.default_rng(seed)
    tokens = np.array([_repeat(rng, period, n, vocab) for period in periods])
    scored = np.arange(n) > np.array(periods)[:, None]
    return Probe.of(label, tokens=tokens, scored=scored)


PROBES = (
    _probe("one sequence of period 3", periods=[3], n=8, vocab=9, seed=120).advise(
        "Places 4 to 7 are scored. Three places back stands the same token, every time."
    ),
    _probe("two sequences of period 4", periods=[4, 4], n=11, vocab=13, seed=121).advise(
        "Lag 8 is right at places 8, 9 and 10 and has no token to copy at 5, 6 and 7."
    ),
    _probe("periods 2, 3 and 5", periods=[2, 3, 5], n=9, vocab=11, seed=122).advise(
        "6, 5 and 3 places are scored, 14 in all. A lag is right where it fits the period."
    ),
    _probe("periods 3 and 7", periods=[3, 7, 7], n=10, vocab=8, seed=123).advise(
        "6, 2 and 2 places are scored: ten in all, not a mean of three shares."
    ),
)


def _hits(tokens, lag):
    """Where the token `lag` places back is the token that stands here; False at the start."""
    hits = np.zeros(tokens.shape, dtype=bool)
    hits[:, lag:] = tokens[:, lag:] == tokens[:, : tokens.shape[1] - lag]
    return hits


def _shares(tokens, scored, lags=None):
    lags = range(1, tokens.shape[1]) if lags is None else lags
    return np.array([_hits(tokens, lag)[scored].mean() for lag in lags])


def _where_there_is_a_token(tokens, scored):
    """Only the places that have a token so far back; 0 where there are none."""
    n = tokens.shape[1]
    shares = []
    for lag in range(1, n):
        kept = scored[:, lag:]
        shares.append(_hits(tokens, lag)[:, lag:][kept].mean() if kept.any() else 0.0)
    return np.array(shares)


def _wrapped(tokens, scored):
    hits = [np.roll(tokens, lag, axis=1) == tokens for lag in range(1, tokens.shape[1])]
    return np.array([hit[scored].mean() for hit in hits])


def _looks_ahead(tokens, scored):
    n = tokens.shape[1]
    hits = [_hits(tokens[:, ::-1], lag)[:, ::-1] for lag in range(1, n)]
    return np.array([hit[scored].mean() for hit in hits])


def _mean_of_sequences(tokens, scored):
    lags = range(1, tokens.shape[1])
    shares = [(_hits(tokens, lag) & scored).sum(1) / scored.sum(1) for lag in lags]
    return np.mean(shares, axis=1)


MISTAKES = (
    Mistake(
        "counts-every-place",
        "You count all places, also those where the token cannot be known yet.",
        lambda tokens, scored: _shares(tokens, np.ones_like(scored)),
        variants=(lambda tokens, scored: _shares(tokens, scored) * scored.mean(),),
        hint="Average over the places where scored is True, and no others.",
    ),
    Mistake(
        "skips-the-start",
        "You leave out the places where nothing stands so far back. There the rule has no answer, "
        "and that counts as wrong.",
        _where_there_is_a_token,
        hint="Divide by the number of scored places for every lag.",
    ),
    Mistake(
        "wraps-around",
        "You wrap around: at the start of a sequence you copy from its end.",
        _wrapped,
        hint="np.roll goes round; compare tokens[:, lag:] with tokens[:, :-lag].",
    ),
    Mistake(
        "looks-ahead",
        "Your lags go forwards: you compare a token with one that comes after it.",
        _looks_ahead,
        hint="Place t is compared with place t - lag.",
    ),
    Mistake(
        "starts-at-lag-0",
        "Your first entry is lag 0, which compares each token with itself.",
        lambda tokens, scored: _shares(tokens, scored, range(tokens.shape[1] - 1)),
        variants=(lambda tokens, scored: _shares(tokens, scored, range(tokens.shape[1])),),
        hint="The lags are 1 to n - 1: entry 0 belongs to lag 1.",
    ),
    Mistake(
        "averages-the-sequences",
        "You average within each sequence first, so the places of a sequence with few of them count"
        " for more.",
        _mean_of_sequences,
        hint="Count hits over all scored places of all sequences, and divide once.",
    ),
    Mistake(
        "returns-counts",
        "You return how many places are right; the share was asked for.",
        lambda tokens, scored: _shares(tokens, scored) * scored.sum(),
        hint="Divide by the number of scored places.",
    ),
    Mistake(
        "returns-the-best",
        "You return one number for the best lag; the share of every lag was asked for.",
        lambda tokens, scored: _shares(tokens, scored).max(),
        variants=(lambda tokens, scored: 1 + _shares(tokens, scored).argmax(),),
        hint="Return n - 1 shares.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Which shortcut do the data allow?",
    difficulty=2,
    minutes=10,
    hints=(
        "For one lag: tokens[:, lag:] stands lag places after tokens[:, :-lag]. Compare the two.",
        "Make an array of False of the shape of tokens, fill in hits[:, lag:], then take the mean "
        "of hits[scored]. Places before the lag stay False.",
    ),
    mistakes=MISTAKES,
    section="sec-11-induction",
    passed=(
        "If one entry is 1, the data cannot tell copying at that lag from looking for the token's "
        "last occurrence, and a model has no reason to learn the second. Try it on data of your "
        "own before you train on them."
    ),
    task=Task("lag_shares", _shares, PROBES),
)
