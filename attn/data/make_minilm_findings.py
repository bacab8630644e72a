"""Measure the real model of chapter 12: `python -m attn.data.make_minilm_findings`.

It needs the weights (`attn.minilm.find` says where they are looked for) and about four minutes;
the course reads the table that it writes. Layers and heads are counted from 1, levels from 0.
"""

import numpy as np

from attn import minilm
from attn.data import save
from attn.minilm.weights import NUMBERS

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


def reads_of_it():
    """Where *it* looks in the subject head, in three kinds of sentence with two reasons each."""
    layer, head = SUBJECT_HEAD
    records = []
    for a, b, of_a, of_b in CROSSINGS:
        for frame, (subject, text) in FRAMES.items():
            for why in (of_a, of_b):
                sentence = text.format(a=a, b=b, why=why)
                found = minilm.encode(sentence)
                row = found.attention[layer - 1, head - 1, found.tokens.index("it")]
                weights = {"a": row[found.tokens.index(a)], "b": row[found.tokens.index(b)]}
                other = "b" if subject == "a" else "a"
                records.append(
                    {
                        "frame": frame,
                        "sentence": sentence,
                        "meant": "a" if why == of_a else "b",
                        "subject": subject,
                        "on_subject": rounded(weights[subject]),
                        "on_other": rounded(weights[other]),
                        "top": found.tokens[int(row.argmax())],
                    }
                )
    return records


def main():
    """Measure everything and save it."""
    table = {"command": COMMAND, "model": "all-MiniLM-L6-v2", "sha256": NUMBERS.sha256}
    table |= {"monitor": monitor_by_level(), "senses": senses_by_level(), "words": nearest_words()}
    table |= {"candidates": CANDIDATES, "subject_head": list(SUBJECT_HEAD)}
    save("minilm_findings", table | {"sentences": looks_by_sentence(), "it": reads_of_it()})


if __name__ == "__main__":
    main()
