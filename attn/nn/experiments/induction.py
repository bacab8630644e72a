"""Chapter 11: a row of tokens repeats, with a period that is always the same, or one that varies.

`python -m attn.nn.experiments.induction` trains every arm and rewrites attn/data/induction.json.
"""

import numpy as np
import torch
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.experiments.training import IGNORED, train
from attn.nn.tiny import TinyTransformer

VOCAB, LENGTH = 50, 24
SIZE, BATCH, RATE = 48, 64, 4e-3
FIXED, VARIED = (12, 12), (5, 12)  # the shortest and the longest period to train on
TESTED_PERIODS, TESTED = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16), 500
SEEDS = (0, 1, 2)
ARMS = {
    "fixed": {"periods": FIXED, "steps": 400},
    "varied": {"periods": VARIED, "steps": 600},
    "varied, one layer": {"periods": VARIED, "steps": 600, "layers": 1},
}


def rows(count, period, generator):
    """Draw rows (count, 24) in which `period` different tokens repeat."""
    shuffled = torch.rand(count, VOCAB, generator=generator).argsort(dim=1)[:, :period]
    return shuffled.repeat(1, -(-LENGTH // period))[:, :LENGTH]


def train_induction(seed=0, *, periods=VARIED, layers=2, steps=600, watch=None):
    """Train one model to predict the next token of repeating rows; return it.

    Parameters
    ----------
    seed : int, default 0
    periods : (int, int), default (5, 12)
        The shortest and the longest period; each batch has one.
    layers : int, default 2
    steps : int, default 600
    watch : callable, optional
        `watch(step, model)` is called before the first step and after each one.
    """
    torch.manual_seed(seed)
    model = TinyTransformer(VOCAB, LENGTH, d_model=SIZE, layers=layers, causal=True)
    generator = torch.Generator().manual_seed(1000 + seed)

    def draw():
        period = int(torch.randint(periods[0], periods[1] + 1, (), generator=generator))
        tokens = rows(BATCH, period, generator)
        targets = tokens[:, 1:].clone()
        targets[:, : period - 1] = IGNORED  # nothing has been repeated yet
        return (tokens[:, :-1],), targets

    return train(model, draw, steps=steps, rate=RATE, watch=watch)


@torch.no_grad()
def accuracy(model, period, *, seed=0, count=TESTED):
    """Return the share of right tokens at each place that repeats one, (24 - period,)."""
    tokens = rows(count, period, torch.Generator().manual_seed(2000 + seed))
    right = model(tokens[:, :-1]).argmax(dim=-1) == tokens[:, 1:]
    return right[:, period - 1 :].double().mean(dim=0).numpy()


@torch.no_grad()
def head_shares(model, period=12, *, seed=0, count=TESTED):
    """Return, for each layer and place, two mean weights, (layers, 23, 2).

    On the token before, and on the one after the last time the present token was met (0 where it
    is new).
    """
    tokens = rows(count, period, torch.Generator().manual_seed(2000 + seed))[:, :-1]
    n = LENGTH - 1
    found = np.zeros((len(model.blocks), n, 2))
    for layer, A in enumerate(model.weights(tokens)):
        A = A.mean(dim=(0, 1)).numpy()
        found[layer, 1:, 0] = np.diag(A, -1)
        found[layer, period:, 1] = np.diag(A, 1 - period)[1:]
    return found


def best_lag(periods=VARIED):
    """Return the best score of copying from a fixed distance, chosen for each place by itself.

    A distance is right for a period that divides it.
    """
    low, high = periods
    right = asked = 0
    for place in range(low, LENGTH):
        seen = [period for period in range(low, high + 1) if period <= place]
        asked += len(seen)
        right += max(sum(lag % period == 0 for period in seen) for lag in range(1, place + 1))
    return right / asked


def guessing(periods=VARIED):
    """Return the score of naming any of the tokens that repeat."""
    each = range(periods[0], periods[1] + 1)
    return sum((LENGTH - p) / p for p in each) / sum(LENGTH - p for p in each)


def recorded(seed, arm, *, steps=None):
    """Train one model of an arm; return its record."""
    options = ARMS[arm] | ({} if steps is None else {"steps": steps})
    model = train_induction(seed, **options)
    places = {period: accuracy(model, period) for period in TESTED_PERIODS}
    inside = [p for p in TESTED_PERIODS if VARIED[0] <= p <= VARIED[1]]
    return {
        **{"arm": arm, "seed": seed},
        "accuracy": [round(float(right.mean()), 3) for right in places.values()],
        "trained_periods": round(float(np.concatenate([places[p] for p in inside]).mean()), 3),
        "places_at_8": np.round(places[8], 3).tolist(),
        "previous": np.round(head_shares(model)[:, :, 0], 2).tolist(),
        "after_match": np.round(head_shares(model)[:, :, 1], 2).tolist(),
    }


def experiment(*, arms=tuple(ARMS), seeds=SEEDS, steps=None, progress=True):
    """Train every arm; return one record for each run."""
    runs = [(arm, seed) for arm in arms for seed in seeds]
    bar = tqdm(runs, disable=not progress, unit="run")
    return [recorded(seed, arm, steps=steps) for arm, seed in bar]


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.induction",
        "torch": torch.__version__.split("+")[0],
        "periods": list(TESTED_PERIODS),
        "best_lag": round(best_lag(), 4),
        "guessing": round(guessing(), 4),
        "runs": experiment(),
    }
    save("induction", table)


if __name__ == "__main__":
    main()
