"""The model in a quarter of its bytes, for a page: int8 in groups of 128, words in shards.

``python -m attn.minilm.quantised FOLDER`` writes the files: ``layers.bin`` with everything but the
words, ``words-000.bin`` and so on with the vectors of 256 words each, and ``words.txt`` with the
words themselves. A sentence needs the layers and a few of the shards.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attn.minilm.weights import Weights, find, load, named, read_safetensors
from attn.minilm.wordpiece import tokenize

GROUP, SHARD = 128, 256
LARGEST = 127  # of an int8 whose negative is one too
_WORDS = "embeddings.word_embeddings.weight"


def quantise(W):
    """Round a matrix to int8, each run of 128 entries of a row with a scale of its own.

    Parameters
    ----------
    W : (rows, columns)
        128 divides the columns.

    Returns
    -------
    numbers : (rows, columns) of int8
    scales : (rows, columns / 128) of float32
        What one step of a group stands for: its largest entry is 127 steps.

    Examples
    --------
    >>> numbers, scales = quantise(np.linspace(-2.54, 2.54, 128)[None])
    >>> numbers[0, [0, -1]], scales.round(4)
    (array([-127,  127], dtype=int8), array([[0.02]], dtype=float32))
    """
    rows, columns = W.shape
    groups = np.asarray(W, dtype=np.float32).reshape(rows, columns // GROUP, GROUP)
    scales = np.abs(groups).max(axis=-1) / LARGEST
    scales[scales == 0] = 1  # a group of zeros stays one
    return np.rint(groups / scales[..., None]).astype(np.int8).reshape(W.shape), scales


def dequantise(numbers, scales):
    """The matrix that was quantised, as float32: every entry within half a step."""
    rows, columns = numbers.shape
    groups = numbers.reshape(rows, columns // GROUP, GROUP).astype(np.float32)
    return (groups * scales[..., None]).reshape(rows, columns)


def write_safetensors(arrays):
    """The bytes of a safetensors file with these arrays of float32 and int8."""
    kinds, header, parts, start = {"f": "F32", "i": "I8"}, {}, [], 0
    # int8 last, so that every array starts where its numbers may.
    for name, array in sorted(arrays.items(), key=lambda one: one[1].dtype.itemsize, reverse=True):
        content = array.tobytes()
        shape, end = list(array.shape), start + len(content)
        kind = kinds[array.dtype.kind]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
        parts.append(content)
        start = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def _quantised(arrays):
    """Matrices as int8 with their scales, the rest as it is."""
    found = {}
    for name, array in arrays.items():
        if array.ndim == 2 and array.shape[1] % GROUP == 0:
            found[name], found[f"{name}.scales"] = quantise(array)
        else:
            found[name] = array
    return found


def _restored(content):
    arrays = read_safetensors(content)
    return {
        name: dequantise(array, arrays[f"{name}.scales"]) if array.dtype == np.int8 else array
        for name, array in arrays.items()
        if not name.endswith(".scales")
    }


def shard_name(k):
    """The file of the words 256 k to 256 k + 255."""
    return f"words-{k:03}.bin"


def files(tensors, vocabulary):
    """All files of the quantised model by name, from the arrays of `model.safetensors`."""
    kept = {n: a for n, a in tensors.items() if a.dtype == np.float32 and n != _WORDS}
    kept = {name: a for name, a in kept.items() if not name.startswith("pooler.")}  # never used
    words = tensors[_WORDS]
    order = sorted(vocabulary, key=vocabulary.get)
    found = {
        "words.txt": "\n".join(order).encode(),
        "layers.bin": write_safetensors(_quantised(kept)),
    }
    for k in range(-(-len(words) // SHARD)):
        shard = {"rows": words[SHARD * k : SHARD * (k + 1)]}
        found[shard_name(k)] = write_safetensors(_quantised(shard))
    return found


class WordShards:
    """The word table as far as it is here; `add` brings another shard."""

    def __init__(self):
        self.shards = {}

    def add(self, k, content):
        """Take in the bytes of shard k."""
        self.shards[k] = _restored(content)["rows"]

    def __getitem__(self, rows):
        missing = sorted({row // SHARD for row in rows} - self.shards.keys())
        if missing:
            raise KeyError(f"these words need {', '.join(map(shard_name, missing))}")
        return np.stack([self.shards[row // SHARD][row % SHARD] for row in rows])


def read(layers: bytes, words: bytes) -> Weights:
    """The quantised model from the bytes of layers.bin and of words.txt, without any word's vector.

    `needed_shards` tells which shards a text needs; `weights.words.add` takes them.

    Returns
    -------
    Weights
    """
    vocabulary = {word: row for row, word in enumerate(words.decode().split("\n"))}
    return named(_restored(layers) | {_WORDS: WordShards()}, vocabulary)


def needed_shards(text: str, weights: Weights) -> list[int]:
    """The numbers of the shards that a text needs and that are not here, smallest first."""
    rows = {weights.vocabulary[token] for token in tokenize(text, weights.vocabulary)}
    return sorted({row // SHARD for row in rows} - weights.words.shards.keys())


def main(folder):
    """Write every file of the quantised model into a folder."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    load()  # checks the hashes
    tensors = read_safetensors(find()[0].read_bytes())
    for name, content in files(tensors, load().vocabulary).items():
        (target / name).write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1])
