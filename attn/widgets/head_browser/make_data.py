"""Make the figure's data: `python -m attn.widgets.head_browser.make_data`.

It needs the weights of the model (`attn.minilm.find` says where they are looked for); the figure
reads the files that it writes. data/NOTICE.txt says where the numbers come from.
"""

import json

from attn import minilm
from attn.minilm.maps import pack
from attn.widgets.head_browser import DATA, SENTENCES


def main():
    """Write the bytes of each sentence, and the tokens of all of them."""
    tokens = {}
    for name, text in SENTENCES.items():
        found = minilm.encode(text)
        tokens[name] = found.tokens
        (DATA / f"{name}.bin").write_bytes(pack(found.attention, found.value_norms))
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(list(t))}" for name, t in tokens.items())
    (DATA / "tokens.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
