"""GGUF, the file format of llama.cpp: facts about a model, then its arrays in few bits.

The layout: four letters and a version; how many arrays and how many facts; the facts, each a name,
a kind and a value; for each array its name, its sizes (the fastest first), its kind and where it
starts; then the arrays, each at a multiple of 32 bytes.
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from attn.core.arrays import Array

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"}
_NUMBERS |= {10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9
_ALIGNMENT = 32

# Numbers in blocks of 32 that share a factor, and with Q4_1 an offset.
_BLOCK = 32
_Q4_1 = np.dtype([("factor", "<f2"), ("offset", "<f2"), ("pairs", "u1", _BLOCK // 2)])
_Q8_0 = np.dtype([("factor", "<f2"), ("numbers", "i1", _BLOCK)])
_FLOAT32 = np.dtype("<f4")
_KINDS = {0: ("F32", _FLOAT32), 3: ("Q4_1", _Q4_1), 8: ("Q8_0", _Q8_0)}


@dataclass(frozen=True)
class Tensor:
    """An array as the file holds it: `rows` of blocks, `shape` of the numbers they stand for."""

    kind: str
    shape: tuple[int, ...]
    rows: np.ndarray

    def array(self) -> Array:
        """The numbers themselves, in float32."""
        return _DEQUANTISE[self.kind](self.rows).reshape(self.shape)


def read_gguf(content: bytes | memoryview) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The facts and the arrays of a file, both by name.

    Parameters
    ----------
    content : bytes-like
        The whole file; the arrays are views of it.

    Returns
    -------
    (dict, dict of Tensor)

    Raises
    ------
    ValueError
        If it is no GGUF file of version 3, is cut short, or holds arrays of another kind.
    """
    reader = _Reader(content)
    start = (bytes(reader.take(4)), reader.number("I"))
    if start != (b"GGUF", 3):
        raise ValueError(f"a GGUF file of version 3 begins with {(b'GGUF', 3)}: got {start}")
    tensors, facts = reader.number("Q"), reader.number("Q")
    metadata = {}
    for _ in range(facts):
        name = reader.text()
        metadata[name] = reader.value(reader.number("I"))
    entries = [reader.entry() for _ in range(tensors)]
    start = -(-reader.position // _ALIGNMENT) * _ALIGNMENT
    return metadata, {name: reader.tensor(start, name, *entry) for name, *entry in entries}


class _Reader:
    """A place in the file that moves on as it is read."""

    def __init__(self, content):
        self.content, self.position = memoryview(content), 0

    def take(self, count):
        end = self.position + count
        if end > len(self.content):
            raise ValueError(f"the GGUF file is cut short: it has {len(self.content):,} bytes")
        found, self.position = self.content[self.position : end], end
        return found

    def number(self, letter):
        letter = "<" + letter
        return struct.unpack(letter, self.take(struct.calcsize(letter)))[0]

    def text(self):
        return str(self.take(self.number("Q")), "utf-8")

    def value(self, kind):
        if kind == _TEXT:
            return self.text()
        if kind == _LIST:
            inner, count = self.number("I"), self.number("Q")
            return [self.value(inner) for _ in range(count)]
        return self.number(_NUMBERS[kind])

    def entry(self):
        name, axes = self.text(), self.number("I")
        sizes = [self.number("Q") for _ in range(axes)]
        return name, tuple(reversed(sizes)), self.number("I"), self.number("Q")

    def tensor(self, start, name, shape, kind, offset):
        if kind not in _KINDS:
            kinds = ", ".join(known for known, _ in _KINDS.values())
            raise ValueError(f"arrays are {kinds} here: {name} is of kind {kind}")
        label, block = _KINDS[kind]
        per_block = 1 if block == _FLOAT32 else _BLOCK
        self.position = start + offset
        count = int(np.prod(shape)) // per_block
        blocks = np.frombuffer(self.take(count * block.itemsize), block)
        return Tensor(label, shape, blocks.reshape(*shape[:-1], -1))


def _from_q4_1(rows):
    low, high = rows["pairs"] & 15, rows["pairs"] >> 4  # the first 16 numbers, the last 16
    numbers = np.concatenate([low, high], axis=-1).astype(np.float32)
    factor, offset = (rows[k].astype(np.float32)[..., None] for k in ("factor", "offset"))
    return numbers * factor + offset


def _from_q8_0(rows):
    return rows["numbers"].astype(np.float32) * rows["factor"].astype(np.float32)[..., None]


_DEQUANTISE = {
    "F32": lambda rows: rows.astype(np.float32),
    "Q4_1": _from_q4_1,
    "Q8_0": _from_q8_0,
}
