"""What transformers and tokenizers make of texts: writes reference.json beside it.

In an environment of its own, since the course needs neither: ``pip install torch==2.13.0
transformers==5.23.0 tokenizers==0.23.3 gguf==0.19.0 accelerate``, then ``PYTHONPATH=. python
tests/smollm/make_reference.py``. The weights are dequantised to float32 by their reader.
"""

import json
import random
from pathlib import Path

import numpy as np

from attn import smollm
from attn.smollm.gguf import read_gguf

TEXTS = [
    "",
    "Hello world",
    "The cat's 42 mice",
    "  two  spaces\n\n\tand tabs ",
    "I'll we've they're don't I'd I'm 's",
    "naïve café — “quoted” … ½ ²³ Ⅷ ٣٤ 你好 世界 🙂🙂",
    "<|im_start|>user\nHi<|im_end|>\n",
    "a\u00a0b\u2003c\x85d\x1ce",
    "'S 'LL don’t",
    "x=3.14159e-10; print(x)",
    "\r\n\r\n  x",
    "😀 12 345",
    "Übergrößenträger",
    "a  <|endoftext|>  b",
]
POOLS = [
    "abcdefghij ",
    "  \n\t",
    "0123456789",
    "'stmdrevl ",
    "!?.,;:-_()",
    "éüßçñ",
    "Ωжשع",
    "你好世界",
    "🙂½²Ⅷ٣",
    "\u00a0\u2003\x85\x1c\u200b\u0301",
]
PROMPTS = [
    "The cat walks on the street because",
    "Paris is the capital of France. Rome is the capital of",
    "def mean(xs):\n    return",
]


def fuzzed(count):
    rng = random.Random(0)
    for _ in range(count):
        yield "".join(rng.choice(rng.choice(POOLS)) for _ in range(rng.randrange(1, 30)))


def reference_tokenizer(metadata):
    import tokenizers
    from tokenizers import AddedToken, decoders, models, pre_tokenizers

    pieces = metadata["tokenizer.ggml.tokens"]
    merges = [tuple(pair.split(" ")) for pair in metadata["tokenizer.ggml.merges"]]
    found = tokenizers.Tokenizer(models.BPE({p: i for i, p in enumerate(pieces)}, merges))
    steps = [
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ]
    found.pre_tokenizer = pre_tokenizers.Sequence(steps)
    found.decoder = decoders.ByteLevel()
    kinds = metadata["tokenizer.ggml.token_type"]
    control = [p for p, kind in zip(pieces, kinds, strict=True) if kind == 3]
    found.add_special_tokens([AddedToken(p, special=True, normalized=False) for p in control])
    return found


def scores(model, ids):
    """Of each position: its eight best tokens and four others, each with its score."""
    import torch

    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0].double().numpy()
    tokens = [[*np.argsort(-row)[:8].tolist(), 0, 1000, 20000, 49151] for row in logits]
    return [
        [[token, round(float(row[token]), 5)] for token in some]
        for row, some in zip(logits, tokens, strict=True)
    ]


def main():
    import torch
    import transformers

    path = smollm.find()
    tokenizer = reference_tokenizer(read_gguf(path.read_bytes())[0])
    model = transformers.AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32
    )
    texts = [*TEXTS, *fuzzed(400)]
    prompts = [tokenizer.encode(prompt).ids for prompt in PROMPTS]
    reference = {
        "tokens": [(text, tokenizer.encode(text).ids) for text in texts],
        "scores": [{"ids": ids, "rows": scores(model, ids)} for ids in prompts],
    }
    Path(__file__).with_name("reference.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
