"""One letter, one meaning: in the table of symbols, and in the chapters that use them."""

import re

import pytest
from book.chapter_text import BOOK, Chapter

from web.chapters import contents

TABLE = (BOOK / "notation.md").read_text(encoding="utf-8").split("**Vectors are rows.**")[0]
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|", TABLE, re.MULTILINE)[1:]
SYMBOLS = [s.split(" = ")[0].strip("$ ") for cell, _ in ROWS for s in cell.split(", ")]
CHAPTERS = [path.stem for path in contents.chapters()]
OF_SEQUENCES = {
    "06-masks",
    "07-position",
    "09-vs-rnn",
    "11-train",
    "12-real-attention",
}  # these, and paths, do have a length
NORM = re.compile(r"[^.]*\*norm\*[^.]*\.")  # a sentence that says what a norm is


def test_no_symbol_and_no_meaning_stands_twice():
    assert len(SYMBOLS) == len(set(SYMBOLS))
    meanings = [meaning for _, meaning in ROWS]
    assert len(meanings) == len(set(meanings))
    assert {"b", "h", "a", "s", "S", "p", "A"} <= set(SYMBOLS)


@pytest.mark.parametrize("name", sorted({*CHAPTERS} - OF_SEQUENCES))
def test_a_vector_has_a_size_and_a_norm_and_no_length(name):
    said = re.findall(r"\w* ?\blengths?\b", NORM.sub("", Chapter(name).prose))
    assert said == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_weights_are_capital_a_and_a_bias_is_named_by_what_it_is_added_to(name):
    text = Chapter(name).text
    assert re.findall(r"\ba_\{?[ij]|\$a\$(?!\.)|\$b\$|\+ b\b|\$h_j|\bh_j\b", text) == []


GLOSSARY = (BOOK / "notation.md").read_text(encoding="utf-8").split("(sec-glossary)=")[1]
TERMS = re.findall(r"^- \*\*(.+?)\*\*: .*\((\S+)\.md#([\w-]+)\)\)$", GLOSSARY, re.MULTILINE)
FIELD = """cross-attention, projection, saturation, batch, autoregressive, teacher forcing, RoPE,
extrapolation, inductive bias, weight sharing, translation equivariance, channel,
convolutional neural network, vanishing gradient, gradient clipping, recurrent neural network,
sequential operations, path length, long-range dependence, residual connection, layer norm,
feed-forward, pre-norm, post-norm, warm-up, rank collapse, dropout"""


def test_the_glossary_has_the_words_that_readers_meet_elsewhere_in_order():
    words = [term for term, _, _ in TERMS]
    assert len(words) == GLOSSARY.count("\n- ")
    assert words == sorted(words, key=str.lower)
    assert set(re.split(r",\s+", FIELD)) <= set(words)


@pytest.mark.parametrize(("term", "name", "label"), TERMS, ids=[term for term, _, _ in TERMS])
def test_a_word_of_the_glossary_stands_in_bold_where_it_links_to(term, name, label):
    section = Chapter(name).text.split(f"({label})=\n", 1)[1]
    heading, rest = section.split("\n", 1)
    section = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    assert heading.startswith("#")
    assert re.search(rf"\*\*{term}(?:s|ed)?\*\*", section, re.IGNORECASE)
