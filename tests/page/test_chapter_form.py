"""The form of a chapter: short, and honest about its time."""

import math
import re
from functools import cache
from pathlib import Path

import pytest
from book.core_path import core_words, read_article

from attn.exercises.catalog import catalog
from web.builder.paths import SITE
from web.chapters import contents

# Every numbered chapter but the warm-up.
NAMES = [path.stem for path in contents.chapters() if path.stem[:2] > "00"]
CHAPTERS = [SITE / f"book/{name}.html" for name in NAMES]
MOST_WORDS = 2800
WORDS_A_MINUTE = 70  # with code, figures and questions, as measured on readers
OPENING = re.compile(r"(\d+) minutes, plus (\d+) for the exercises\.")
each_chapter = pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)


def minutes(words: int) -> int:
    """The time for so many words, rounded up to five minutes."""
    return 5 * math.ceil(words / WORDS_A_MINUTE / 5)


@cache
def stated(page: Path) -> tuple[int, int]:
    """The minutes that a chapter's opening says: for itself, and for its exercises."""
    text = re.sub(r"\s+", " ", read_article(page).get_text())
    found = OPENING.search(text)
    assert found, f"{page.stem} does not say “35 minutes, plus 47 for the exercises.”"
    return int(found[1]), int(found[2])


def test_every_chapter_of_the_contents_is_built():
    assert len(CHAPTERS) >= 9
    assert [page.name for page in CHAPTERS if not page.exists()] == []


@each_chapter
def test_the_core_path_is_short(page):
    words = core_words(page)
    assert words <= MOST_WORDS, (
        f"the core path of {page.stem} has {words} words, {words - MOST_WORDS} too many: fold a "
        "part under Going deeper, or say it in fewer"
    )


@each_chapter
def test_the_opening_says_the_minutes_that_the_words_and_the_exercises_take(page):
    exercises = [one for one in catalog() if one.id.startswith(page.stem[:2])]
    assert stated(page) == (minutes(core_words(page)), sum(one.minutes for one in exercises))


@each_chapter
def test_the_card_on_the_start_page_says_the_same(page):
    cards = read_article(SITE / "book/index.html").select("#the-chapters li")
    (card,) = [card for card in cards if card.find("a", href=page.name)]
    assert card.find("em").get_text() == f"{stated(page)[0]} minutes"
