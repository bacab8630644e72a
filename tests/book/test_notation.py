"""One letter, one meaning: in the table of symbols, and in the chapters that use them."""

import re

import pytest
from chapter_text import BOOK, Chapter

from web.chapters import contents

TABLE = (BOOK / "notation.md").read_text(encoding="utf-8").split("**Vectors are rows.**")[0]
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|", TABLE, re.MULTILINE)[1:]
SYMBOLS = [s.split(" = ")[0].strip("$ ") for cell, _ in ROWS for s in cell.split(", ")]
CHAPTERS = [path.stem for path in contents.chapters()]
OF_SEQUENCES = {"06-masks", "07-position", "09-vs-rnn"}  # these, and paths, do have a length
NORM = "The *norm* of a vector is its length as an arrow"


def test_no_symbol_and_no_meaning_stands_twice():
    assert len(SYMBOLS) == len(set(SYMBOLS))
    meanings = [meaning for _, meaning in ROWS]
    assert len(meanings) == len(set(meanings))
    assert {"b", "h", "a", "s", "S", "p", "A"} <= set(SYMBOLS)


@pytest.mark.parametrize("name", sorted({*CHAPTERS} - OF_SEQUENCES))
def test_a_vector_has_a_size_and_a_norm_and_no_length(name):
    said = re.findall(r"\w* ?\blengths?\b", Chapter(name).prose.replace(NORM, ""))
    assert said == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_weights_are_capital_a_and_a_bias_is_named_by_what_it_is_added_to(name):
    text = Chapter(name).text
    assert re.findall(r"\ba_\{?[ij]|\$a\$(?!\.)|\$b\$|\+ b\b|\$h_j|\bh_j\b", text) == []
