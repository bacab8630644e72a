"""From a text to the tokens of a vocabulary: words, and pieces of words that it does not hold."""

import re
import unicodedata
from collections.abc import Collection

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
LONGEST = 100  # a longer word is not taken apart
_SPECIAL = re.compile(r"(\[(?:CLS|SEP|PAD|UNK|MASK)\])")
# Where Chinese characters stand; each is a word of its own.
_CHINESE = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def tokenize(text: str, vocabulary: Collection[str]) -> list[str]:
    """Split a text into tokens, with [CLS] before it and [SEP] after it.

    Parameters
    ----------
    text : str
    vocabulary : collection of str
        Words, and pieces that continue a word, which start with ``##``.

    Returns
    -------
    list of str
        Lower case, without accents, punctuation apart. A word that the vocabulary does not hold is
        cut into the longest pieces that it does; where that fails, it is [UNK].

    Examples
    --------
    >>> tokenize("Tokenization, s'il vous plaît!", {"token", "##ization", ",", "s", "'", "il", "!"})
    ['[CLS]', 'token', '##ization', ',', 's', "'", 'il', '[UNK]', '[UNK]', '!', '[SEP]']
    """
    if not isinstance(text, str):
        raise TypeError(f"the model reads one text, a str: got {type(text).__name__}")
    tokens = []
    for part in _SPECIAL.split(text):
        if _SPECIAL.fullmatch(part):
            tokens.append(part)
        else:
            tokens += [p for word in _words(part) for p in _pieces(word, vocabulary)]
    return [START, *tokens, END]


def _words(text):
    """Words and marks of punctuation, in lower case and without accents."""
    spaced = "".join(map(_spaced, text))
    plain = "".join(c for c in unicodedata.normalize("NFD", spaced) if _category(c) != "Mn")
    return "".join(f" {c} " if _is_punctuation(c) else c for c in plain.lower()).split()


def _spaced(c):
    """One character: a blank for white space, none for what controls, room around Chinese ones."""
    if c in "\t\n\r" or _category(c) == "Zs":
        return " "
    if c == "\ufffd" or _category(c).startswith("C"):
        return ""
    return f" {c} " if any(first <= ord(c) <= last for first, last in _CHINESE) else c


def _category(c):
    return unicodedata.category(c)


def _is_punctuation(c):
    """What ASCII has besides letters, digits and blanks, and what Unicode calls punctuation."""
    return ("!" <= c <= "~" and not c.isalnum()) or _category(c).startswith("P")


def _pieces(word, vocabulary):
    """The longest piece that the vocabulary holds, then the longest of the rest, and so on."""
    if len(word) > LONGEST:
        return [UNKNOWN]
    pieces, rest = [], word
    while rest:
        sizes = range(len(rest), 0, -1)
        mark = "##" if pieces else ""
        piece = next((mark + rest[:n] for n in sizes if mark + rest[:n] in vocabulary), None)
        if piece is None:
            return [UNKNOWN]
        pieces.append(piece)
        rest = rest[len(piece) - len(mark) :]
    return pieces
