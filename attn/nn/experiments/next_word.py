"""Chapter 6: what a next-word model learns when it can see the next word.

Two sentences of a small grammar, one head, and a read-out of each word's vector plus what attention
brings. `python -m attn.nn.experiments.next_word` trains every arm and rewrites
attn/data/next_word.json.
"""

import math

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save

# the SUBJECT VERB on the GROUND . — each choice is one of equally likely ones
VERBS = {
    "cat": ("walks", "sleeps"),
    "dog": ("walks", "runs"),
    "bird": ("sings", "sleeps"),
    "child": ("sings", "runs"),
}
GROUNDS = {
    "walks": ("street", "beach"),
    "sleeps": ("sofa", "roof"),
    "runs": ("beach", "field"),
    "sings": ("roof", "field"),
}
WORDS = (".", "the", "on", *VERBS, *GROUNDS, "street", "beach", "sofa", "roof", "field")
SENTENCES = [
    ("the", subject, verb, "on", "the", ground, ".")
    for subject, verbs in VERBS.items()
    for verb in verbs
    for ground in GROUNDS[verb]
]
LENGTH = 14  # two sentences
# Of seven words three are open: one subject of four, one verb of two, one ground of two.
FLOOR = (math.log(4) + math.log(2) + math.log(2)) / 7
ARMS = ("causal", "none", "one too far", "zeroed scores", "zeroed weights")
SIZE, BATCH, HELD_OUT, RATE = 48, 64, 500, 3e-3
STEPS, SEEDS, WRITTEN_TEXTS = 600, (0, 1, 2, 3, 4), 100


class NextWord(nn.Module):
    """One head over the words so far, and a score for each word that may come next.

    Parameters
    ----------
    arm : {"causal", "none", "one too far", "zeroed scores", "zeroed weights"}
        Hide later words before the softmax; hide nothing; hide all but the next word; or try to
        hide later words by a score of 0, or by a weight of 0 after the softmax.
    """

    def __init__(self, arm):
        super().__init__()
        if arm not in ARMS:
            raise ValueError(f"arm must be one of {', '.join(ARMS)}: got {arm!r}")
        self.arm = arm
        self.words, self.places = nn.Embedding(len(WORDS), SIZE), nn.Embedding(LENGTH, SIZE)
        self.W_q, self.W_k, self.W_v = (nn.Linear(SIZE, SIZE, bias=False) for _ in range(3))
        self.readout = nn.Linear(SIZE, len(WORDS))

    def forward(self, tokens):
        """Return logits (b, n, words): at each place, what comes next."""
        X = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        A = self.weights(X)
        return self.readout(X + A @ self.W_v(X))

    def weights(self, X):
        """Return the weights (b, n, n), masked in the arm's way."""
        scores = self.W_q(X) @ self.W_k(X).mT / math.sqrt(SIZE)
        n = X.shape[1]
        reach = {"none": n, "one too far": 1}.get(self.arm, 0)
        look = torch.ones(n, n, dtype=torch.bool).tril(reach)
        if self.arm == "zeroed scores":
            return torch.softmax(scores * look, dim=-1)
        if self.arm == "zeroed weights":
            return torch.softmax(scores, dim=-1) * look
        return torch.softmax(scores.masked_fill(~look, -torch.inf), dim=-1)


def texts(count, generator):
    """Draw texts of two sentences after a full stop, as word numbers (count, 15)."""
    index = {word: i for i, word in enumerate(WORDS)}
    every = torch.tensor([[index[word] for word in sentence] for sentence in SENTENCES])
    pick = torch.randint(len(SENTENCES), (count, 2), generator=generator)
    start = torch.full((count, 1), index["."])
    return torch.cat([start, every[pick].flatten(1)], dim=1)


def train_next_word(arm, seed, *, steps=STEPS):
    """Train once; return the model.

    Each step sees 64 new texts, and predicts all their words in one pass.
    """
    torch.manual_seed(seed)
    model = NextWord(arm)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    generator = torch.Generator().manual_seed(1000 + seed)
    for _ in range(steps):
        batch = texts(BATCH, generator)
        loss = _loss(model(batch[:, :-1]), batch[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model


def _loss(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())


@torch.no_grad()
def reading_loss(model, seed=0, *, count=HELD_OUT):
    """Return the loss on new texts that stand there whole, as in training."""
    new = texts(count, torch.Generator().manual_seed(2000 + seed))
    return _loss(model(new[:, :-1]), new[:, 1:]).item()


@torch.no_grad()
def writing_loss(model, seed=0, *, count=HELD_OUT):
    """Return the loss on the same texts when the model is given only the words so far."""
    new = texts(count, torch.Generator().manual_seed(2000 + seed))
    losses = [_loss(model(new[:, :t])[:, -1], new[:, t]).item() for t in range(1, LENGTH + 1)]
    return float(np.mean(losses))


@torch.no_grad()
def write(model, seed=0, *, count=WRITTEN_TEXTS):
    """Let the model write texts, each word drawn by its own probabilities; a list of word lists."""
    generator = torch.Generator().manual_seed(3000 + seed)
    tokens = torch.zeros(count, 1, dtype=torch.long)
    for _ in range(LENGTH):
        p = torch.softmax(model(tokens)[:, -1], dim=-1)
        tokens = torch.cat([tokens, torch.multinomial(p, 1, generator=generator)], dim=1)
    return [[WORDS[token] for token in row] for row in tokens[:, 1:].tolist()]


def is_possible(text):
    """Whether the grammar could have made both sentences.

    >>> is_possible("the cat walks on the street . the dog runs on the field .".split())
    True
    """
    return all(tuple(text[at : at + 7]) in set(SENTENCES) for at in (0, 7))


def constant_loss():
    """Return the loss of the best answer that is always the same: the words' own frequencies."""
    words = [word for sentence in SENTENCES for word in sentence]
    p = np.unique(words, return_counts=True)[1] / len(words)
    return float(-(p * np.log(p)).sum())


def _measure(model, seed):
    """Losses, and of 100 written texts how many are possible, and how many of those differ."""
    right = [tuple(text) for text in write(model, seed) if is_possible(text)]
    return {
        "reading": round(reading_loss(model, seed), 4),
        "writing": round(writing_loss(model, seed), 4),
        "possible": len(right),
        "different": len(set(right)),
    }


def experiment(*, arms=ARMS, seeds=SEEDS, steps=STEPS, progress=True):
    """Train every arm; return one plain record for each."""
    bar = tqdm(total=len(arms) * len(seeds), disable=not progress, unit="run")
    records = []
    for arm in arms:
        found = []
        for seed in seeds:
            model = train_next_word(arm, seed, steps=steps)
            found.append(_measure(model, seed))
            bar.update()
        columns = {name: [one[name] for one in found] for name in found[0]}
        records.append({"arm": arm, "seeds": list(seeds), **columns})
    bar.close()
    return records


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.next_word",
        "torch": torch.__version__.split("+")[0],
        "steps": STEPS,
        "floor": round(FLOOR, 4),
        "constant": round(constant_loss(), 4),
        "arms": experiment(),
    }
    save("next_word", table)


if __name__ == "__main__":
    main()
