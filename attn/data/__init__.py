"""Small results and assets that chapters show, each written by a command that it names."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def load(name):
    """The committed result called `name`, as plain lists and dictionaries.

    Raises
    ------
    ValueError
        If there is none; the message lists those there are.

    Examples
    --------
    >>> load("embeddings")["command"]
    'python -m attn.nn.experiments.embeddings'
    """
    path = HERE / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in HERE.glob("*.json")))
        raise ValueError(f"data must be one of {known}: got {name!r}")
    return json.loads(path.read_text(encoding="utf-8"))
