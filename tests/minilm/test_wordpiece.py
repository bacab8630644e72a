"""The tokenizer, against the model's own."""

import json

import pytest

from attn.minilm import tokenize
from web.builder.paths import TOP

GOLDEN = json.loads((TOP / "tests/minilm/golden.json").read_text(encoding="utf-8"))
PIECES = {"play", "##ing", "##s", "ing", "a", "##b", "é"}


@pytest.mark.parametrize("case", GOLDEN["texts"] + GOLDEN["sentences"], ids=lambda c: c["text"])
def test_tokens_are_the_references(case, model):
    assert tokenize(case["text"], model.vocabulary) == case["tokens"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Playing", ["play", "##ing"]),
        ("ing", ["ing"]),
        ("plays a", ["play", "##s", "a"]),
        ("playx", ["[UNK]"]),
        ("é", ["[UNK]"]),
        ("a" + "b" * 99, ["a"] + ["##b"] * 99),
        ("a" + "b" * 100, ["[UNK]"]),
        ("", []),
    ],
)
def test_the_longest_piece_comes_first_and_a_word_that_does_not_fit_is_unknown(text, tokens):
    assert tokenize(text, PIECES) == ["[CLS]", *tokens, "[SEP]"]


@pytest.mark.parametrize("text", [["a", "ing"], b"a", 3, None])
def test_what_is_no_text_is_refused_with_what_it_is(text):
    with pytest.raises(TypeError, match=f"one text, a str: got {type(text).__name__}"):
        tokenize(text, PIECES)
