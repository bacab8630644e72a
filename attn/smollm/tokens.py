"""Text to tokens and back: byte pairs merged by a learned list of ranks.

A text is cut into words (a space belongs to the word after it), digits one by one, and runs of
signs. Each is written as bytes, each byte as one letter, and then the pair of neighbours that comes
first in the list of merges becomes one piece, again and again, until no pair is in the list.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

# They cut a text in which each letter is "a" or an ASCII one, and each digit "0".
_DIGIT = re.compile("([0-9])")
_WORD = re.compile(
    r"'(?:[stmd]|re|ve|ll)| ?[a-zA-Z]+| ?[^\sa-zA-Z]+|\s+(?!\S)|\s+",
    re.ASCII,
)


def _byte_letters():
    """A visible letter for each byte: itself where it is one, else the next one from 256 on."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {b: chr(b) for b in visible} | {b: chr(256 + k) for k, b in enumerate(hidden)}


LETTERS = _byte_letters()
BYTES = {letter: byte for byte, letter in LETTERS.items()}


class Tokenizer:
    """A byte-level BPE tokenizer.

    Parameters
    ----------
    pieces : list of str
        The text of each token, in the letters of bytes.
    merges : list of str
        Pairs "left right", those that merge first first.
    control : iterable of int
        Tokens that stand for no text, such as <|im_end|>. Their names in a text mean them.
    """

    def __init__(
        self, pieces: Sequence[str], merges: Sequence[str], control: Iterable[int]
    ) -> None:
        self.pieces = list(pieces)
        self.ids = {piece: i for i, piece in enumerate(pieces)}
        self.ranks = {tuple(pair.split(" ")): rank for rank, pair in enumerate(merges)}
        self.control = frozenset(control)
        names = sorted((self.pieces[i] for i in self.control), key=len, reverse=True)
        self._names = re.compile(f"({'|'.join(map(re.escape, names))})" if names else "(?!)")
        self._merged = lru_cache(maxsize=20_000)(self._merge)

    def tokenize(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        found = []
        for part in self._names.split(text):
            if part in self.ids and self.ids[part] in self.control:
                found.append(self.ids[part])
            else:
                for word in words(part):
                    found += self._merged(word)
        return found

    def bytes_of(self, token: int) -> bytes:
        """The bytes that a token stands for; those of a control token are its name."""
        piece = self.pieces[token]
        if token in self.control:
            return piece.encode()
        return bytes(BYTES[letter] for letter in piece)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of tokens; bytes that are no whole letter become �."""
        return b"".join(map(self.bytes_of, ids)).decode(errors="replace")

    def _merge(self, word):
        parts = [LETTERS[byte] for byte in word.encode("utf-8", errors="replace")]
        while len(parts) > 1:
            pair = min(itertools.pairwise(parts), key=self._rank)
            if pair not in self.ranks:
                break
            parts = _joined(parts, pair)
        return tuple(self.ids[part] for part in parts)

    def _rank(self, pair):
        return self.ranks.get(pair, len(self.ranks))


def words(text: str) -> list[str]:
    """What is merged apart: words, single digits, runs of signs, runs of spaces.

    >>> words("The cat's 42 mice")
    ['The', ' cat', "'s", ' ', '4', '2', ' mice']
    """
    kinds = "".join(map(_kind, text))
    found, start = [], 0
    for part in _DIGIT.split(kinds):
        for match in _WORD.findall(part) if not _DIGIT.fullmatch(part) else [part]:
            found.append(text[start : start + len(match)])
            start += len(match)
    return found


def _kind(letter):
    """An ASCII letter of the same kind, as `_WORD` tells kinds apart."""
    category = unicodedata.category(letter)[0]
    if category == "N":
        return "0"
    if letter < "\x80":
        return letter
    if letter.isspace():
        return "\n"
    return "a" if category == "L" else "!"


def _joined(parts, pair):
    """The parts with each occurrence of the pair made one, from the left."""
    found, k = [], 0
    while k < len(parts):
        if k + 1 < len(parts) and (parts[k], parts[k + 1]) == pair:
            found.append(parts[k] + parts[k + 1])
            k += 2
        else:
            found.append(parts[k])
            k += 1
    return found
