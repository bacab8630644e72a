"""Measure the real model of chapter 12: `python -m attn.data.make_minilm_findings`.

It needs the weights (`attn.minilm.find` says where they are looked for) and about ten minutes;
the course reads the table that it writes. Layers and heads are counted from 1, levels from 0.
"""

from dataclasses import replace

import numpy as np

from attn import attention, minilm
from attn.data import save
from attn.minilm.nearest import CANDIDATES, candidates, read_alone
from attn.minilm.weights import HEADS, LAYERS, SHA256

COMMAND = "python -m attn.data.make_minilm_findings"
# The word stands at the same place in all of them, so that its position tells nothing.
PLACE = 2
NOUNS = (
    "the monitor flickers tonight",
    "the monitor is broken again",
    "a monitor shows the picture",
    "my monitor stands on the desk",
    "her monitor has a large screen",
    "that monitor costs too much",
)
VERBS = (
    "nurses monitor the patients",
    "they monitor the situation closely",
    "we monitor the traffic at night",
    "doctors monitor her heart",
    "banks monitor every payment",
    "satellites monitor the weather",
)
SENTENCES = (
    "the cat walks on the street",
    "the monitor flickers tonight",
    "nurses monitor the patients",
    "The animal did not cross the street because it was too tired.",
    "The animal did not cross the street because it was too wide.",
    "The street was not crossed by the animal because it was too tired.",
    "The street was not crossed by the animal because it was too wide.",
    "Near the street, the animal stopped because it was too tired.",
)
# Who crosses, what is crossed, and two reasons why not: one fits the first, one the second.
CROSSINGS = (
    ("animal", "street", "tired", "wide"),
    ("dog", "river", "tired", "deep"),
    ("horse", "bridge", "nervous", "narrow"),
    ("cat", "road", "scared", "busy"),
    ("robot", "room", "heavy", "dark"),
    ("bear", "lake", "hungry", "cold"),
    ("truck", "field", "heavy", "muddy"),
    ("bird", "sea", "weak", "stormy"),
)
FRAMES = {  # a: who crosses, b: what is crossed; the first letter is the subject's
    "active": ("a", "The {a} did not cross the {b} because it was too {why}."),
    "passive": ("b", "The {b} was not crossed by the {a} because it was too {why}."),
    "fronted": ("a", "Near the {b}, the {a} stopped because it was too {why}."),
}
FIRST = {"active": "a", "passive": "b", "fronted": "b"}  # the noun that is named first
SUBJECT_HEAD = (4, 2)


def without_attention(Q, K, V):
    """Each token keeps its own value, as if every weight lay on itself."""
    return V


def rounded(array, digits=4):
    return np.round(np.asarray(array, dtype=np.float64), digits).tolist()


def monitor_by_level():
    """One noun and one verb, level by level, with attention and without."""
    pair = NOUNS[0], VERBS[0]
    table = {"noun": pair[0], "verb": pair[1]}
    for name, parts in (("cosines", None), ("without", {"attention": without_attention})):
        noun, verb = (minilm.encode(text, parts=parts).hidden[:, PLACE] for text in pair)
        table[name] = rounded(minilm.cosines(noun, verb))
    return table


def senses_by_level():
    """Six nouns and six verbs: cosines within a sense and across, level by level."""
    nouns, verbs = (
        np.stack([minilm.encode(text).hidden[:, PLACE] for text in texts], axis=1)
        for texts in (NOUNS, VERBS)
    )
    rows, columns = np.triu_indices(len(NOUNS), 1)
    kinds = {
        "noun and noun": minilm.cosines(nouns[:, rows], nouns[:, columns]),
        "verb and verb": minilm.cosines(verbs[:, rows], verbs[:, columns]),
        "noun and verb": minilm.cosines(nouns[:, :, None], verbs[:, None]).reshape(7, -1),
    }
    return [
        {"kind": kind, "pairs": found.shape[1]}
        | {name: rounded(f(found, axis=1)) for name, f in (("mean", np.mean), ("least", np.min))}
        | {"most": rounded(np.max(found, axis=1))}
        for kind, found in kinds.items()
    ]


def nearest_words():
    """For the noun and the verb: the words that are nearest when each is read alone."""
    words = candidates(minilm.load().vocabulary)
    alone = read_alone(words, minilm.load())
    records = []
    for text in (NOUNS[0], VERBS[0]):
        found = minilm.cosines(alone, minilm.encode(text).hidden[-1, PLACE])
        best = np.argsort(-found)[:11]
        near = [[words[i], round(float(found[i]), 3)] for i in best if words[i] != "monitor"]
        records.append({"sentence": text, "nearest": near[:10]})
    return records


def head_of(table, best):
    layer, head = np.unravel_index(best, table.shape)
    return {"layer": int(layer) + 1, "head": int(head) + 1}


def looks_by_sentence():
    """In each sentence: the best positional heads, and how much goes to [CLS]."""
    records = []
    for text in SENTENCES:
        found = minilm.encode(text)
        before, after = (minilm.weight_at_offset(found.attention, k) for k in (-1, 1))
        plain = minilm.weight_on(found.attention, 0)
        weighted = minilm.weight_on(found.norm_weighted, 0)
        sinks = plain > 0.5
        norms = found.value_norms
        records.append(
            {
                "sentence": text,
                "tokens": len(found.tokens),
                "previous": rounded(before[0, 2]),
                "next": rounded(after[1, 8]),
                "best_previous": head_of(before, before.argmax()),
                "best_next": head_of(after, after.argmax()),
                "sinks": int(sinks.sum()),
                "sinks_weighted": int((weighted > 0.5).sum()),
                "cls": rounded(plain.mean()),
                "cls_weighted": rounded(weighted.mean()),
                "cls_in_sinks": rounded(plain[sinks].mean()),
                "cls_in_sinks_weighted": rounded(weighted[sinks].mean()),
                "value_norm_of_cls": rounded(norms[..., 0][sinks].mean()),
                "value_norm_of_others": rounded(norms[..., 1:][sinks].mean()),
            }
        )
    return records


def hiding(key):
    """Attention in which no query may look at this key."""

    def without(Q, K, V):
        return attention(Q, np.delete(K, key, axis=0), np.delete(V, key, axis=0))

    return without


def emptying(key):
    """Attention in which every weight stays as it is, and this key hands over nothing."""

    def without(Q, K, V):
        kept = np.ones((len(V), 1), V.dtype)
        kept[key] = 0
        return attention(Q, K, kept * V)

    return without


def keys_by_sentence():
    """What each token of a sentence gets, and how far the embedding moves without it."""
    records = []
    for text in SENTENCES:
        found = minilm.encode(text)
        keys = range(len(found.tokens))

        def moved(change, text=text, found=found, keys=keys):
            others = [minilm.encode(text, parts={"attention": change(j)}) for j in keys]
            return rounded([1 - minilm.cosines(found.embedding, o.embedding) for o in others], 6)

        records.append(
            {
                "sentence": text,
                "tokens": list(found.tokens),
                "average": rounded(found.attention.mean(axis=(0, 1, 2)), 6),
                "average_weighted": rounded(found.norm_weighted.mean(axis=(0, 1, 2)), 6),
                "emptied": moved(emptying),
                "hidden": moved(hiding),
            }
        )
    return records


def crossings():
    """Every sentence about a crossing: its frame, both nouns, the subject and the noun meant."""
    for a, b, of_a, of_b in CROSSINGS:
        for frame, (subject, text) in FRAMES.items():
            for why, meant in ((of_a, "a"), (of_b, "b")):
                nouns = {"a": a, "b": b}
                yield frame, text.format(**nouns, why=why), nouns, subject, meant


def without_head(weights, layer, head):
    """The model with one head that adds nothing; both are counted from 0."""
    layers = list(weights.layers)
    W_o = layers[layer]["W_o"].copy()
    rows = len(W_o) // HEADS
    W_o[rows * head : rows * (head + 1)] = 0
    layers[layer] = layers[layer] | {"W_o": W_o}
    return replace(weights, layers=layers)


def heads_on_it():
    """Over all crossings: which noun each head's *it* prefers, and what *it* is without the head.

    `turns` has, for each pair of nouns, in how many of its twins (two sentences that differ in the
    reason alone) the head's preference turns with the reason, less those in which it turns against
    it. `moved` is 1 minus the cosine between the last vectors of *it*, with the head and without.
    `vector_turns` and `vector_moves` ask of the last vector of *it* whether it changes sides with
    the reason, and whether it comes nearer to the noun that is meant, set against the other noun.
    """
    counts = {name: np.zeros((LAYERS, HEADS), dtype=int) for name in ("subject", "first", "meant")}
    turns = np.zeros((len(CROSSINGS), LAYERS, HEADS), dtype=int)
    near = {"subject": 0, "meant": 0}
    moved = np.zeros((LAYERS, HEADS))
    places = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    lesser = {place: without_head(minilm.load(), *place) for place in places}
    leads = []
    for number, (frame, text, nouns, subject, meant) in enumerate(crossings()):
        found = minilm.encode(text)
        it, last = found.tokens.index("it"), found.hidden[-1]
        at = {name: found.tokens.index(noun) for name, noun in nouns.items()}
        prefers_a = found.attention[:, :, it, at["a"]] > found.attention[:, :, it, at["b"]]
        roles = {"subject": subject, "first": FIRST[frame], "meant": meant}
        for name, noun in roles.items():
            counts[name] += prefers_a == (noun == "a")
        turns[number // (2 * len(FRAMES))] += np.where(prefers_a == (meant == "a"), 1, 0)
        lead = minilm.cosines(last[it], last[at["a"]]) - minilm.cosines(last[it], last[at["b"]])
        leads.append(float(lead))
        for name in near:
            near[name] += int((lead > 0) == (roles[name] == "a"))
        for place, weights in lesser.items():
            other = minilm.encode(text, weights=weights).hidden[-1, it]
            moved[place] += 1 - minilm.cosines(last[it], other)
    of_a, of_b = np.array(leads).reshape(-1, 2).T
    return {
        "sentences": len(leads),
        **{f"{name}_first": found.tolist() for name, found in counts.items()},
        "turns": (turns - len(FRAMES)).tolist(),
        **{f"vector_near_{name}": found for name, found in near.items()},
        "vector_turns": int(((of_a > 0) != (of_b > 0)).sum()),
        "vector_moves": int((of_a > of_b).sum()),
        "moved": rounded(moved / len(leads), 6),
    }


class HeadOutputs:
    """An `attention` for `encode` that keeps every head's output, or puts another in its place."""

    def __init__(self, replaced=None):
        self.outputs, self.replaced = [], replaced or {}

    def __call__(self, Q, K, V):
        answers = attention(Q, K, V)
        if V.shape != Q.shape:  # one-hot values, by which `encode` reads the weights
            return answers
        self.outputs.append(answers)
        return self.replaced.get(len(self.outputs) - 1, answers)


def swapped_heads():
    """How far a swap of one head's output at *it* takes the last vector of *it* to its twin's.

    A twin differs in the reason alone. 0 is where the vector was, 1 is the twin's; measured along
    the straight way from one to the other, on average over all sentences, (6, 12).
    """
    texts = [text for _, text, *_ in crossings()]
    shares = np.zeros(LAYERS * HEADS)
    for i, text in enumerate(texts):
        own, other = HeadOutputs(), HeadOutputs()
        found = minilm.encode(text, parts={"attention": own})
        twin = minilm.encode(texts[i ^ 1], parts={"attention": other})
        it = found.tokens.index("it")
        way = twin.hidden[-1, it] - found.hidden[-1, it]
        for k in range(LAYERS * HEADS):
            output = own.outputs[k].copy()
            output[it] = other.outputs[k][it]
            swap = HeadOutputs({k: output})
            after = minilm.encode(text, parts={"attention": swap}).hidden[-1, it]
            shares[k] += (after - found.hidden[-1, it]) @ way / (way @ way)
    return rounded((shares / len(texts)).reshape(LAYERS, HEADS))


def reads_of_it(encode=minilm.encode):
    """Where *it* looks in the subject head, in three kinds of sentence with two reasons each."""
    layer, head = SUBJECT_HEAD
    records = []
    for frame, sentence, nouns, subject, meant in crossings():
        found = encode(sentence)
        row = found.attention[layer - 1, head - 1, found.tokens.index("it")]
        weights = {name: row[found.tokens.index(noun)] for name, noun in nouns.items()}
        records.append(
            {
                "frame": frame,
                "sentence": sentence,
                "meant": meant,
                "subject": subject,
                "on_subject": rounded(weights[subject]),
                "on_other": rounded(weights["b" if subject == "a" else "a"]),
                "top": found.tokens[int(row.argmax())],
            }
        )
    return records


def main():
    """Measure everything and save it."""
    table = {
        "command": COMMAND,
        "model": "all-MiniLM-L6-v2",
        "sha256": SHA256,
    }
    table |= {"monitor": monitor_by_level(), "senses": senses_by_level(), "words": nearest_words()}
    table |= {"candidates": CANDIDATES, "subject_head": list(SUBJECT_HEAD)}
    table |= {"sentences": looks_by_sentence(), "keys": keys_by_sentence(), "it": reads_of_it()}
    table |= {"heads_on_it": heads_on_it(), "swapped": swapped_heads()}
    save("minilm_findings", table)


if __name__ == "__main__":
    main()
