"""Chapter 7: which models can tell "A before B", and up to which length?

A sequence holds one A, one B and noise; the model must say whether A stands before B. It trains on
4 to 16 tokens. `python -m attn.nn.experiments.order` trains every arm and rewrites
attn/data/order.json.
"""

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.tiny import TinyTransformer

A, B, VOCAB = 0, 1, 10  # the other eight tokens are noise
SHORTEST, TRAINED, LENGTHS = 4, 16, (16, 32, 64)
LONGEST = max(LENGTHS)
BATCH, GROUPS, RATE = 64, 125, 3e-3
D_MODEL, HEADS, LAYERS = 32, 4, 2
START_SPREAD = 0.02  # spread of learned position vectors before training
SLOW_SPEEDS = (1, 0.03, 0.01, 0.001)  # speeds of "rotary slow": the second pair alone turns less
ARMS = (
    "none",
    "alibi",
    "learned",
    "sinusoidal",
    "rotary",
    "none causal",
    "alibi causal",
    "rotary slow",
)
SEEDS, STEPS, LONG_STEPS = (0, 1, 2), 300, 1200
LONG_ARMS = ("learned", "sinusoidal", "rotary")  # trained for LONG_STEPS too
GROUPS_PER_DISTANCE = 8  # groups of sequences for each distance between A and B


def sequences(count, n, generator, places=None):
    """Draw noise with one A and one B: tokens (count, n), and whether A leads (count,).

    `places` (count, 2) says where A and B stand; anywhere if not given.
    """
    tokens = torch.randint(2, VOCAB, (count, n), generator=generator)
    if places is None:
        places = torch.rand(count, n, generator=generator).argsort(dim=1)[:, :2]
    tokens.scatter_(1, places, torch.tensor([A, B]).expand(count, 2))
    return tokens, (places[:, 0] < places[:, 1]).long()


def closed_set(groups, n, generator, places=None):
    """Draw sequences, and add each with A and B swapped, read backwards, and both.

    Swapping and reading backwards each turn the answer round, so that a model whose output one of
    them leaves as it is gets half of its answers right.
    """
    tokens, leads = sequences(groups, n, generator, places)
    swapped = torch.where(tokens < 2, 1 - tokens, tokens)
    four = [tokens, swapped, tokens.flip(1), swapped.flip(1)]
    return torch.cat(four), torch.cat([leads, 1 - leads, 1 - leads, leads])


def build(arm, seed):
    """Build the untrained model of one arm: a kind of positions, and what is special about it.

    "causal" adds a causal mask, "slow" a slower second pair; learned position vectors start near 0.
    """
    if arm not in ARMS:
        raise ValueError(f"arm must be one of {', '.join(ARMS)}: got {arm!r}")
    torch.manual_seed(seed)
    kind, _, special = arm.partition(" ")
    sizes = {"d_model": D_MODEL, "heads": HEADS, "layers": LAYERS}
    model = TinyTransformer(VOCAB, LONGEST, positions=kind, causal=special == "causal", **sizes)
    if kind == "learned":
        nn.init.normal_(model.places.weight, std=START_SPREAD)
    if special == "slow":
        for block in model.blocks:
            block.attention.rotary_speeds = SLOW_SPEEDS
    return model


def answer(model, tokens):
    """Average the model's outputs over the places, and read two logits off: no, yes. (b, 2)"""
    return model(tokens).mean(dim=1)[:, :2]


def train(arm, seed, times):
    """Train once, and yield the model after each of `times` steps."""
    model = build(arm, seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    generator = torch.Generator().manual_seed(1000 + seed)
    for step in range(1, max(times) + 1):
        n = int(torch.randint(SHORTEST, TRAINED + 1, (), generator=generator))
        tokens, leads = sequences(BATCH, n, generator)
        optimiser.zero_grad()
        nn.functional.cross_entropy(answer(model, tokens), leads).backward()
        optimiser.step()
        if step in times:
            yield model


def train_order(arm, seed, *, steps=STEPS, lengths=LENGTHS):
    """Train once; return the accuracy on new sequences of each length.

    Parameters
    ----------
    arm : str
        One of ARMS.
    seed : int
    steps : int, default 300
    lengths : whole numbers
        How many tokens the test sequences have, at most 64.

    Returns
    -------
    (len(lengths),)
    """
    (model,) = train(arm, seed, (steps,))
    return by_length(model, seed, lengths)


def by_length(model, seed, lengths=LENGTHS):
    """Return the accuracy on a closed set of each length."""
    drawn = (torch.Generator().manual_seed(2000 + seed) for _ in lengths)
    sets = (closed_set(GROUPS, n, g) for n, g in zip(lengths, drawn, strict=True))
    return np.array([accuracy(model, *one) for one in sets])


def accuracy(model, tokens, leads):
    """Return the share of right answers."""
    with torch.no_grad():
        said = answer(model, tokens).argmax(dim=-1)
    return (said == leads).double().mean().item()


def by_distance(model, n):
    """Return the accuracy for each distance between A and B, 1 to n - 1, in sequences of n."""
    generator = torch.Generator().manual_seed(3000)
    found = []
    for distance in range(1, n):
        first = torch.randint(n - distance, (GROUPS_PER_DISTANCE,), generator=generator)
        places = torch.stack([first, first + distance], dim=1)
        found.append(accuracy(model, *closed_set(GROUPS_PER_DISTANCE, n, generator, places)))
    return np.array(found)


def by_side(model, n=2 * TRAINED):
    """Return three accuracies in sequences of n: how many of A and B stand beyond position 15.

    None of them, one, or both. Each sequence comes with A and B swapped as well.
    """
    generator = torch.Generator().manual_seed(4000)
    places = torch.rand(8 * GROUPS, n, generator=generator).argsort(dim=1)[:, :2]
    tokens, leads = sequences(len(places), n, generator, places)
    swapped = torch.where(tokens < 2, 1 - tokens, tokens)
    beyond = (places >= TRAINED).sum(dim=1)
    found = []
    for count in range(3):
        here = beyond == count
        pairs = torch.cat([tokens[here], swapped[here]])
        found.append(accuracy(model, pairs, torch.cat([leads[here], 1 - leads[here]])))
    return np.array(found)


def experiment(*, arms=ARMS, seeds=SEEDS, steps=STEPS, long=LONG_STEPS, progress=True):
    """Train every arm; return one plain record for each arm and number of steps."""
    bar = tqdm(total=len(arms) * len(seeds), disable=not progress, unit="run")
    records = []
    for arm in arms:
        times = (steps, long) if arm in LONG_ARMS else (steps,)
        found = {time: [] for time in times}
        for seed in seeds:
            for time, model in zip(times, train(arm, seed, times), strict=True):
                found[time].append(_measure(model, seed))
            bar.update()
        records += [{"arm": arm, "steps": time} | _columns(found[time]) for time in times]
    bar.close()
    return records


def _measure(model, seed):
    return {
        "lengths": by_length(model, seed),
        "distances": by_distance(model, LONGEST),
        "short_distances": by_distance(model, TRAINED),
        "sides": by_side(model),
    }


def _columns(runs):
    return {name: [run[name].round(4).tolist() for run in runs] for name in runs[0]}


def learned_places(*, seed=0, steps=STEPS):
    """Return the position vectors of a trained "learned" model, (64, 32)."""
    (model,) = train("learned", seed, (steps,))
    return model.places.weight.detach().numpy()


def main():
    """Write the full table, and the learned vectors of the first seed."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.order",
        "torch": torch.__version__.split("+")[0],
        "trained": TRAINED,
        "test_lengths": LENGTHS,
        "seeds": SEEDS,
        "places": learned_places()[: 2 * TRAINED].astype(float).round(3).tolist(),
        "arms": experiment(),
    }
    save("order", table)


if __name__ == "__main__":
    main()
