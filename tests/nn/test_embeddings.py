"""Chapter 2's training of two-dimensional words: the committed table is what a run gives."""

import numpy as np
import pytest

import attn
from attn.data import load
from attn.nn.experiments import embeddings, train_embeddings
from attn.nn.experiments.embeddings import GROUNDS, SENTENCES, SUBJECTS, TASKS, VERB, WORDS

RECORD = load("embeddings")


@pytest.mark.parametrize("task", TASKS)
def test_a_run_gives_the_committed_course(task):
    course, run = RECORD["courses"][task], train_embeddings(task)
    assert tuple(course["words"]) == run["words"] == WORDS
    np.testing.assert_allclose(course["vectors"], run["vectors"][course["steps"]], atol=0.02)
    np.testing.assert_allclose(course["loss"], run["loss"][course["steps"]], atol=0.005)


@pytest.mark.parametrize("row", [0, 13, 26, 31], ids=lambda i: str(RECORD["runs"][i]))
def test_a_run_gives_its_line_of_the_committed_table(row):
    line = RECORD["runs"][row]
    again = embeddings.summary(line["task"], line["seed"], line["spread"])
    assert again["held_out"] == line["held_out"]
    assert again["looks_mean"] == pytest.approx(line["looks_mean"], abs=0.01)
    assert again["looks_least"] == pytest.approx(line["looks_least"], abs=0.02)


def test_the_table_holds_ten_seeds_of_each_task_and_spread():
    keys = {(r["task"], r["spread"], r["seed"]) for r in RECORD["runs"]}
    assert keys == {(t, s, k) for t in TASKS for s in (0.2, 1.0) for k in range(10)}


def test_the_weights_reported_are_those_of_attn_s_own_self_attention():
    run = train_embeddings("who", steps=30)
    table = dict(zip(run["words"], run["vectors"][-1], strict=True))
    X = np.array([table[word] for word in SENTENCES[5]])
    A = attn.softmax(X @ X.T)
    assert run["looks"][5] == pytest.approx(A[VERB, 1], abs=1e-12)


def test_the_held_out_sentences_leave_every_word_in_training():
    _, answers, held_out = embeddings._sentences("who")
    seen = [s for s, out in zip(SENTENCES, held_out.tolist(), strict=True) if not out]
    assert len(SENTENCES) == 32
    assert int(held_out.sum()) == 8
    assert {word for sentence in seen for word in sentence} == set(WORDS)
    assert answers[held_out].mean() == 0.5
    assert len({(s[1], s[5]) for s in seen}) == len(SUBJECTS) * len(GROUNDS) - 4


def test_seeds_and_steps_are_obeyed():
    one, same, other = (train_embeddings("where", seed=s, steps=4) for s in (1, 1, 2))
    assert one["vectors"].shape == (5, len(WORDS), 2)
    np.testing.assert_array_equal(one["vectors"], same["vectors"])
    assert not np.allclose(one["vectors"][0], other["vectors"][0])


def test_the_two_tasks_start_from_the_same_words():
    who, where = (train_embeddings(task, steps=0) for task in TASKS)
    np.testing.assert_array_equal(who["vectors"], where["vectors"])


def test_an_unknown_task_is_named_with_those_there_are():
    with pytest.raises(ValueError, match="one of who, where: got 'when'"):
        train_embeddings("when")


def test_unknown_data_is_named_with_those_there_are():
    with pytest.raises(ValueError, match=r"one of .*embeddings.*: got 'embedding'"):
        load("embedding")


def test_an_unknown_experiment_is_named_with_those_there_are():
    import attn.nn.experiments as experiments

    with pytest.raises(AttributeError, match=r"train_embeddings.*not 'train'"):
        _ = experiments.train


def test_the_tiny_world_holds_what_a_training_sees():
    words, tokens, living = embeddings.tiny_world("who")
    assert words == WORDS
    seen = [" ".join(words[t] for t in row) for row in tokens]
    assert len(set(seen)) == 24
    assert "the cat walks on the street" not in seen, "kept for the test"
    assert living.tolist() == [float(SUBJECTS[s.split()[1]]) for s in seen]
