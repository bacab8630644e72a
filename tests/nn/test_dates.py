"""Chapter 11's translator of dates: what is said, what is hidden, and a run beside the table."""

import numpy as np
import pytest
import torch

from attn.data import load
from attn.nn.experiments import train_dates
from attn.nn.experiments.dates import (
    ARMS,
    LONGEST,
    SEEDS,
    SHOWN,
    TEMPLATES,
    UNSEEN_TEMPLATES,
    WORDS,
    DateWriter,
    alignment,
    encode,
    encode_dates,
    exact,
    given,
    iso,
    look,
    say,
    split,
    translate,
    without_own_words,
    year_words,
)

TABLE = load("dates")


def test_the_table_holds_every_arm_and_seed():
    expected = [(arm, seed) for arm in ARMS for seed in SEEDS]
    assert [(run["arm"], run["seed"]) for run in TABLE["runs"]] == expected
    assert TABLE["shown"] == [" ".join(say(*date)[0]) for date in SHOWN]


def test_a_run_writes_unseen_dates_and_looks_at_their_words():
    model = train_dates(0, steps=400)
    _, dates, _ = split()
    assert exact(model, dates, count=300) > 0.9
    for field in ("year", "month", "day"):
        found = alignment(model, count=200)[field]
        assert found["weight"] > found["even"] + 0.2
    assert max(without_own_words(model, count=200).values()) < 0.3
    written, A = look(model, TABLE["shown"][0])
    assert translate(model, TABLE["shown"][0]) == written
    assert A.shape == (2, 10, len(TABLE["shown"][0].split()))


def test_every_year_is_said_in_its_own_words():
    said = {tuple(year_words(year)) for year in range(1800, 2100)}
    assert len(said) == 300
    assert {word for words in said for word in words} <= set(WORDS)


@pytest.mark.parametrize("template", TEMPLATES + UNSEEN_TEMPLATES)
def test_every_template_says_each_date_once(template):
    said = {
        tuple(say(year, 12, day, template)[0])
        for year in (1819, 1820, 2005)
        for day in range(1, 32)
    }
    assert len(said) == 93
    assert max(map(len, said)) <= LONGEST
    words, fields = say(1999, 2, 28, template)
    assert [word for word, field in zip(words, fields, strict=True) if field == "month"] == [
        "february"
    ]
    assert set(fields) >= {"year", "month", "day"}


def test_no_date_to_train_on_is_tested_and_no_year_of_the_last_set_is_trained_on():
    trained, unseen, years = split()
    assert not set(trained) & set(unseen)
    assert not {date[0] for date in years} & {date[0] for date in trained + unseen}
    assert len(trained) + len(unseen) + len(years) == 109_573  # 300 years, 73 of them leap years


def test_no_character_sees_itself_or_those_after_it():
    torch.manual_seed(0)
    model = DateWriter()
    words = encode([say(*SHOWN[0])[0]])
    one, other = (given(encode_dates([date])) for date in ((1819, 3, 3), (1819, 3, 9)))
    other[:, 7:] = 4
    with torch.no_grad():
        torch.testing.assert_close(model(words, one)[:, :7], model(words, other)[:, :7])


def test_shorter_texts_are_filled_up_without_a_change():
    torch.manual_seed(0)
    model = DateWriter().eval()
    texts = [say(1819, 3, 3, "M O Y")[0], say(2005, 3, 21, "in the year Y on M O")[0]]
    characters = given(encode_dates([(1819, 3, 3), (2005, 3, 21)]))
    with torch.no_grad():
        together, alone = model(encode(texts), characters), model(encode(texts[:1]), characters[:1])
    torch.testing.assert_close(together[:1], alone)


def test_a_hidden_word_gets_no_weight():
    torch.manual_seed(0)
    model = DateWriter()
    words, characters = encode([say(*SHOWN[0])[0]]), given(encode_dates([(1819, 3, 3)]))
    visible = torch.ones(1, 10, words.shape[1], dtype=torch.bool)
    visible[..., 2] = False
    A = model.weights(words, characters, visible).detach().numpy()
    assert not A[..., 2].any()
    np.testing.assert_allclose(A.sum(axis=-1), 1, atol=1e-5)


def test_iso_is_ten_characters():
    assert [len(iso(*date)) for date in ((1800, 1, 1), (2099, 12, 31))] == [10, 10]
