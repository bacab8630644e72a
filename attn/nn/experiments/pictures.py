"""Chapter 8: a convolutional network and one with attention, against the number of pictures.

Digits of 8 × 8 pixels, and bars, vertical or horizontal, somewhere in a noisy picture. Four models:
a network with two convolutions, a block with attention over patches of 2 × 2 pixels, the same block
without its attention, and a linear one. On digits the first three are trained at three step sizes
with five seeds, on bars at two with three, and with two kinds of read-out.
`python -m attn.nn.experiments.pictures` trains them all and rewrites attn/data/pictures.json.
"""

import copy

import numpy as np
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap
from tqdm.auto import tqdm

from attn.data import digits, save
from attn.nn import EncoderBlock

POOL, CHECK = 1097, 200  # digits to train on, and to choose a step size by; the other 500 are kept
BATCH = 32
MODELS = ("cnn", "attention", "no attention", "linear")
RATES, SEEDS = (0.001, 0.003, 0.01), (0, 1, 2, 3, 4)
SIZES = (20, 100, 300, 1000)
TIMES = (50, 100, 300, 600, 1000, 1500)
LINEAR_TIMES = (*TIMES, 3000, 6000)  # for the linear model, which is quick
LINEAR_RATES = (0.01,)  # smaller ones end at the same place, later
BARS = {"sizes": (30, 2000), "rates": (0.003, 0.01), "times": (300, 600), "side": 12}
BAR_MODELS = (
    ("cnn", True),
    ("cnn", False),
    ("attention", True),
    ("attention", False),
    ("no attention", True),
    ("no attention", False),
)


class Convolutions(nn.Module):
    """Two layers of 3 × 3 convolutions, each halved by its maxima, and a linear read-out.

    With `anywhere` the read-out gets each channel's maximum over the whole picture, so that it
    cannot tell where something is.
    """

    def __init__(self, side, classes, *, anywhere=False):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 16, 3, padding=1), nn.Conv2d(16, 32, 3, padding=1)
        self.anywhere = anywhere
        self.readout = nn.Linear(32 * (1 if anywhere else (side // 4) ** 2), classes)

    def forward(self, pictures):
        """Turn pictures (b, side, side) into logits (b, classes)."""
        halved = nn.functional.max_pool2d(self.first(pictures[:, None]).relu(), 2)
        found = nn.functional.max_pool2d(self.second(halved).relu(), 2)
        return self.readout(found.amax(dim=(2, 3)) if self.anywhere else found.flatten(1))


class Patches(nn.Module):
    """Patches of 2 × 2 pixels as tokens with learned positions, one block, a linear read-out.

    With `anywhere` the read-out gets each entry's maximum over all tokens.
    """

    def __init__(self, side, classes, *, attends=True, anywhere=False, d=16, heads=4):
        super().__init__()
        self.count, self.attends, self.anywhere = (side // 2) ** 2, attends, anywhere
        self.embed = nn.Linear(4, d)
        self.positions = nn.Parameter(0.3 * torch.randn(self.count, d))
        self.block, self.norm = EncoderBlock(d, heads, d_ff=2 * d), nn.LayerNorm(d)
        self.readout = nn.Linear(d if anywhere else self.count * d, classes)
        if not attends:  # removed last: everything else starts from the same numbers
            del self.block.attention, self.block.norm_1

    def forward(self, pictures):
        """Turn pictures (b, side, side) into logits (b, classes)."""
        patches = pictures.unfold(1, 2, 2).unfold(2, 2, 2).reshape(len(pictures), self.count, 4)
        X = self.embed(patches) + self.positions
        X = self.block(X) if self.attends else X + self._feed_forward(X)
        found = self.norm(X)
        return self.readout(found.amax(dim=1) if self.anywhere else found.flatten(1))

    def _feed_forward(self, X):
        """What the block adds if no token hears another: its feed-forward part."""
        return self.block.W_2(self.block.W_1(self.block.norm_2(X)).relu())


def build(model, side=8, classes=10, **options):
    """An untrained model by its name, one of MODELS."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}: got {model!r}")
    if model == "linear":
        return nn.Sequential(nn.Flatten(), nn.Linear(side**2, classes))
    if model == "cnn":
        return Convolutions(side, classes, **options)
    return Patches(side, classes, attends=model == "attention", **options)


def parameters(model, **options):
    """How many numbers the model learns."""
    return sum(p.numel() for p in build(model, **options).parameters())


def shuffled_digits():
    """The digits in one fixed order, pixels from 0 to 1: pictures (1797, 8, 8), labels (1797,)."""
    pictures, labels = digits()
    order = np.random.default_rng(8).permutation(len(labels))
    return (
        torch.tensor(pictures[order] / 16, dtype=torch.float32),
        torch.tensor(labels[order], dtype=torch.long),
    )


def bars(count, generator, side=BARS["side"]):
    """Draw noisy pictures with one bar of three pixels each; label 1 if it lies flat."""
    pictures = 0.5 * torch.randn(count, side, side, generator=generator)
    labels = torch.randint(2, (count,), generator=generator)
    along = torch.randint(side - 2, (count,), generator=generator)
    across = torch.randint(side, (count,), generator=generator)
    for step in range(3):
        flat = torch.where(labels == 1, across, along + step)
        upright = torch.where(labels == 1, along + step, across)
        pictures[torch.arange(count), flat, upright] += 2
    return pictures, labels


def train_digits(model, size, rate, *, seeds=SEEDS, times=TIMES):
    """Train on `size` digits, once for each seed; a seed draws the same digits for every model.

    Returns
    -------
    dict
        "check" and "test": the share of right answers on 200 and on 500 other digits after each
        of `times` steps, (seeds, times).
    """
    pictures, labels = shuffled_digits()
    generators = [torch.Generator().manual_seed(1000 + seed) for seed in seeds]
    mine = [torch.randperm(POOL, generator=g)[:size] for g in generators]
    held = {"check": slice(POOL, POOL + CHECK), "test": slice(POOL + CHECK, None)}
    return _train(
        lambda: build(model),
        [(pictures[chosen], labels[chosen]) for chosen in mine],
        {name: (pictures[part], labels[part]) for name, part in held.items()},
        (rate, seeds, generators, times),
    )


def train_bars(model, anywhere, size, rate, *, seeds=SEEDS, times=BARS["times"]):
    """Train on `size` pictures with a bar, once for each seed; test on 1000 others.

    With `anywhere` the read-out cannot tell where something is.
    """
    generators = [torch.Generator().manual_seed(3000 + seed) for seed in seeds]
    return _train(
        lambda: build(model, side=BARS["side"], classes=2, anywhere=anywhere),
        [bars(size, g) for g in generators],
        {
            "check": bars(200, torch.Generator().manual_seed(1)),
            "test": bars(1000, torch.Generator().manual_seed(2)),
        },
        (rate, seeds, generators, times),
    )


def _train(make, sets, held, settings):
    """Train one model for each seed, side by side: their numbers are stacked, and never meet."""
    rate, seeds, generators, times = settings
    models = []
    for seed in seeds:
        torch.manual_seed(seed)
        models.append(make())
    weights, _ = stack_module_state(models)
    bare = copy.deepcopy(models[0]).to("meta")
    run = vmap(lambda w, pictures: functional_call(bare, w, (pictures,)))
    see = vmap(lambda w, pictures: functional_call(bare, w, (pictures,)), in_dims=(0, None))
    optimiser = torch.optim.Adam(weights.values(), lr=rate)
    found = {name: [] for name in held}
    for step in range(1, max(times) + 1):
        pictures, labels = _batch(sets, generators)
        loss = nn.functional.cross_entropy(run(weights, pictures).flatten(0, 1), labels.flatten())
        optimiser.zero_grad()
        (len(seeds) * loss).backward()  # each seed's own mean loss, added up
        optimiser.step()
        if step in times:
            for name, (others, answers) in held.items():
                with torch.no_grad():
                    right = see(weights, others).argmax(dim=-1) == answers
                found[name].append(right.float().mean(dim=1).numpy())
    return {name: np.array(shares).T for name, shares in found.items()}


def _batch(sets, generators):
    """Pictures and labels for one step, a row for each seed."""
    drawn = [
        torch.randint(len(labels), (BATCH,), generator=g)
        for (_, labels), g in zip(sets, generators, strict=True)
    ]
    chosen = [(x[i], y[i]) for (x, y), i in zip(sets, drawn, strict=True)]
    return tuple(torch.stack(part) for part in zip(*chosen, strict=True))


def experiment(*, models=MODELS, sizes=SIZES, rates=RATES, seeds=SEEDS, times=None, progress=True):
    """Train every model on every number of digits at every step size: one record for each."""
    rows = [
        (model, size, rate)
        for model in models
        for size in sizes
        for rate in (LINEAR_RATES if model == "linear" else rates)
    ]
    records = []
    for model, size, rate in tqdm(rows, disable=not progress, unit="setting"):
        long = LINEAR_TIMES if model == "linear" else TIMES
        found = train_digits(model, size, rate, seeds=seeds, times=times or long)
        records.append(_record(model, size, rate, times or long, found))
    return records


def bar_experiment(*, seeds=SEEDS[:3], progress=True):
    """The same for the bars, with fewer seeds and step sizes, and two kinds of read-out."""
    rows = [
        (model, anywhere, size, rate)
        for model, anywhere in BAR_MODELS
        for size in BARS["sizes"]
        for rate in BARS["rates"]
    ]
    records = []
    for model, anywhere, size, rate in tqdm(rows, disable=not progress, unit="setting"):
        found = train_bars(model, anywhere, size, rate, seeds=seeds)
        records.append({"anywhere": anywhere, **_record(model, size, rate, BARS["times"], found)})
    return records


def _record(model, size, rate, times, found):
    shares = {name: np.round(values.astype(float), 4).tolist() for name, values in found.items()}
    return {"model": model, "size": size, "rate": rate, "measured_steps": list(times), **shares}


def main():
    """Train everything and rewrite the table, one record a line."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.pictures",
        "seeds": list(SEEDS),
        "parameters": {model: parameters(model) for model in MODELS},
        "digits": experiment(),
        "bars": bar_experiment(),
    }
    save("pictures", table)


if __name__ == "__main__":
    main()
