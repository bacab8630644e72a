"""Measure what quantising to int8 does to the model: `python -m attn.data.make_minilm_quantised`.

The quantised model is the one that a page can load (`attn.minilm.quantised`). It needs the
weights and about a minute.
"""

import numpy as np

from attn import minilm
from attn.data import save
from attn.data.make_minilm_findings import NOUNS, PLACE, SENTENCES, VERBS, reads_of_it, rounded
from attn.minilm.quantised import GROUP, files, needed_shards, read, shard_name
from attn.minilm.weights import SHA256, read_safetensors

MONITORS = (NOUNS[0], VERBS[0]), (PLACE, PLACE)
BANKS = ("we sat on the bank of the river", "the bank approved my loan"), (5, 2)
COMMAND = "python -m attn.data.make_minilm_quantised"


def quantised_model():
    """The model as a page has it, from its files, and these by name."""
    tensors = read_safetensors(minilm.find()[0].read_bytes())
    content = files(tensors, minilm.load().vocabulary)
    return read(content["layers.bin"], content["words.txt"]), content


def encode_quantised(text, model, content):
    """Encode with the quantised model, bringing the shards that the text needs."""
    shards = needed_shards(text, model)
    for k in shards:
        model.words.add(k, content[shard_name(k)])
    return minilm.encode(text, weights=model)


def sentence_record(text, model, content):
    """How far the quantised model is from the exact one on a text."""
    exact, close = minilm.encode(text), encode_quantised(text, model, content)
    away = np.abs(exact.attention - close.attention)
    same = exact.attention.argmax(axis=-1) == close.attention.argmax(axis=-1)
    sinks = [int((minilm.weight_on(e.attention, 0) > 0.5).sum()) for e in (exact, close)]
    cosines = minilm.cosines(exact.hidden, close.hidden)
    rows = {model.vocabulary[token] for token in exact.tokens}
    return {
        "sentence": text,
        "tokens": len(exact.tokens),
        "shards": len({row // 256 for row in rows}),
        "attention_worst": rounded(away.max()),
        "attention_mean": rounded(away.mean(), 5),
        "same_strongest": rounded(same.mean()),
        "weighted_worst": rounded(np.abs(exact.norm_weighted - close.norm_weighted).max()),
        "hidden_worst": rounded(np.abs(exact.hidden - close.hidden).max(axis=(1, 2))),
        "hidden_cosine": rounded(cosines.min(axis=1), 5),
        "embedding_cosine": rounded(exact.embedding @ close.embedding, 5),
        "sinks": sinks,
    }


def cosines_by_level(texts, places, model, content):
    """Between one token of each of two texts, level by level."""
    found = [encode_quantised(text, model, content) for text in texts]
    return rounded(minilm.cosines(*(e.hidden[:, k] for e, k in zip(found, places, strict=True))))


def main():
    """Compare on every sentence of the findings and save it."""
    model, content = quantised_model()
    reads = reads_of_it(lambda text: encode_quantised(text, model, content))
    texts = [*SENTENCES, *NOUNS, *VERBS, *(r["sentence"] for r in reads)]
    records = [sentence_record(text, model, content) for text in dict.fromkeys(texts)]
    pair, banks = (cosines_by_level(texts, at, model, content) for texts, at in (MONITORS, BANKS))
    sizes = {name: len(part) for name, part in content.items() if not name.startswith("words-")}
    shards = [len(part) for name, part in content.items() if name.startswith("words-")]
    table = {
        "command": COMMAND,
        "sha256": SHA256,
        "group": GROUP,
        "bytes": sizes,
    }
    table |= {"shards": len(shards), "shard_bytes": max(shards)}
    table |= {"monitor": pair, "bank": banks}
    save("minilm_quantised", table | {"it": reads, "sentences": records})


if __name__ == "__main__":
    main()
