"""Chapter 9: a recurrent translator that learns where to look, with the additive score of 2015.

English sentences of a small grammar become French ones, where an adjective follows its noun and
an article agrees with it. `python -m attn.nn.experiments.alignment` rewrites
attn/data/alignment.json.
"""

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save

NOUNS = {
    **{"cat": ("chat", "m"), "dog": ("chien", "m"), "horse": ("cheval", "m")},
    **{"roof": ("toit", "m"), "cow": ("vache", "f"), "mouse": ("souris", "f")},
    **{"street": ("rue", "f"), "table": ("table", "f")},
}
ADJECTIVES = {
    "black": ("noir", "noire"),
    "white": ("blanc", "blanche"),
    "green": ("vert", "verte"),
    "grey": ("gris", "grise"),
}
VERBS = {"walks": "marche", "runs": "court", "sleeps": "dort", "sings": "chante"}
ENGLISH = ("the", "on", *NOUNS, *ADJECTIVES, *VERBS)
FRENCH = (
    *("<start>", "le", "la", "sur"),
    *(word for word, _ in NOUNS.values()),
    *(form for forms in ADJECTIVES.values() for form in forms),
    *VERBS.values(),
)
SHOWN = ("the black cat walks on the white street", "the cat walks on the green roof")
D, BATCH, HELD_OUT, STEPS, RATE, CLIP = 32, 32, 200, 400, 5e-3, 1.0
SEEDS = (0, 1, 2, 3, 4)


def translate(sentence):
    """The French words, and for each the place of the English word that it translates.

    Examples
    --------
    >>> translate("the black cat walks on the street")
    (['le', 'chat', 'noir', 'marche', 'sur', 'la', 'rue'], [0, 2, 1, 3, 4, 5, 6])
    """
    words = sentence.split()
    french, places, at = [], [], 0
    while at < len(words):
        if words[at] != "the":
            french.append({"on": "sur", **VERBS}[words[at]])
            places.append(at)
            at += 1
            continue
        described = words[at + 1] in ADJECTIVES
        noun, gender = NOUNS[words[at + 1 + described]]
        french += ["le" if gender == "m" else "la", noun]
        places += [at, at + 1 + described]
        if described:
            french.append(ADJECTIVES[words[at + 1]]["mf".index(gender)])
            places.append(at + 1)
        at += 2 + described
    return french, places


def draw(rng, count):
    """Sentences with adjectives at the same places, and so of one length."""
    first, second = rng.integers(2, size=2)

    def phrase(described):
        adjective = f"{rng.choice(list(ADJECTIVES))} " if described else ""
        return f"the {adjective}{rng.choice(list(NOUNS))}"

    verbs = list(VERBS)
    return [f"{phrase(first)} {rng.choice(verbs)} on {phrase(second)}" for _ in range(count)]


def encode(sentences):
    """Indices of the English and of the French words, (b, n) each."""
    english = [[ENGLISH.index(word) for word in sentence.split()] for sentence in sentences]
    french = [[FRENCH.index(word) for word in translate(s)[0]] for s in sentences]
    return torch.tensor(english), torch.tensor(french)


class Translator(nn.Module):
    """An encoder that reads both ways, and a decoder that looks back before each word it writes."""

    def __init__(self):
        super().__init__()
        self.english, self.french = nn.Embedding(len(ENGLISH), D), nn.Embedding(len(FRENCH), D)
        self.encoder = nn.GRU(D, D // 2, batch_first=True, bidirectional=True)
        self.W_s, self.W_e = nn.Linear(D, D), nn.Linear(D, D, bias=False)
        self.w = nn.Linear(D, 1, bias=False)
        self.decoder = nn.GRUCell(2 * D, D)
        self.readout = nn.Linear(2 * D, len(FRENCH))

    def forward(self, english, french=None):
        """Logits (b, n, words) and the weights of every step (b, n, m).

        With `french` each step is given the right previous word, else the one it wrote.
        """
        H = self.encoder(self.english(english))[0]  # (b, m, d)
        compared = self.W_e(H)
        s = H.new_zeros(len(H), D)
        word = torch.zeros(len(H), dtype=torch.long)
        logits, rows = [], []
        for t in range(english.shape[1]):
            scores = self.w(torch.tanh(self.W_s(s)[:, None] + compared))[..., 0]  # (b, m)
            rows.append(torch.softmax(scores, dim=-1))
            context = torch.einsum("bm,bmd->bd", rows[-1], H)
            s = self.decoder(torch.cat([self.french(word), context], dim=-1), s)
            logits.append(self.readout(torch.cat([s, context], dim=-1)))
            word = logits[-1].argmax(dim=-1) if french is None else french[:, t]
        return torch.stack(logits, dim=1), torch.stack(rows, dim=1)


def train_translator(seed, *, steps=STEPS):
    """Train one model; return it."""
    torch.manual_seed(seed)
    model, rng = Translator(), np.random.default_rng(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        english, french = encode(draw(rng, BATCH))
        logits, _ = model(english, french)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), french.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimiser.step()
    return model.eval()


@torch.no_grad()
def look(model, sentence):
    """What it writes for one sentence, and its weights, (n, m)."""
    logits, A = model(encode([sentence])[0])
    return [FRENCH[i] for i in logits[0].argmax(dim=-1)], A[0].numpy()


@torch.no_grad()
def evaluate(model, seed):
    """Share of sentences written right, and of words that look most at the word they translate."""
    rng = np.random.default_rng(1000 + seed)
    right, aligned = [], {"article": [], "noun": [], "adjective": [], "other": []}
    for _ in range(HELD_OUT // 10):
        sentences = draw(rng, 10)
        english, french = encode(sentences)
        logits, A = model(english)
        right += (logits.argmax(dim=-1) == french).all(dim=1).tolist()
        for sentence, most in zip(sentences, A.argmax(dim=-1).tolist(), strict=True):
            words = sentence.split()
            for place, at in zip(translate(sentence)[1], most, strict=True):
                aligned[_kind(words[place])].append(at == place)
    return float(np.mean(right)), {kind: float(np.mean(hits)) for kind, hits in aligned.items()}


def _kind(word):
    if word == "the":
        return "article"
    return "noun" if word in NOUNS else "adjective" if word in ADJECTIVES else "other"


def experiment(*, seeds=SEEDS, steps=STEPS, progress=True):
    """Train every seed; return one plain record for each."""
    records = []
    for seed in tqdm(seeds, disable=not progress, unit="run"):
        model = train_translator(seed, steps=steps)
        right, aligned = evaluate(model, seed)
        shown = [look(model, sentence) for sentence in SHOWN]
        records.append(
            {"seed": seed, "right": round(right, 3)}
            | {"aligned": {kind: round(share, 3) for kind, share in aligned.items()}}
            | {"written": [" ".join(words) for words, _ in shown]}
            | {"weights": [np.round(A, 3).astype(float).tolist() for _, A in shown]}
        )
    return records


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.alignment",
        "torch": torch.__version__.split("+")[0],
        "sentences": SHOWN,
        "runs": experiment(),
    }
    save("alignment", table)


if __name__ == "__main__":
    main()
