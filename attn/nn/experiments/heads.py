"""Chapter 5: can one head answer two questions at once?

A sequence holds 8 slots, each a key and a value; a query names two keys, one first and one second,
and the model must say both values in that order. `python -m attn.nn.experiments.heads` trains every
arm and rewrites attn/data/heads.json.
"""

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.multi_head import MultiHeadAttention

KEYS, VALUES, SLOTS, ROLES = 16, 8, 8, 2
D, HIDDEN = 64, 128
BATCH, HELD_OUT, RATE = 128, 1000, 3e-3
MEASURED_STEPS = (0, 20, 40, 60, 80, 100, 150, 200, 300, 500, 1000, 2000)
ARMS = ((1, False), (2, False), (4, False), (1, True), (2, True), (4, True))
SEEDS, STEPS = (0, 1, 2, 3), MEASURED_STEPS[-1]
# One head with a linear read-out, once more: three times as long, at three step sizes.
LONGER_STEPS, RATES = (2000, 4000, 6000), (1e-3, 3e-3, 1e-2)


class TwoKeys(nn.Module):
    """One layer of attention over the slots, and a read-out of both values that were asked for.

    Parameters
    ----------
    heads : int
        It must divide 64. The number of parameters does not depend on it.
    mlp : bool
        Whether the read-out is a layer of 128 units with a ReLU in between, or linear.
    """

    def __init__(self, heads, mlp=False):
        super().__init__()
        self.keys, self.values = nn.Embedding(KEYS, D), nn.Embedding(VALUES, D)
        self.asked = nn.Embedding(ROLES * KEYS, D)
        self.attention = MultiHeadAttention(D, heads, bias=False)
        hidden = [nn.Linear(D, HIDDEN), nn.ReLU()] if mlp else []
        self.readout = nn.Sequential(*hidden, nn.Linear(HIDDEN if mlp else D, ROLES * VALUES))

    def forward(self, keys, values, asked):
        """Return one logit for each role and value, (b, 2, 8)."""
        return self.readout(self.attention(*self._tokens(keys, values, asked))[:, 0]).unflatten(
            -1, (ROLES, VALUES)
        )

    def weights(self, keys, values, asked):
        """Return how each head shares the query's attention among the slots, (b, h, slots)."""
        return self.attention.weights(*self._tokens(keys, values, asked))[..., 0, :]

    def _tokens(self, keys, values, asked):
        query = self.asked(asked + KEYS * torch.arange(ROLES)).sum(dim=1, keepdim=True)
        return query, self.keys(keys) + self.values(values)


def sequences(count, generator):
    """Draw slots without a repeated key, and ask for two: keys, values, asked, answers."""
    keys = torch.rand(count, KEYS, generator=generator).argsort(dim=1)[:, :SLOTS]
    values = torch.randint(VALUES, (count, SLOTS), generator=generator)
    slots = torch.rand(count, SLOTS, generator=generator).argsort(dim=1)[:, :ROLES]
    return keys, values, keys.gather(1, slots), values.gather(1, slots)


def train_two_keys(
    heads, seed, *, mlp=False, steps=STEPS, measured_steps=MEASURED_STEPS, rate=RATE
):
    """Train once.

    Returns
    -------
    dict
        "accuracy", one row (first, second, both) on held-out sequences after each of the
        `measured_steps` up to `steps`; "ablated", one row (first, second) for each head removed at
        the end; "weights", one row (first, second) for each head: what it gives to those two slots.
    """
    torch.manual_seed(seed)
    model = TwoKeys(heads, mlp)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    generator = torch.Generator().manual_seed(1000 + seed)
    held_out = sequences(HELD_OUT, torch.Generator().manual_seed(2000 + seed))
    found = [_accuracy(model, held_out)]
    for step in range(1, steps + 1):
        *given, answers = sequences(BATCH, generator)
        logits = model(*given)
        optimiser.zero_grad()
        nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten()).backward()
        optimiser.step()
        if step in measured_steps:
            found.append(_accuracy(model, held_out))
    ablated = [_accuracy_without(model, head, held_out)[:ROLES] for head in range(heads)]
    return {
        "accuracy": np.array(found),
        "ablated": np.array(ablated),
        "weights": _weights_on_asked(model, held_out),
    }


def _accuracy(model, held_out):
    """How often the first, the second and both answers are right."""
    *given, answers = held_out
    with torch.no_grad():
        right = (model(*given).argmax(dim=-1) == answers).double()
    return [*right.mean(dim=0).tolist(), right.prod(dim=1).mean().item()]


def _weights_on_asked(model, held_out):
    """Each head's mean weight on the slots that were asked first and second, (h, 2)."""
    keys, values, asked, _ = held_out
    with torch.no_grad():
        A = model.weights(keys, values, asked)
    hits = (keys[:, None] == asked[:, :, None]).float()  # b, role, slot
    return torch.einsum("bhs,brs->hr", A, hits).numpy() / len(keys)


def _accuracy_without(model, head, held_out):
    """The accuracy with the rows of W_o that belong to a head set to 0."""
    W_o = model.attention.W_o.weight  # (out, in): a row of ours is a column here
    kept = W_o.detach().clone()
    with torch.no_grad():
        W_o.unflatten(1, (model.attention.heads, -1))[:, head] = 0
        found = _accuracy(model, held_out)
        W_o.copy_(kept)
    return found


def experiment(*, arms=ARMS, seeds=SEEDS, steps=STEPS, progress=True):
    """Train every arm; return one plain record for each."""
    bar = tqdm(total=len(arms) * len(seeds), disable=not progress, unit="run")
    records = []
    for heads, mlp in arms:
        runs = []
        for seed in seeds:
            runs.append(train_two_keys(heads, seed, mlp=mlp, steps=steps))
            bar.update()
        records.append(_record(heads, mlp, seeds, runs))
    bar.close()
    return records


def train_longer(*, rates=RATES, measured_steps=LONGER_STEPS, seed=0):
    """Train one head with a linear read-out at each step size; return one plain record for each."""
    runs = {
        rate: train_two_keys(
            1, seed, steps=measured_steps[-1], measured_steps=measured_steps, rate=rate
        )
        for rate in rates
    }
    return [
        {
            "rate": rate,
            "seed": seed,
            "measured_steps": list(measured_steps),
            "accuracy": run["accuracy"][1:].round(3).tolist(),
        }
        for rate, run in runs.items()
    ]


def _record(heads, mlp, seeds, runs):
    """One arm as JSON values: for each seed and time (first, second, both), and the ablations."""
    return {
        "heads": heads,
        "mlp": mlp,
        "parameters": sum(p.numel() for p in TwoKeys(heads, mlp).parameters()),
        "seeds": list(seeds),
        "measured_steps": list(MEASURED_STEPS[: len(runs[0]["accuracy"])]),
        "accuracy": [run["accuracy"].round(3).tolist() for run in runs],
        "ablated": [run["ablated"].round(3).tolist() for run in runs],
    }


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.heads",
        "torch": torch.__version__.split("+")[0],
        "longer": train_longer(),
        "arms": experiment(),
    }
    save("heads", table)


if __name__ == "__main__":
    main()
