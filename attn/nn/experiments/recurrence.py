"""Chapter 9: how fast a recurrence and a look learn to fetch something from far back.

*first*: say the first of T + 1 random symbols. *recall*: after some pairs of a key and a value, a
key comes again; say its value. `python -m attn.nn.experiments.recurrence` rewrites
attn/data/recurrence.json.
"""

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save

ANSWERS, KEYS = 8, 16
D, BATCH, HELD_OUT, RATE, CLIP = 32, 64, 500, 3e-3, 1.0
KINDS = ("attention", "gru", "rnn")
SEEDS = (0, 1, 2)
EVERY = 50
# A size is a number of distractors T, or of pairs.
_OPEN = {"keep": 3.0}
_MANY = {"seeds": (0, 1, 2, 3, 4)}
ARMS = (
    *({"task": "first", "kind": "attention", "size": T, "steps": 300} for T in (10, 30, 100)),
    *({"task": "first", "kind": "rnn", "size": T, "steps": 1500} for T in (10, 30)),
    {"task": "first", "kind": "gru", "size": 10, "steps": 600},
    {"task": "first", "kind": "gru", "size": 30, "steps": 3200},
    {"task": "first", "kind": "gru", "size": 30, "steps": 500} | _OPEN,
    {"task": "first", "kind": "gru", "size": 100, "steps": 1500},
    {"task": "first", "kind": "gru", "size": 100, "steps": 800} | _OPEN,
    *({"task": "recall", "kind": "attention", "size": m, "steps": 300} for m in (2, 4, 8, 16)),
    *(
        {"task": "recall", "kind": "gru", "size": m, "steps": steps} | start | _MANY
        for start in ({}, _OPEN)
        for m, steps in ((2, 1500), (4, 9000), (8, 1500), (16, 1500))
    ),
    {"task": "recall", "kind": "gru", "size": 4, "steps": 1500, "width": 128} | _MANY,
)


class Reader(nn.Module):
    """Read pairs of indices, one token each, and answer from the last output.

    Parameters
    ----------
    kind : {"attention", "gru", "rnn"}
        One head whose query is the last token, or one recurrent layer and its last state.
    tables : (int, int)
        How many indices there are of either sort; a token is the sum of their two vectors.
    width : int, default 32
        Size of the head's queries, keys and values, or of the state.
    keep : float, default 0
        Start of the bias, one for each entry, of the gate that keeps a GRU's state.
    """

    def __init__(self, kind, tables, *, width=D, keep=0.0):
        super().__init__()
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}: got {kind!r}")
        self.tables = nn.ModuleList(nn.Embedding(count, D) for count in tables)
        if kind == "attention":
            self.W_q, self.W_k, self.W_v = (nn.Linear(D, width) for _ in range(3))
        else:
            self.layer = {"gru": nn.GRU, "rnn": nn.RNN}[kind](D, width, batch_first=True)
        if keep:
            with torch.no_grad():
                self.layer.bias_hh_l0[width : 2 * width] = keep
        self.kind, self.readout = kind, nn.Linear(width, ANSWERS)

    def tokens(self, pairs):
        """Return the vectors that either kind reads, (b, n, d)."""
        return self.tables[0](pairs[..., 0]) + self.tables[1](pairs[..., 1])

    def forward(self, X):
        """Return one logit for each answer, (b, 8)."""
        if self.kind != "attention":
            return self.readout(self.layer(X)[0][:, -1])
        q, K, V = self.W_q(X[:, -1]), self.W_k(X), self.W_v(X)
        scores = torch.einsum("bd,bnd->bn", q, K) / q.shape[-1] ** 0.5
        return self.readout(torch.einsum("bn,bnd->bd", torch.softmax(scores, dim=-1), V))


def draw_first(T, count, generator):
    """T + 1 symbols with their places, (count, T + 1, 2), and the first symbol."""
    symbols = torch.randint(ANSWERS, (count, T + 1), generator=generator)
    places = torch.arange(T + 1).expand(count, -1)
    return torch.stack([symbols, places], dim=-1), symbols[:, 0]


def draw_recall(pairs, count, generator):
    """Distinct keys with values, then one of the keys, (count, pairs + 1, 2), and its value."""
    keys = torch.rand(count, KEYS, generator=generator).argsort(dim=1)[:, :pairs]
    values = torch.randint(ANSWERS, (count, pairs), generator=generator)
    slot = torch.randint(pairs, (count, 1), generator=generator)
    keys = torch.cat([keys, keys.gather(1, slot)], dim=1)
    asked = torch.full((count, 1), ANSWERS)
    return torch.stack([keys, torch.cat([values, asked], 1)], dim=-1), values.gather(1, slot)[:, 0]


TASKS = {
    "first": (draw_first, lambda T: (ANSWERS, T + 1)),
    "recall": (draw_recall, lambda pairs: (KEYS, ANSWERS + 1)),
}


def train_reader(task, kind, size, seed, *, steps, every=EVERY, width=D, keep=0.0, gradients=False):
    """Train one model once.

    Parameters
    ----------
    task : {"first", "recall"}
    kind, width, keep
        As for `Reader`.
    size : int
        Distractors T, or pairs.
    gradients : bool, default False
        Also measure how large the loss's gradient at the first token is.

    Returns
    -------
    accuracy : (1 + steps // every,)
        On 500 new sequences, after 0, every, 2 every, … steps.
    reach : (1 + steps // every,), only with `gradients`
        The median over those sequences of ‖∂L/∂x₁‖, L being a sequence's own loss.
    """
    draw, tables = TASKS[task]
    torch.manual_seed(seed)
    model = Reader(kind, tables(size), width=width, keep=keep)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    generator = torch.Generator().manual_seed(1000 + seed)
    held_out = draw(size, HELD_OUT, torch.Generator().manual_seed(2000 + seed))
    found = [_measure(model, held_out, gradients)]
    for step in range(1, steps + 1):
        pairs, answer = draw(size, BATCH, generator)
        loss = nn.functional.cross_entropy(model(model.tokens(pairs)), answer)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimiser.step()
        if step % every == 0:
            found.append(_measure(model, held_out, gradients))
    accuracy, reach = np.array(found).T
    return (accuracy, reach) if gradients else accuracy


def _measure(model, held_out, gradients):
    pairs, answer = held_out
    X = model.tokens(pairs).detach().requires_grad_(gradients)
    logits = model(X)
    right = (logits.argmax(dim=-1) == answer).float().mean().item()
    if not gradients:
        return right, 0.0
    loss = nn.functional.cross_entropy(logits, answer, reduction="sum")
    (at_X,) = torch.autograd.grad(loss, X)
    return right, at_X[:, 0].norm(dim=-1).median().item()


def experiment(arms=ARMS, *, seeds=SEEDS, progress=True):
    """Train every arm with its seeds; return one plain record for each arm."""
    arms = [{"width": D, "keep": 0.0, "seeds": seeds} | arm for arm in arms]
    bar = tqdm(total=sum(len(arm["seeds"]) for arm in arms), disable=not progress, unit="run")
    records = []
    for arm in arms:
        runs = []
        for seed in arm["seeds"]:
            settings = {name: part for name, part in arm.items() if name != "seeds"}
            runs.append(train_reader(seed=seed, gradients=True, **settings))
            bar.update()
        accuracy, reach = zip(*runs, strict=True)
        records.append(
            arm
            | {"seeds": list(arm["seeds"]), "parameters": _parameters(arm)}
            | {"measured_steps": list(range(0, arm["steps"] + 1, EVERY))}
            | {"accuracy": [[round(float(x), 3) for x in run] for run in accuracy]}
            | {"reach": [[float(f"{x:.3g}") for x in run] for run in reach]}
        )
    bar.close()
    return records


def _parameters(arm):
    """How many numbers the arm learns."""
    tables = TASKS[arm["task"]][1](arm["size"])
    model = Reader(arm["kind"], tables, width=arm["width"])
    return sum(part.numel() for part in model.parameters())


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.recurrence",
        "torch": torch.__version__.split("+")[0],
        "arms": experiment(),
    }
    save("recurrence", table)


if __name__ == "__main__":
    main()
