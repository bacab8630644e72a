"""Chapter 11: write twelve digits backwards, with places known and without.

`python -m attn.nn.experiments.reverse` trains every arm and rewrites attn/data/reverse.json.
"""

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import torch
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.experiments.training import train
from attn.nn.tiny import TinyTransformer

DIGITS, LENGTH, SHORTER, SHORTEST = 10, 12, 8, 4
SIZE, BATCH, RATE, STEPS, LONG_STEPS = 48, 64, 4e-3, 400, 1500
TESTED = 4000
SEEDS, FEW = tuple(range(10)), (0, 1, 2)
MEASURED_STEPS = (*range(0, 201, 25), 300, 400)
# How places enter, how many layers there are, and whether lengths from 4 to 12 are trained on.
ARMS = {
    "learned": {"positions": "learned"},
    "none": {"positions": "none"},
    "all lengths": {"positions": "learned", "lengths": (SHORTEST, LENGTH)},
    "all lengths, two layers": {"positions": "learned", "lengths": (SHORTEST, LENGTH), "layers": 2},
}


def digits(count, n, generator):
    """Draw digits (count, n), and the same backwards."""
    tokens = torch.randint(DIGITS, (count, n), generator=generator)
    return tokens, tokens.flip(1)


def train_reverse(
    seed=0, *, steps=STEPS, positions="learned", layers=1, lengths=(LENGTH, LENGTH), watch=None
):
    """Train one model to write digits backwards; return it.

    Parameters
    ----------
    seed : int, default 0
    steps : int, default 400
    positions : {"learned", "sinusoidal", "rotary", "alibi", "none"}, default "learned"
    layers : int, default 1
    lengths : (int, int), default (12, 12)
        The shortest and the longest row of digits; each batch has one length.
    watch : callable, optional
        `watch(step, model)` is called before the first step and after each one.
    """
    torch.manual_seed(seed)
    model = TinyTransformer(DIGITS, LENGTH, d_model=SIZE, positions=positions, layers=layers)
    generator = torch.Generator().manual_seed(1000 + seed)

    def draw():
        n = int(torch.randint(lengths[0], lengths[1] + 1, (), generator=generator))
        tokens, targets = digits(BATCH, n, generator)
        return (tokens,), targets

    return train(model, draw, steps=steps, rate=RATE, watch=watch)


@torch.no_grad()
def accuracy(model, n=LENGTH, *, seed=0, count=TESTED):
    """Return how much of new rows is right: of their digits, and of whole rows."""
    tokens, targets = digits(count, n, torch.Generator().manual_seed(2000 + seed))
    right = model(tokens).argmax(dim=-1) == targets
    return right.double().mean().item(), right.all(dim=1).double().mean().item()


@torch.no_grad()
def mean_weights(model, n=LENGTH, *, seed=0, count=TESTED):
    """Return the first layer's weights (n, n), averaged over new rows of digits."""
    tokens, _ = digits(count, n, torch.Generator().manual_seed(2000 + seed))
    return model.weights(tokens)[0].mean(dim=(0, 1)).numpy()


def mirror_share(A):
    """Return the mean weight that place i gives to place n - 1 - i.

    >>> mirror_share(np.eye(3)[::-1])
    1.0
    """
    return float(np.mean(np.diag(A[:, ::-1])))


def counting_ceiling(n=LENGTH):
    """Return the best share of right digits without places, by counting every case.

    The digit to write is then equally likely to be each of the n - 1 others, so the best answer is
    the commonest of them.

    >>> round(counting_ceiling(2), 3), round(counting_ceiling(3), 3)
    (1.0, 0.55)
    """
    others = n - 1
    total = 0
    for drawn in combinations_with_replacement(range(DIGITS), others):
        counts = Counter(drawn).values()
        ways = factorial(others) // prod(map(factorial, counts))
        total += ways * max(counts)
    return total / DIGITS**others / others


def recorded(seed, arm, *, steps=None):
    """Train one model of an arm; return its record."""
    options, curve = ARMS[arm], []
    steps = (LONG_STEPS if "lengths" in options else STEPS) if steps is None else steps

    def watch(step, model):
        if step in MEASURED_STEPS:
            curve.append([round(share, 3) for share in accuracy(model, count=300)])

    model = train_reverse(seed, steps=steps, watch=watch, **options)
    record = {"arm": arm, "seed": seed, "steps": steps}
    for name, n in (("trained", LENGTH), ("shorter", SHORTER)):
        digit, whole = accuracy(model, n)
        record |= {name: {"digit": round(digit, 3), "whole": round(whole, 3)}}
    mirrored = {"mirror": round(mirror_share(mean_weights(model)), 3)}
    return {**record, **mirrored, "curve": curve}


def experiment(*, arms=tuple(ARMS), seeds=SEEDS, few=FEW, steps=None, progress=True):
    """Train every arm, "learned" with all seeds; return one record for each run."""
    runs = [(arm, seed) for arm in arms for seed in (seeds if arm == "learned" else few)]
    bar = tqdm(runs, disable=not progress, unit="run")
    return [recorded(seed, arm, steps=steps) for arm, seed in bar]


def main():
    """Write the full table, and the weights of one model that knows places."""
    torch.set_num_threads(1)
    model = train_reverse(0)
    table = {
        "command": "python -m attn.nn.experiments.reverse",
        "torch": torch.__version__.split("+")[0],
        "measured_steps": list(MEASURED_STEPS),
        "ceiling": round(counting_ceiling(), 4),
        "weights": np.round(mean_weights(model), 3).astype(float).tolist(),
        "weights_shorter": np.round(mean_weights(model, SHORTER), 3).astype(float).tolist(),
        "runs": experiment(),
    }
    save("reverse", table)


if __name__ == "__main__":
    main()
