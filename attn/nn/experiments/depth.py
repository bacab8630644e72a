"""Chapter 10: where the norm stands, and how deep a stack can be trained.

The task is chapter 7's: does A stand before B? The model is a stack of encoder blocks, with the
norm before each sublayer or after each sum. `python -m attn.nn.experiments.depth` trains every arm
and rewrites attn/data/depth.json.
"""

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.block import EncoderBlock
from attn.nn.experiments.order import VOCAB, accuracy, answer, closed_set, sequences
from attn.nn.tiny import TinyTransformer

LENGTH, D_MODEL, HEADS = 16, 32, 4
BATCH, GROUPS = 32, 125
LAYERS, RATES, SEEDS = (2, 12), (0.0003, 0.001, 0.003), (0, 1, 2)
STEPS, EVERY, WARM_UP = 400, 50, 200
ARMS = (("pre", 0), ("post", 0), ("post", WARM_UP))  # a norm's place, steps of warm-up
GRADIENT_BATCH = 256


def build(norm, layers, seed):
    """Build the untrained stack; after a pre-norm stack comes one more norm, as is usual."""
    torch.manual_seed(seed)
    sizes = {"d_model": D_MODEL, "heads": HEADS}
    model = TinyTransformer(VOCAB, LENGTH, layers=0, **sizes)
    model.blocks.extend(EncoderBlock(D_MODEL, HEADS, norm=norm) for _ in range(layers))
    if norm == "post":
        model.norm = nn.Identity()  # the last block ends with one
    return model


def train_deep(norm, layers, seed, *, rate=0.001, warm_up=0, steps=STEPS, every=EVERY):
    """Train once with Adam; return the accuracy on new sequences as it goes.

    Parameters
    ----------
    norm : {"pre", "post"}
    layers : int
        How many blocks stand on each other.
    seed : int
    rate : float, default 0.001
        Adam's step size.
    warm_up : int, default 0
        For so many steps the step size grows in a straight line from 0 to `rate`.
    steps : int, default 400
    every : int, default 50
        Measured at the start and after every so many steps.

    Returns
    -------
    (1 + steps // every,)
    """
    model = build(norm, layers, seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    generator = torch.Generator().manual_seed(1000 + seed)
    new = closed_set(GROUPS, LENGTH, torch.Generator().manual_seed(2000 + seed))
    found = [accuracy(model, *new)]
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, step / warm_up) if warm_up else rate
        optimiser.zero_grad()
        _loss(model, *sequences(BATCH, LENGTH, generator)).backward()
        optimiser.step()
        if step % every == 0:
            found.append(accuracy(model, *new))
    return np.array(found)


def start_gradients(norm, layers, seed):
    """Return the norm of ∂loss/∂W_2 in each block before training, (layers,), in float64."""
    model = build(norm, layers, seed).double()
    generator = torch.Generator().manual_seed(3000 + seed)
    _loss(model, *sequences(GRADIENT_BATCH, LENGTH, generator)).backward()
    return np.array([block.W_2.weight.grad.norm().item() for block in model.blocks])


def _loss(model, tokens, leads):
    return nn.functional.cross_entropy(answer(model, tokens), leads)


def experiment(*, layers=LAYERS, rates=RATES, seeds=SEEDS, steps=STEPS, every=EVERY, progress=True):
    """Train every arm; return one plain record for each."""
    arms = [
        {"layers": depth, "norm": norm, "rate": rate, "warm_up": warm_up}
        for depth in layers
        for norm, warm_up in ARMS
        for rate in rates
    ]
    bar = tqdm(total=len(arms) * len(seeds), disable=not progress, unit="run")
    records = []
    for arm in arms:
        options = {name: arm[name] for name in ("rate", "warm_up")}
        runs = []
        for seed in seeds:
            run = train_deep(arm["norm"], arm["layers"], seed, steps=steps, every=every, **options)
            runs.append(run.round(3).tolist())
            bar.update()
        measured = list(range(0, steps + 1, every))
        records.append(arm | {"measured_steps": measured, "accuracy": runs})
    bar.close()
    return records


def main():
    """Write the full table, and the gradients of the first step."""
    torch.set_num_threads(1)
    gradients = [
        {
            "layers": depth,
            "norm": norm,
            "gradients": [start_gradients(norm, depth, s).round(5).tolist() for s in SEEDS],
        }
        for depth in LAYERS
        for norm in ("pre", "post")
    ]
    table = {
        "command": "python -m attn.nn.experiments.depth",
        "torch": torch.__version__.split("+")[0],
        "seeds": SEEDS,
        "gradients": gradients,
        "arms": experiment(),
    }
    save("depth", table)


if __name__ == "__main__":
    main()
