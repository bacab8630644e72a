"""Small results and assets that chapters show, each written by a command that it names."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent


def load(name: str) -> dict[str, Any]:
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


def save(name: str, table: Mapping[str, Any]) -> None:
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


def find_record(records: Sequence[Mapping[str, Any]], **values: Any) -> Mapping[str, Any]:
    """The one record of a table that holds these values.

    Raises
    ------
    ValueError
        If there is none, or more than one.

    Examples
    --------
    >>> find_record(load("heads")["arms"], heads=2, mlp=False)["parameters"]
    21008
    """
    found = [record for record in records if values.items() <= record.items()]
    if len(found) != 1:
        raise ValueError(f"one record must hold {values}: {len(found)} of {len(records)} do")
    return found[0]


def runs_after(record: Mapping[str, Any], steps: int, part: str = "accuracy") -> np.ndarray:
    """What the run of each seed had reached after so many steps of training, (seeds, ...).

    Examples
    --------
    >>> divided = find_record(load("scaling")["arms"], d=64, arm="scaled")
    >>> runs_after(divided, 60)
    array([0.458, 0.422, 0.58 , 0.428, 0.316])
    """
    measured = record["measured_steps"]
    if steps not in measured:
        raise ValueError(f"steps must be one of {measured}: got {steps}")
    return np.array(record[part])[:, measured.index(steps)]


def steps_until(record: Mapping[str, Any], level: float) -> list[int | None]:
    """After how many steps each run was first measured above an accuracy; None if it never was.

    Examples
    --------
    >>> steps_until(find_record(load("recurrence")["arms"], kind="rnn", size=10), 0.9)
    [None, 900, None]
    """
    steps, runs = record["measured_steps"], np.array(record["accuracy"])
    return [steps[np.argmax(run > level)] if (run > level).any() else None for run in runs]


def tuned_runs(records: Sequence[Mapping[str, Any]], **values: Any) -> np.ndarray:
    """Of the records that hold these values, how the best one ends on the test set, (seeds,).

    They differ in their step size; the best is the one that ends best on the check set.

    Examples
    --------
    >>> tuned_runs(load("pictures")["digits"], model="cnn", size=1000)
    array([0.982, 0.99 , 0.986, 0.982, 0.988])
    """
    tried = [record for record in records if values.items() <= record.items()]
    best = max(tried, key=lambda record: np.mean(record["check"], axis=0)[-1])
    return np.array(best["test"])[:, -1]


@cache
def digits() -> tuple[np.ndarray, np.ndarray]:
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
    with np.load(HERE / "digits.npz") as stored:
        images, labels = stored["images"], stored["labels"]
    for array in (images, labels):
        array.flags.writeable = False  # one copy for all who ask
    return images, labels
