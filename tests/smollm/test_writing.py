"""Writing: settings, seeds, where it ends, and what is refused."""

import itertools

import numpy as np
import pytest

from attn import smollm

PROMPT = "The cat walks on the street because"


def written(model, **settings):
    return "".join(smollm.write(PROMPT, model=model, **({"count": 5} | settings)))


def test_the_next_token_s_probabilities_sum_to_1_and_rome_is_the_capital_of_italy(model):
    p = smollm.next_token("Paris is the capital of France. Rome is the capital of", model=model)
    assert p.shape == (49_152,)
    assert p.sum() == pytest.approx(1)
    assert smollm.decode([p.argmax()], model=model) == " Italy"
    assert 0.45 < p.max() < 0.51


def test_temperature_0_takes_the_likeliest_token_each_time(model):
    ids = smollm.tokenize(PROMPT, model=model)
    for _ in range(4):
        ids.append(int(smollm.next_token(ids, model=model).argmax()))
    assert PROMPT + written(model, temperature=0, count=4) == smollm.decode(ids, model=model)


def test_one_seed_writes_one_text_and_another_seed_another(model):
    assert written(model, seed=1) == written(model, seed=1) != written(model, seed=2)


def test_a_tiny_top_p_and_a_top_k_of_1_are_greedy(model):
    greedy = written(model, temperature=0)
    assert written(model, top_p=1e-6) == written(model, top_k=1) == greedy


def test_what_is_not_asked_for_is_not_computed(model, monkeypatch):
    from attn.smollm import writing

    reads = []
    monkeypatch.setattr(writing, "read", lambda *a, **k: reads.append(a) or smollm.read(*a, **k))
    texts = smollm.write(PROMPT, count=1000, model=model)
    assert reads == []
    list(itertools.islice(texts, 2))
    assert len(reads) == 2


def test_writing_ends_before_a_stop_even_if_it_comes_in_pieces(model):
    whole = written(model, temperature=0, count=8)
    stop = whole[5:11]
    assert stop.strip()
    ended = written(model, temperature=0, count=8, stop=stop)
    assert ended == whole[: whole.index(stop)]
    assert written(model, temperature=0, count=8, stop=["never said", stop]) == ended


def test_a_letter_of_several_tokens_comes_whole(model):
    from attn.smollm.writing import _texts

    ids = smollm.tokenize("a 🙂 b", model=model)
    texts = list(_texts(ids, model))
    assert "".join(texts) == "a 🙂 b"
    assert not any("�" in text for text in texts)


def test_a_conversation_gets_the_model_s_own_opening_and_ends_by_itself(model):
    question = [{"role": "user", "content": "Say yes."}]
    prompt = smollm.conversation(question)
    assert prompt.startswith("<|im_start|>system\nYou are a helpful AI assistant named SmolLM")
    assert prompt.endswith("<|im_end|>\n<|im_start|>assistant\n")
    answer = "".join(smollm.chat(question, temperature=0, count=12, model=model))
    assert answer
    assert "<|im_end|>" not in answer


def test_heads_are_shown_with_their_tokens(model):
    tokens, A = smollm.attention("The cat walks", model=model)
    assert tokens == ["The", " cat", " walks"]
    assert A.shape == (30, 9, 3, 3)


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"temperature": -0.1}, "temperature must be"),
        ({"top_p": 0}, "top_p must be"),
        ({"top_k": 0}, "top_k must be"),
        ({"count": -1}, "count must be a whole number of at least 0: got -1"),
        ({"stop": ""}, "stop must be a text or several, none of them empty: got ''"),
        ({"stop": [1]}, r"got \[1\]"),
    ],
)
def test_settings_are_refused_when_the_call_is_made(settings, rule, model):
    with pytest.raises(ValueError, match=rule):
        smollm.write(PROMPT, model=model, **settings)


@pytest.mark.parametrize("prompt", ["", []])
def test_an_empty_prompt_is_refused(prompt, model):
    with pytest.raises(ValueError, match="the prompt is empty"):
        smollm.write(prompt, model=model)


def test_tokens_that_do_not_exist_are_refused(model):
    with pytest.raises(ValueError, match="from 0 to 49151: got 49152"):
        smollm.next_token([49152], model=model)


@pytest.mark.parametrize(
    "messages", [[{"role": "cat", "content": "x"}], [{"role": "user"}], ["hello"]]
)
def test_a_message_has_a_known_role_and_a_content(messages):
    with pytest.raises(ValueError, match=r"a role is one of|a message is a dict"):
        smollm.conversation(messages)


def test_probabilities_are_those_that_writing_draws_from(model):
    ids = smollm.tokenize(PROMPT, model=model)
    logits = smollm.read(ids, model, last=True).logits[-1]
    np.testing.assert_allclose(
        smollm.probabilities(logits), smollm.next_token(PROMPT, model=model), atol=1e-12
    )
