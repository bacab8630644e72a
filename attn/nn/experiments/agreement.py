"""Chapter 11: a tiny language model, and which noun it lets the verb agree with.

A grammar writes "the old cat near the dogs sleeps": a subject, nouns of phrases after it (which may
differ from it in number, and attract the verb), and a verb of the subject's number.
`python -m attn.nn.experiments.agreement` trains every arm and rewrites attn/data/agreement.json and
attn/data/training.json, which the figure TrainingScrubber shows.
"""

import re
from collections import Counter

import numpy as np
import torch
from tqdm.auto import tqdm

from attn.data import save
from attn.nn.experiments.training import IGNORED, train
from attn.nn.tiny import TinyTransformer

NOUNS = {
    **{"cat": "cats", "dog": "dogs", "bird": "birds", "child": "children"},
    **{"horse": "horses", "girl": "girls", "king": "kings", "fox": "foxes"},
}
VERBS = {
    **{"walks": "walk", "sleeps": "sleep", "sings": "sing"},
    **{"runs": "run", "waits": "wait"},
}
ADJECTIVES = ("old", "small", "grey", "quiet")
PREPOSITIONS = ("near", "behind", "beside", "with")
ADVERBS = ("here", "today", "again")
# Every word's kind as one letter; capitals are plurals.
KINDS = {
    **{".": ".", "the": "t"},
    **{word: "n" for word in NOUNS},
    **{word: "N" for word in NOUNS.values()},
    **{word: "v" for word in VERBS},
    **{word: "V" for word in VERBS.values()},
    **{word: "a" for word in ADJECTIVES},
    **{word: "p" for word in PREPOSITIONS},
    **{word: "d" for word in ADVERBS},
}
WORDS = tuple(KINDS)
INDEX = {word: i for i, word in enumerate(WORDS)}
SINGULAR, PLURAL = ([INDEX[word] for word in WORDS if KINDS[word] == kind] for kind in "vV")
SENTENCE = re.compile(r"ta?([nN])(?:pta?[nN]){0,2}([vV])d?\.")
FRONTED = re.compile(r"pta?[nN]" + SENTENCE.pattern)

LONGEST = 19  # a full stop, and the longest sentence with three attractors
CORPUS, MOST = 4000, 2  # sentences to train on; attractors at most
SIZE, HEADS, LAYERS, BATCH, RATE, STEPS = 48, 2, 2, 64, 4e-3, 800
TESTED, WRITTEN = 300, 500
SEEDS, FEW = tuple(range(10)), (0, 1, 2)
# How much of the attractors differ from the subject, how much of the sentences is fronted, layers.
ARMS = {
    "free": {"differ": 0.5},
    "never": {"differ": 0.0},
    "2%": {"differ": 0.02},
    "10%": {"differ": 0.1},
    "one layer": {"differ": 0.5, "layers": 1},
    "fronted": {"differ": 0.5, "fronted": 0.3},
    "fronted, one layer": {"differ": 0.5, "fronted": 0.3, "layers": 1},
}
MEASURED_STEPS = tuple(range(0, STEPS + 1, 25))
# What the figure shows.
SHOWN = "the cat near the dogs"
SHOWN_STEPS = (0, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250, 300, 400, 500, 650, 800)
SHOWN_ARMS, SHOWN_TEXTS = ("free", "never"), 3


def sentence(rng, attractors, *, differ=0.5, fronted=False):
    """Draw one sentence, a list of words that ends in a full stop.

    Parameters
    ----------
    rng : numpy.random.Generator
    attractors : int
        How many nouns stand between the subject and its verb.
    differ : float, default 0.5
        How likely each attractor is to be of the other number.
    fronted : bool, default False
        Whether one more comes before the subject, as in "near the dogs the cat walks".

    Examples
    --------
    >>> " ".join(sentence(np.random.default_rng(5), 1))
    'the child beside the small children sings today .'
    """
    plural = rng.random() < 0.5
    subject = _phrase(rng, plural)

    def attractor():
        return [_choice(rng, PREPOSITIONS), *_phrase(rng, plural ^ (rng.random() < differ))]

    between = [word for _ in range(attractors) for word in attractor()]
    front = attractor() if fronted else []
    verb = [_choice(rng, VERBS.values() if plural else VERBS)]
    adverb = [_choice(rng, ADVERBS)] if rng.random() < 0.5 else []
    return [*front, *subject, *between, *verb, *adverb, "."]


def _choice(rng, words):
    words = tuple(words)
    return words[rng.integers(len(words))]


def _phrase(rng, plural):
    adjective = [_choice(rng, ADJECTIVES)] if rng.random() < 0.5 else []
    return ["the", *adjective, _choice(rng, NOUNS.values() if plural else NOUNS)]


def corpus(seed, *, differ=0.5, fronted=0.0, count=CORPUS):
    """Draw the sentences to train on, with none, one or two attractors; a list of word lists."""
    rng = np.random.default_rng(1000 + seed)
    drawn = []
    for _ in range(count):
        first = rng.random() < fronted
        attractors = int(rng.integers(MOST + 1))
        drawn.append(sentence(rng, attractors, differ=differ, fronted=first))
    return drawn


def accepted(words):
    """Whether the grammar could have written these words: their order, and the verb's number.

    Examples
    --------
    >>> accepted("the cat near the dogs sleeps .".split())
    True
    >>> accepted("the cat near the dogs sleep .".split())
    False
    """
    kinds = "".join(KINDS[word] for word in words)
    found = SENTENCE.fullmatch(kinds) or FRONTED.fullmatch(kinds)
    return bool(found) and found[1].isupper() == found[2].isupper()


def encode(sentences):
    """Return word numbers (b, n) after a full stop; shorter ones are filled up with full stops."""
    rows = [[0, *(INDEX[word] for word in words)] for words in sentences]
    longest = max(map(len, rows))
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def language_model(seed, *, layers=LAYERS):
    """Return an untrained model."""
    torch.manual_seed(seed)
    options = {"d_model": SIZE, "heads": HEADS, "layers": layers, "causal": True}
    return TinyTransformer(len(WORDS), LONGEST, **options)


def train_language_model(
    seed=0, *, steps=STEPS, differ=0.5, fronted=0.0, layers=LAYERS, watch=None
):
    """Train one model on 4,000 sentences of the grammar; return it.

    Parameters
    ----------
    seed : int, default 0
        Of the model, of its sentences and of the order in which it meets them.
    steps : int, default 800
    differ : float, default 0.5
        How likely each attractor in its sentences differs in number from the subject.
    fronted : float, default 0
        How much of its sentences begins with an attractor's phrase.
    layers : int, default 2
    watch : callable, optional
        `watch(step, model)` is called before the first step and after each one.
    """
    tokens = encode(corpus(seed, differ=differ, fronted=fronted))
    targets = tokens[:, 1:].clone()
    ends = (targets == 0).int().cumsum(dim=1)
    targets[(ends > 1) | ((ends == 1) & (targets != 0))] = IGNORED  # after the first full stop
    generator = torch.Generator().manual_seed(2000 + seed)

    def draw():
        pick = torch.randint(len(tokens), (BATCH,), generator=generator)
        longest = int((targets[pick] != IGNORED).sum(dim=1).max())
        return (tokens[pick, :longest],), targets[pick, :longest]

    model = language_model(seed, layers=layers)
    return train(model, draw, steps=steps, rate=RATE, watch=watch)


def prefixes(attractors, *, count=TESTED, differ=1.0, fronted=False, seed=0):
    """Draw beginnings of sentences up to the verb, and whether the verb must be a plural."""
    rng = np.random.default_rng(3000 + seed)
    starts, plural = [], []
    for _ in range(count):
        words = sentence(rng, attractors, differ=differ, fronted=fronted)
        kinds = "".join(KINDS[word] for word in words)
        at = re.search("[vV]", kinds).start()
        starts.append(words[:at])
        plural.append(kinds[at] == "V")
    return starts, np.array(plural)


@torch.no_grad()
def next_words(model, starts):
    """Return the probabilities of the word after each beginning, (b, words)."""
    tokens = encode(starts)
    last = torch.tensor([len(words) for words in starts])
    logits = model(tokens)[torch.arange(len(starts)), last]
    return torch.softmax(logits, dim=-1)


def prefers_plural(model, starts):
    """Whether plural verbs together are more probable than singular ones, (b,) of bool."""
    p = next_words(model, starts)
    return (p[:, PLURAL].sum(dim=-1) > p[:, SINGULAR].sum(dim=-1)).numpy()


def agreement(model, attractors, *, fronted=False, count=TESTED, seed=0):
    """Return how much of new sentences get a verb of the right number.

    Every attractor is of the other number, so "agree with the nearest noun" scores 0 as soon as
    there is one.
    """
    starts, plural = prefixes(attractors, count=count, fronted=fronted, seed=seed)
    return float(np.mean(prefers_plural(model, starts) == plural))


@torch.no_grad()
def write(model, seed=0, *, count=WRITTEN):
    """Let the model write sentences, each word drawn by its own probabilities; lists of words.

    A sentence ends at its full stop, or unfinished after 18 words.
    """
    generator = torch.Generator().manual_seed(4000 + seed)
    tokens = torch.zeros(count, 1, dtype=torch.long)
    while tokens.shape[1] < LONGEST:
        p = torch.softmax(model(tokens)[:, -1], dim=-1)
        tokens = torch.cat([tokens, torch.multinomial(p, 1, generator=generator)], dim=1)
        if ((tokens[:, 1:] == 0).sum(dim=1) > 0).all():
            break
    return [_until_stop(row) for row in tokens[:, 1:].tolist()]


def _until_stop(row):
    end = row.index(0) + 1 if 0 in row else len(row)
    return [WORDS[i] for i in row[:end]]


def shares_written(written, sentences):
    """Return how much of what is written the grammar accepts, and of that how much is new."""
    known = {tuple(words) for words in sentences}
    right = [tuple(words) for words in written if accepted(words)]
    new = float(np.mean([words not in known for words in right])) if right else 0.0
    return len(right) / len(written), new


class NGrams:
    """Counts of each word after the n - 1 words before it, the baseline without a network."""

    def __init__(self, sentences, n):
        self.n, self.counts = n, {}
        for words in sentences:
            row = [".", *words]
            for at in range(1, len(row)):
                for length in range(min(n - 1, at) + 1):
                    context = tuple(row[at - length : at])
                    self.counts.setdefault(context, Counter())[row[at]] += 1

    def verbs(self, start):
        """Count singular and plural verbs after the longest part of a beginning that had any."""
        row = (".", *start)
        for length in range(min(self.n - 1, len(row)), -1, -1):
            found = self.counts.get(row[len(row) - length :], {})
            pair = [sum(found.get(WORDS[i], 0) for i in verbs) for verbs in (SINGULAR, PLURAL)]
            if sum(pair):
                return pair
        return [0, 0]

    def agreement(self, attractors, *, count=TESTED, seed=0):
        """Return its share of right numbers, as `agreement`; a tie counts one half."""
        starts, plural = prefixes(attractors, count=count, seed=seed)
        pairs = np.array([self.verbs(start) for start in starts])
        sure = np.where(pairs[:, 0] == pairs[:, 1], 0.5, pairs[:, 1] > pairs[:, 0])
        return float(np.mean(np.where(plural, sure, 1 - sure)))

    def write(self, seed=0, *, count=WRITTEN):
        """Write sentences, each word drawn by how often it came after the n - 1 before it."""
        rng = np.random.default_rng(4000 + seed)
        texts = []
        for _ in range(count):
            row = ["."]
            while len(row) < LONGEST and (len(row) == 1 or row[-1] != "."):
                found = self.counts[tuple(row[max(0, len(row) - self.n + 1) :])]
                p = np.array(list(found.values())) / found.total()
                row.append(list(found)[rng.choice(len(p), p=p)])
            texts.append(row[1:])
        return texts


def twins(*, count=TESTED, seed=0):
    """Draw beginnings with one attractor, and each again with a subject of the other number."""
    other = {**NOUNS, **{plural: word for word, plural in NOUNS.items()}}
    starts, plural = prefixes(1, count=count, differ=0.5, seed=100 + seed)
    changed = []
    for words in starts:
        at = subject_place(words)
        changed.append([*words[:at], other[words[at]], *words[at + 1 :]])
    return starts, changed, plural


def subject_place(words):
    """Where the first noun stands.

    >>> subject_place("the old cat near the dogs".split())
    2
    """
    return next(at for at, word in enumerate(words) if KINDS[word] in "nN")


def swap_heads(model, *, count=TESTED, seed=0):
    """Give each head, where the verb is predicted, its output in the twin sentence.

    Returns
    -------
    (layers, heads)
        How much of the verbs change their number with it; the head that carries the subject's
        number flips all of them.
    """
    return np.array(
        [
            [_swapped(model, layer, [h], count, seed) for h in range(model.heads)]
            for layer in range(len(model.blocks))
        ]
    )


def swap_layers(model, *, count=TESTED, seed=0):
    """Do as `swap_heads` does with all heads of a layer at once, (layers,)."""
    every = range(model.heads)
    return np.array([_swapped(model, i, every, count, seed) for i in range(len(model.blocks))])


def _swapped(model, layer, heads, count, seed):
    starts, changed, _ = twins(count=count, seed=seed)
    output = _head_outputs(model, changed)[layer]
    after = _with_heads_replaced(model, starts, layer, heads, output)
    return float(np.mean(after != prefers_plural(model, starts)))


def ablate_heads(model, *, count=TESTED, seed=0):
    """Give each head, where the verb is predicted, its mean output over all sentences.

    Returns
    -------
    (layers, heads)
        How much of the verbs still have the right number.
    """
    starts, _, right = twins(count=count, seed=seed)
    means = [out.mean(dim=0, keepdim=True).expand_as(out) for out in _head_outputs(model, starts)]
    return np.array(
        [
            [
                np.mean(_with_heads_replaced(model, starts, layer, [head], mean) == right)
                for head in range(model.heads)
            ]
            for layer, mean in enumerate(means)
        ]
    )


def _last(starts):
    return torch.arange(len(starts)), torch.tensor([len(words) for words in starts])


def _head_outputs(model, starts):
    """Return what the heads of each layer hand to W_o at the last word, a list of (b, d_model)."""
    found, at = [], _last(starts)
    hooks = [
        block.attention.W_o.register_forward_pre_hook(lambda _, given: found.append(given[0][at]))
        for block in model.blocks
    ]
    next_words(model, starts)
    for hook in hooks:
        hook.remove()
    return found


def _with_heads_replaced(model, starts, layer, heads, output):
    """Return what the model prefers when some heads of a layer hand on another output, (b,)."""
    at, W_o = _last(starts), model.blocks[layer].attention.W_o
    d = output.shape[-1] // model.heads

    def replace(_, given):
        mixed = given[0].clone()
        for head in heads:
            part = slice(head * d, (head + 1) * d)
            mixed[(*at, part)] = output[:, part]
        return (mixed,)

    hook = W_o.register_forward_pre_hook(replace)
    preferred = prefers_plural(model, starts)
    hook.remove()
    return preferred


@torch.no_grad()
def subject_weights(model, *, count=TESTED, seed=0):
    """Return each head's mean weight from the last word to the subject, (layers, heads)."""
    starts, *_ = twins(count=count, seed=seed)
    rows, last = _last(starts)
    subject = torch.tensor([1 + subject_place(words) for words in starts])
    found = model.weights(encode(starts))
    return np.array([A[rows, :, last, subject].mean(dim=0).tolist() for A in found])


def _rounded(table):
    return np.round(table, 3).tolist()


def measure(model, seed, sentences):
    """Return everything that the table says of one trained model.

    "fronted" has no noun between subject and verb.
    """
    right, new = shares_written(write(model, seed), sentences)
    return {
        "agreement": [round(agreement(model, k), 3) for k in range(4)],
        "fronted": round(agreement(model, 0, fronted=True), 3),
        "accepted": round(right, 3),
        "new": round(new, 3),
        "swapped": _rounded(swap_heads(model)),
        "ablated": _rounded(ablate_heads(model)),
        "weight_on_subject": _rounded(subject_weights(model)),
    }


def recorded(seed, arm, *, steps=STEPS, shown=False):
    """Train one model of an arm; return its record and, if `shown`, what the figure shows of it."""
    options = dict(ARMS[arm])
    curve, shots = [], []

    def watch(step, model):
        model.eval()
        if step in MEASURED_STEPS:
            curve.append([round(agreement(model, k, count=200), 3) for k in range(3)])
        if shown and step in SHOWN_STEPS:
            shots.append(snapshot(step, model, seed))
        model.train()

    model = train_language_model(seed, steps=steps, watch=watch, **options)
    texts = {name: part for name, part in options.items() if name != "layers"}
    record = {"arm": arm, "seed": seed, **measure(model, seed, corpus(seed, **texts))}
    if "fronted" in options:
        between = [round(agreement(model, k, fronted=True), 3) for k in (1, 2)]
        record["fronted_between"] = between
    return {**record, "curve": curve}, shots


@torch.no_grad()
def snapshot(step, model, seed):
    """Return what the figure shows of one moment: maps, verbs, and three sentences it writes.

    A map's weights are whole numbers of 255, row after row up to the diagonal.
    """
    words = SHOWN.split()
    p = next_words(model, [words])[0].numpy()
    rows, columns = np.tril_indices(len(words) + 1)
    maps = [A[0].numpy()[:, rows, columns] for A in model.weights(encode([words]))]
    written = write(model, seed)
    first = written[:SHOWN_TEXTS]
    return {
        "step": step,
        "maps": [np.rint(255 * head).astype(int).tolist() for A in maps for head in A],
        "verbs": [round(float(p[verbs].sum()), 4) for verbs in (SINGULAR, PLURAL)],
        "written": [" ".join(text) for text in first],
        "right": [accepted(text) for text in first],
        "accepted": round(float(np.mean([accepted(text) for text in written])), 3),
    }


def baselines(seeds=FEW):
    """Return what needs no network: n-grams by their n, and fresh sentences of the grammar."""
    found = []
    for n in (2, 3, 4, 6):
        runs = []
        for seed in seeds:
            sentences = corpus(seed)
            model = NGrams(sentences, n)
            right, new = shares_written(model.write(seed), sentences)
            runs.append([model.agreement(k) for k in range(4)] + [right, new])
        *agree, right, new = np.round(np.mean(runs, axis=0), 3).tolist()
        found.append({"n": n, "agreement": agree, "accepted": right, "new": new})
    return found


def fresh_share(seeds=FEW):
    """Return how much of fresh sentences of the grammar is not among those trained on."""
    pairs = [(corpus(seed), corpus(500 + seed, count=WRITTEN)) for seed in seeds]
    return round(float(np.mean([shares_written(new, old)[1] for old, new in pairs])), 3)


def experiment(*, arms=tuple(ARMS), seeds=SEEDS, few=FEW, steps=STEPS, progress=True):
    """Train every arm, "free" with all seeds; return the records, and the figure's by arm."""
    runs = [(arm, seed) for arm in arms for seed in (seeds if arm == "free" else few)]
    records, shots = [], {}
    for arm, seed in tqdm(runs, disable=not progress, unit="run"):
        shown = arm in SHOWN_ARMS and seed == 0
        record, shot = recorded(seed, arm, steps=steps, shown=shown)
        records.append(record)
        if shown:
            shots[arm] = {"curve": record["curve"], "shots": shot}
    return records, shots


def main():
    """Write both tables."""
    torch.set_num_threads(1)
    records, shots = experiment()
    about = {
        "command": "python -m attn.nn.experiments.agreement",
        "torch": torch.__version__.split("+")[0],
        "steps": STEPS,
        "measured_steps": list(MEASURED_STEPS),
    }
    extra = {"ngrams": baselines(), "fresh_new": fresh_share(), "runs": records}
    save("agreement", {**about, **extra})
    save("training", {**about, "sentence": SHOWN.split(), "arms": shots})


if __name__ == "__main__":
    main()
