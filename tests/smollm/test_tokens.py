"""Text to tokens and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn.smollm.tokens import LETTERS, Tokenizer, words


@pytest.fixture(scope="module")
def small():
    """Every byte, and four merges."""
    merges = ["a b", "ab c", "b c", "Ġ ab"]
    made = ["ab", "abc", "bc", "Ġab"]
    return Tokenizer(["<end>", *LETTERS.values(), *made], merges, [0])


def pieces(tokenizer, text):
    return [tokenizer.pieces[i] for i in tokenizer.tokenize(text)]


def test_the_pair_that_comes_first_in_the_list_merges_first(small):
    assert pieces(small, "abc") == ["abc"]
    assert pieces(small, "bcabc") == ["bc", "abc"]


def test_a_pair_merges_from_the_left_and_only_in_its_word(small):
    assert pieces(small, "abab") == ["ab", "ab"]
    assert pieces(small, "ab ab") == ["ab", "Ġab"]
    assert pieces(small, "ab1ab") == ["ab", "1", "ab"]


def test_what_no_merge_knows_stays_bytes(small):
    assert pieces(small, "é") == [LETTERS[byte] for byte in "é".encode()]


def test_the_name_of_a_control_token_is_that_token(small):
    assert small.tokenize("ab<end>ab") == [small.ids["ab"], 0, small.ids["ab"]]
    assert small.decode([0]) == "<end>"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_words_together_are_the_text_and_tokens_lead_back_to_it(text):
    tokenizer = Tokenizer(["<end>", *LETTERS.values()], [], [0])
    assert "".join(words(text)) == text
    assert tokenizer.decode(tokenizer.tokenize(text)) == text


def test_half_a_letter_is_shown_as_such(small):
    assert small.decode(small.tokenize("é")[:1]) == "�"


def test_tokens_are_those_of_the_reference(model, reference):
    different = {
        text: (ids, model.tokenizer.tokenize(text))
        for text, ids in reference["tokens"]
        if model.tokenizer.tokenize(text) != ids
    }
    assert len(reference["tokens"]) > 400
    assert not different


def test_tokens_of_the_reference_lead_back_to_their_texts(model, reference):
    for text, ids in reference["tokens"]:
        assert model.tokenizer.decode(ids) == text
