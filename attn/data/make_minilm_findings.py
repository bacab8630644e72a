"""Measure the real model of chapter 12: `python -m attn.data.make_minilm_findings`.

It needs the weights (`attn.minilm.find` says where they are looked for) and about five minutes;
the course reads the table that it writes. Layers and heads are counted from 1, levels from 0.
"""

from dataclasses import replace

import numpy as np

from attn import attention, minilm
from attn.data import save
from attn.minilm.weights import HEADS, LAYERS, NUMBERS

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
CANDIDATES = (
    5000  # the vocabulary's first words of three letters or more; it is sorted by frequency
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
    words = [w for w in minilm.load().vocabulary if w.isascii() and w.isalpha() and len(w) > 2]
    words = words[:CANDIDATES]
    alone = np.stack([minilm.encode(word).hidden[-1, 1] for word in words])
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
            return rounded([1 - minilm.cosines(found.embedding, o.embedding) for o in others])

        records.append(
            {
                "sentence": text,
                "tokens": list(found.tokens),
                "average": rounded(found.attention.mean(axis=(0, 1, 2))),
                "average_weighted": rounded(found.norm_weighted.mean(axis=(0, 1, 2))),
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
    """Over all crossings: how often each head's *it* prefers a noun, and what *it* is without it.

    `moved` is 1 minus the cosine between the last vectors of *it*, with the head and without.
    """
    subject_first, meant_first = np.zeros((2, LAYERS, HEADS), dtype=int)
    near_subject = near_meant = count = 0
    moved = np.zeros((LAYERS, HEADS))
    places = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    lesser = {place: without_head(minilm.load(), *place) for place in places}
    for _, text, nouns, subject, meant in crossings():
        found = minilm.encode(text)
        it, last = found.tokens.index("it"), found.hidden[-1]
        at = {name: found.tokens.index(noun) for name, noun in nouns.items()}
        first = found.attention[:, :, it, at["a"]] > found.attention[:, :, it, at["b"]]
        subject_first += first == (subject == "a")
        meant_first += first == (meant == "a")
        nearer = minilm.cosines(last[it], last[at["a"]]) > minilm.cosines(last[it], last[at["b"]])
        near_subject += int(nearer == (subject == "a"))
        near_meant += int(nearer == (meant == "a"))
        for place, weights in lesser.items():
            other = minilm.encode(text, weights=weights).hidden[-1, it]
            moved[place] += 1 - minilm.cosines(last[it], other)
        count += 1
    return {
        "sentences": count,
        "subject_first": subject_first.tolist(),
        "meant_first": meant_first.tolist(),
        "vector_near_subject": near_subject,
        "vector_near_meant": near_meant,
        "moved": rounded(moved / count),
    }


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
    table = {"command": COMMAND, "model": "all-MiniLM-L6-v2", "sha256": NUMBERS.sha256}
    table |= {"monitor": monitor_by_level(), "senses": senses_by_level(), "words": nearest_words()}
    table |= {"candidates": CANDIDATES, "subject_head": list(SUBJECT_HEAD)}
    table |= {"sentences": looks_by_sentence(), "keys": keys_by_sentence(), "it": reads_of_it()}
    save("minilm_findings", table | {"heads_on_it": heads_on_it()})


if __name__ == "__main__":
    main()
