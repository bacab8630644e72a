"""Small results and assets that chapters show, each written by a command that it names."""

import json
from functools import cache
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


def save(name, table):
    """Write a result where `load` finds it, each record of a list of them on a line of its own.

    So what a new run changed shows in the lines that differ.
    """
    parts = ", ".join(f"{json.dumps(key)}: {_text(part)}" for key, part in table.items())
    (HERE / f"{name}.json").write_text(f"{{{parts}}}\n", encoding="utf-8")


def _text(part):
    if not (isinstance(part, list) and part and isinstance(part[0], dict)):
        return json.dumps(part)
    records = ",\n".join(f"  {json.dumps(record)}" for record in part)
    return f"[\n{records}\n]"


@cache
def digits():
    """Handwritten digits: 1797 pictures of 8 × 8 pixels, 0 (paper) to 16 (ink), and their labels.

    Where they come from is written in digits.txt beside them; `python -m attn.data.make_digits`
    makes the file again from scikit-learn's copy.

    Returns
    -------
    images : (1797, 8, 8) of uint8
    labels : (1797,) of uint8

    Examples
    --------
    >>> images, labels = digits()
    >>> images.shape, images.max(), labels[:5]
    ((1797, 8, 8), np.uint8(16), array([0, 1, 2, 3, 4], dtype=uint8))
    """
    import numpy as np

    with np.load(HERE / "digits.npz") as stored:
        images, labels = stored["images"], stored["labels"]
    for array in (images, labels):
        array.flags.writeable = False  # one copy for all who ask
    return images, labels
