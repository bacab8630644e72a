"""Chapter 4: does a lookup learn without the division by √d_k?

A sequence holds 16 slots, each a key and a value; a query names one key, and the model must say its
value. `python -m attn.nn.experiments.scaling` trains every arm and rewrites attn/data/scaling.json.
"""

import math

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save

KEYS, VALUES, SLOTS = 64, 8, 16
BATCH, HELD_OUT, RATE = 32, 500, 1e-3
EVERY = 30
ARMS = ("scaled", "unscaled", "small start", "model size")
HEADS = 8  # of the model whose size is mistaken for the head's
SIZES, SEEDS, STEPS = (64, 256), (0, 1, 2, 3, 4), 600


class Retriever(nn.Module):
    """One head over the slots, and a linear read-out of the value that the query asked for.

    Parameters
    ----------
    d : int
        Size of tokens, queries, keys and values.
    arm : {"scaled", "unscaled", "small start", "model size"}
        Divide the scores by √d; do not; do not, but start W_q and its bias √d times smaller, so
        that the first scores equal the scaled ones; or divide by √(8 d), as if d were d_model.
    """

    def __init__(self, d, arm):
        super().__init__()
        if arm not in ARMS:
            raise ValueError(f"arm must be one of {', '.join(ARMS)}: got {arm!r}")
        self.keys, self.values = nn.Embedding(KEYS, d), nn.Embedding(VALUES, d)
        self.W_q, self.W_k, self.W_v = (nn.Linear(d, d) for _ in range(3))
        self.readout = nn.Linear(d, VALUES)
        self.scale = {"scaled": d, "model size": HEADS * d}.get(arm, 1) ** -0.5
        if arm == "small start":
            with torch.no_grad():
                for part in self.W_q.parameters():
                    part /= math.sqrt(d)

    def queries(self, asked):
        """Return one query for each asked key, (b, d)."""
        return self.W_q(self.keys(asked))

    def scores(self, q, keys, values):
        """Return what enters the softmax, (b, slots)."""
        K = self.W_k(self.keys(keys) + self.values(values))
        return self.scale * torch.einsum("bd,bnd->bn", q, K)

    def answer(self, q, keys, values):
        """Return one logit for each value, (b, 8)."""
        A = torch.softmax(self.scores(q, keys, values), dim=-1)
        V = self.W_v(self.keys(keys) + self.values(values))
        return self.readout(torch.einsum("bn,bnd->bd", A, V))


def sequences(count, generator):
    """Draw slots without a repeated key, and ask for one of them: keys, values, asked, answer."""
    keys = torch.rand(count, KEYS, generator=generator).argsort(dim=1)[:, :SLOTS]
    values = torch.randint(VALUES, (count, SLOTS), generator=generator)
    slot = torch.randint(SLOTS, (count, 1), generator=generator)
    return keys, values, keys.gather(1, slot)[:, 0], values.gather(1, slot)[:, 0]


def train_retrieval(d, arm, seed, *, steps=STEPS, every=EVERY):
    """Train once; return the accuracy on held-out sequences after 0, every, 2 every, … steps."""
    torch.manual_seed(seed)
    model = Retriever(d, arm)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    generator = torch.Generator().manual_seed(1000 + seed)
    held_out = sequences(HELD_OUT, torch.Generator().manual_seed(2000 + seed))
    found = [_accuracy(model, held_out)]
    for step in range(1, steps + 1):
        keys, values, asked, answer = sequences(BATCH, generator)
        logits = model.answer(model.queries(asked), keys, values)
        optimiser.zero_grad()
        nn.functional.cross_entropy(logits, answer).backward()
        optimiser.step()
        if step % every == 0:
            found.append(_accuracy(model, held_out))
    return np.array(found)


def _accuracy(model, held_out):
    keys, values, asked, answer = held_out
    with torch.no_grad():
        logits = model.answer(model.queries(asked), keys, values)
    return (logits.argmax(dim=-1) == answer).float().mean().item()


def first_step(d, arm, seed, *, count=HELD_OUT):
    """Look at an untrained model once.

    Returns
    -------
    dict
        "spread", the scores' standard deviation; "W_q", the norm of the loss's gradient at W_q;
        "queries", the norm of each sequence's own gradient at its query, (count,).
    """
    torch.manual_seed(seed)
    model = Retriever(d, arm)
    keys, values, asked, answer = sequences(count, torch.Generator().manual_seed(2000 + seed))
    q = model.queries(asked)
    q.retain_grad()
    scores = model.scores(q, keys, values)
    logits = model.answer(q, keys, values)
    nn.functional.cross_entropy(logits, answer).backward()
    return {
        "spread": scores.std().item(),
        "W_q": model.W_q.weight.grad.norm().item(),
        "queries": (count * q.grad.norm(dim=-1)).numpy(),
    }


def experiment(*, sizes=SIZES, arms=ARMS, seeds=SEEDS, steps=STEPS, progress=True):
    """Train every arm at every size; return one plain record for each."""
    pairs = [(d, arm) for d in sizes for arm in arms]
    bar = tqdm(total=len(pairs) * len(seeds), disable=not progress, unit="run")
    records = []
    for d, arm in pairs:
        runs, firsts = [], []
        for seed in seeds:
            runs.append(train_retrieval(d, arm, seed, steps=steps))
            firsts.append(first_step(d, arm, seed))
            bar.update()
        records.append(_record(d, arm, seeds, runs, firsts))
    bar.close()
    return records


def _record(d, arm, seeds, runs, firsts):
    """One arm as JSON values: a row of accuracies for each seed, and the first step in brief."""
    queries = [first["queries"] for first in firsts]
    return {
        "d": d,
        "arm": arm,
        "seeds": list(seeds),
        "measured_steps": [EVERY * at for at in range(len(runs[0]))],
        "accuracy": [[round(float(x), 3) for x in run] for run in runs],
        "spread": [round(first["spread"], 3) for first in firsts],
        "gradient_W_q": [round(first["W_q"], 4) for first in firsts],
        "gradient_query_median": [round(float(np.median(q)), 5) for q in queries],
        "gradient_query_mean": [round(float(np.mean(q)), 5) for q in queries],
    }


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.scaling",
        "torch": torch.__version__.split("+")[0],
        "chance": 1 / VALUES,
        "arms": experiment(),
    }
    save("scaling", table)


if __name__ == "__main__":
    main()
