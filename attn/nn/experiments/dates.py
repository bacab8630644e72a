"""Chapter 11: a tiny translator, from dates in English words to digits, that shows where it looks.

"the third of march eighteen nineteen" becomes 1819-03-03, by an encoder, and a decoder with
cross-attention. `python -m attn.nn.experiments.dates` trains every arm and rewrites
attn/data/dates.json.
"""

from calendar import monthrange
from functools import cache

import numpy as np
import torch
from torch import nn
from tqdm.auto import tqdm

from attn.data import save
from attn.nn import EncoderBlock, MultiHeadAttention
from attn.nn.dot_product import causal_mask
from attn.nn.experiments.training import train

ONES = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth"),
)
ROUND_ORDINALS = ("twentieth", "thirtieth")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
OTHERS = ("the", "of", "in", "on", "day", "year", "hundred", "thousand", "oh", "and")
PAD = "·"
WORDS = (PAD, *OTHERS, *ONES, *TENS, *ORDINALS, *ROUND_ORDINALS, *MONTHS)
INDEX = {word: i for i, word in enumerate(WORDS)}
CHARACTERS = (*"0123456789-", "<start>")
# O is the day as an ordinal, C as a number, M the month, Y the year.
TEMPLATES = (
    *("M O Y", "the O of M Y", "O M Y", "on M the O Y", "in Y on the O of M", "M C Y"),
    *("the O day of M in Y", "in the year Y on M O"),
)
UNSEEN_TEMPLATES = ("Y M O", "in M Y on the O")
FIRST_YEAR, LAST_YEAR = 1800, 2099
FIELDS = {"year": slice(0, 4), "month": slice(5, 7), "day": slice(8, 10)}
LONGEST, WRITTEN = 16, 10
SIZE, HEADS, BATCH, RATE, STEPS = 48, 2, 64, 3e-3, 700
HELD_YEARS, HELD_DATES, TESTED = 30, 2000, 1000
SEEDS = (0, 1, 2)
ARMS = {"encoder": {}, "no encoder layer": {"encoder": False}}
SHOWN = ((1819, 3, 3, "the O of M Y"), (2047, 11, 23, "in Y on the O of M"))


def year_words(year):
    """Return a year as it is said.

    >>> [" ".join(year_words(year)) for year in (1800, 1805, 2005, 2047)]
    ['eighteen hundred', 'eighteen oh five', 'two thousand and five', 'twenty forty seven']
    """
    century, rest = divmod(year, 100)
    if century == 20 and rest < 10:
        return ["two", "thousand", *(["and", ONES[rest - 1]] if rest else [])]
    first = number_words(century)
    if rest == 0:
        return [*first, "hundred"]
    return [*first, "oh", ONES[rest - 1]] if rest < 10 else [*first, *number_words(rest)]


def number_words(x):
    """Return a number from 1 to 99 in words."""
    if x < 20:
        return [ONES[x - 1]]
    return [TENS[x // 10 - 2], *([ONES[x % 10 - 1]] if x % 10 else [])]


def ordinal_words(day):
    """Return a day of a month as an ordinal."""
    if day < 20:
        return [ORDINALS[day - 1]]
    if day % 10 == 0:
        return [ROUND_ORDINALS[day // 10 - 2]]
    return [TENS[day // 10 - 2], ORDINALS[day % 10 - 1]]


def say(year, month, day, template):
    """Return a date in words, and for each word its field, or "" if it belongs to none.

    Examples
    --------
    >>> say(1819, 3, 3, "the O of M Y")[0]
    ['the', 'third', 'of', 'march', 'eighteen', 'nineteen']
    """
    parts = {
        "O": (ordinal_words(day), "day"),
        "C": (number_words(day), "day"),
        "M": ([MONTHS[month - 1]], "month"),
        "Y": (year_words(year), "year"),
    }
    words, fields = [], []
    for part in template.split():
        said, field = parts.get(part, ([part], ""))
        words += said
        fields += [field] * len(said)
    return words, fields


def iso(year, month, day):
    """Return the characters to write.

    >>> "".join(iso(1819, 3, 3))
    '1819-03-03'
    """
    return list(f"{year}-{month:02}-{day:02}")


@cache
def split():
    """Return the dates to train on, unseen dates of the same years, and dates of unseen years."""
    rng = np.random.default_rng(7)
    years = np.arange(FIRST_YEAR, LAST_YEAR + 1)
    hidden = set(rng.choice(years, HELD_YEARS, replace=False).tolist())
    every = [
        (year, month, day)
        for year in years.tolist()
        for month in range(1, 13)
        for day in range(1, monthrange(year, month)[1] + 1)
    ]
    known = [date for date in every if date[0] not in hidden]
    order = rng.permutation(len(known))
    unseen, trained = order[:HELD_DATES], order[HELD_DATES:]
    return (
        [known[i] for i in trained],
        [known[i] for i in unseen],
        [date for date in every if date[0] in hidden],
    )


def encode(texts):
    """Return word numbers (b, m), filled up at the end."""
    longest = max(map(len, texts))
    rows = [[INDEX[word] for word in words] + [0] * (longest - len(words)) for words in texts]
    return torch.tensor(rows)


def encode_dates(dates):
    """Return the characters' numbers, (b, 10)."""
    return torch.tensor([[CHARACTERS.index(c) for c in iso(*date)] for date in dates])


class DateWriter(nn.Module):
    """An encoder block over the words; a decoder block that looks back, and at the words."""

    def __init__(self, *, encoder=True):
        super().__init__()
        self.words, self.word_places = nn.Embedding(len(WORDS), SIZE), nn.Embedding(LONGEST, SIZE)
        self.encoder = EncoderBlock(SIZE, HEADS) if encoder else None
        self.memory_norm = nn.LayerNorm(SIZE)
        self.characters = nn.Embedding(len(CHARACTERS), SIZE)
        self.character_places = nn.Embedding(WRITTEN, SIZE)
        self.norm_back, self.norm_cross = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE)
        self.norm_forward, self.norm = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE)
        self.back, self.cross = (MultiHeadAttention(SIZE, HEADS) for _ in range(2))
        self.forward_part = nn.Sequential(
            nn.Linear(SIZE, 4 * SIZE), nn.ReLU(), nn.Linear(4 * SIZE, SIZE)
        )
        self.readout = nn.Linear(SIZE, len(CHARACTERS))

    def forward(self, words, characters, visible=None):
        """Return logits (b, n, characters) for the character after each of those given.

        `visible` (b, n, m) says which words each character may look at; all by default.
        """
        return self._run(words, characters, visible)[0]

    def weights(self, words, characters, visible=None):
        """Return the cross-attention's weights, (b, heads, n, m)."""
        return self._run(words, characters, visible)[1]

    def _run(self, words, characters, visible):
        n, m = characters.shape[1], words.shape[1]
        real = (words != 0)[:, None]  # (b, 1, m)
        X = self.words(words) + self.word_places.weight[:m]
        if self.encoder is not None:
            X = self.encoder(X, mask=real.expand(-1, m, -1))
        memory = self.memory_norm(X)
        look = real.expand(-1, n, -1) if visible is None else visible & real
        Y = self.characters(characters) + self.character_places.weight[:n]
        Y = Y + self.back(self.norm_back(Y), mask=causal_mask(n, n, Y.device))
        asked = self.norm_cross(Y)
        A = self.cross.weights(asked, memory, look)
        Y = Y + self.cross(asked, memory, look)
        Y = Y + self.forward_part(self.norm_forward(Y))
        return self.readout(self.norm(Y)), A


def given(characters):
    """Return what the decoder reads: a start, then each character but the last."""
    start = torch.full((len(characters), 1), CHARACTERS.index("<start>"))
    return torch.cat([start, characters[:, :-1]], dim=1)


def train_dates(seed=0, *, steps=STEPS, encoder=True, watch=None):
    """Train one model; return it.

    Parameters
    ----------
    seed : int, default 0
    steps : int, default 700
    encoder : bool, default True
        Whether the words pass through an encoder block before the decoder looks at them.
    watch : callable, optional
        `watch(step, model)` is called before the first step and after each one.
    """
    torch.manual_seed(seed)
    model, trained = DateWriter(encoder=encoder), split()[0]
    rng = np.random.default_rng(1000 + seed)

    def draw():
        dates = [trained[i] for i in rng.integers(len(trained), size=BATCH)]
        kinds = rng.integers(len(TEMPLATES), size=BATCH)
        texts = [say(*date, TEMPLATES[k])[0] for date, k in zip(dates, kinds, strict=True)]
        targets = encode_dates(dates)
        return (encode(texts), given(targets)), targets

    return train(model, draw, steps=steps, rate=RATE, watch=watch)


@torch.no_grad()
def write(model, texts):
    """Let the model write one character after another; (b, 10) numbers of characters."""
    words = encode(texts)
    written = torch.full((len(texts), 1), CHARACTERS.index("<start>"))
    for _ in range(WRITTEN):
        best = model(words, written)[:, -1].argmax(dim=-1, keepdim=True)
        written = torch.cat([written, best], dim=1)
    return written[:, 1:]


def translate(model, text):
    """Return what the model writes for one date in words."""
    return "".join(CHARACTERS[i] for i in write(model, [text.split()])[0])


def drawn(dates, templates, *, seed=0, count=TESTED):
    """Draw dates and how each is said: dates, lists of words, lists of their fields."""
    rng = np.random.default_rng(2000 + seed)
    chosen = [dates[i] for i in rng.integers(len(dates), size=count)]
    said = [say(*date, templates[rng.integers(len(templates))]) for date in chosen]
    return chosen, [words for words, _ in said], [fields for _, fields in said]


def exact(model, dates, templates=TEMPLATES, *, seed=0, count=TESTED):
    """Return the share of dates written without a mistake."""
    chosen, texts, _ = drawn(dates, templates, seed=seed, count=count)
    return (write(model, texts) == encode_dates(chosen)).all(dim=1).double().mean().item()


def _own(texts, fields, field):
    """Which words belong to a field, (b, m) of bool."""
    longest = max(map(len, texts))
    return torch.tensor(
        [[f == field for f in row] + [False] * (longest - len(row)) for row in fields]
    )


@torch.no_grad()
def alignment(model, *, seed=0, count=TESTED):
    """Return, for each field, the weight its digits give to their own words, and an even share."""
    chosen, texts, fields = drawn(split()[1], TEMPLATES, seed=seed, count=count)
    words, targets = encode(texts), encode_dates(chosen)
    A = model.weights(words, given(targets)).mean(dim=1)  # (b, 10, m)
    found = {}
    for field, places in FIELDS.items():
        own = _own(texts, fields, field)
        weight = (A[:, places] * own[:, None]).sum(dim=-1)  # (b, digits)
        even = own.sum(dim=1) / (words != 0).sum(dim=1)
        found[field] = {
            "weight": weight.mean().item(),
            "even": even.mean().item(),
            "digits": weight.mean(dim=0).tolist(),
        }
    late = torch.tensor([month >= 10 for _, month, _ in chosen])
    month = (A[:, 5] * _own(texts, fields, "month")).sum(dim=-1)
    found["first_month_digit"] = {
        "zero": month[~late].mean().item(),
        "one": month[late].mean().item(),
    }
    return found


@torch.no_grad()
def without_own_words(model, *, seed=0, count=TESTED):
    """Return how often each field is right when its digits cannot look at its words.

    The right characters so far are given, and all other words stay visible.
    """
    chosen, texts, fields = drawn(split()[1], TEMPLATES, seed=seed, count=count)
    words, targets = encode(texts), encode_dates(chosen)
    found = {}
    for field, places in FIELDS.items():
        visible = torch.ones(len(words), WRITTEN, words.shape[1], dtype=torch.bool)
        visible[:, places] = ~_own(texts, fields, field)[:, None]
        right = model(words, given(targets), visible).argmax(dim=-1) == targets
        found[field] = right[:, places].all(dim=1).double().mean().item()
    return found


@torch.no_grad()
def look(model, text):
    """Return what the model writes for one date, and each head's weights (heads, 10, m)."""
    words = text.split()
    written = write(model, [words])
    A = model.weights(encode([words]), given(written))[0].numpy()
    return "".join(CHARACTERS[i] for i in written[0]), A


def _rounded(part):
    if isinstance(part, dict):
        return {name: _rounded(inner) for name, inner in part.items()}
    return [round(x, 3) for x in part] if isinstance(part, list) else round(part, 3)


def recorded(seed, arm, *, steps=STEPS):
    """Train one model of an arm; return its record."""
    model = train_dates(seed, steps=steps, **ARMS[arm])
    _, dates, years = split()
    found = {
        "dates": exact(model, dates),
        "years": exact(model, years),
        "templates": [exact(model, dates, (template,)) for template in UNSEEN_TEMPLATES],
        "alignment": alignment(model),
        "own_words_hidden": without_own_words(model),
        "mistaken_year": [],
    }
    found = _rounded(found)
    found["mistaken_year"] = _mistakes(model, years)
    shown = [look(model, " ".join(say(*date)[0])) for date in SHOWN]
    weights = [np.round(A.mean(axis=0), 3).astype(float).tolist() for _, A in shown]
    maps = {"written": [text for text, _ in shown], "weights": weights} if seed == 0 else {}
    return {"arm": arm, "seed": seed, **found, **maps}


def _mistakes(model, dates, most=3):
    """Return a few dates of unseen years that are written wrong: said, written."""
    chosen, texts, _ = drawn(dates, TEMPLATES, count=200)
    written = ["".join(CHARACTERS[i] for i in row) for row in write(model, texts)]
    pairs = zip(texts, written, chosen, strict=True)
    wrong = [[" ".join(said), text] for said, text, date in pairs if text != "".join(iso(*date))]
    return wrong[:most]


def experiment(*, arms=tuple(ARMS), seeds=SEEDS, steps=STEPS, progress=True):
    """Train every arm; return one record for each run."""
    runs = [(arm, seed) for arm in arms for seed in seeds]
    bar = tqdm(runs, disable=not progress, unit="run")
    return [recorded(seed, arm, steps=steps) for arm, seed in bar]


def main():
    """Write the full table."""
    torch.set_num_threads(1)
    table = {
        "command": "python -m attn.nn.experiments.dates",
        "torch": torch.__version__.split("+")[0],
        "steps": STEPS,
        "shown": [" ".join(say(*date)[0]) for date in SHOWN],
        "unseen_templates": list(UNSEEN_TEMPLATES),
        "runs": experiment(),
    }
    save("dates", table)


if __name__ == "__main__":
    main()
