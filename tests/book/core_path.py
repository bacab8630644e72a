"""The core path of a chapter as it is built: the words that a reader cannot leave out."""

import re
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup, Tag

# What is skipped, computed, drawn, or asked of a reader rather than told.
NOT_CORE = (
    "details, .cell, .attn-cells, .attn-cell-needs, .attn-model, .exercise, .attn-figure, "
    ".question-answer, dl.citation, .headerlink, nav, script, style"
)
WORD = re.compile(r"\S*\w\S*")
EXERCISES = re.compile(r"[\d.\s·]*Exercises")


@cache
def core_words(page: Path) -> int:
    """How many words stand on the core path; a formula counts as one."""
    return len(WORD.findall(core_text(page)))


def core_text(page: Path) -> str:
    article = read_article(page)
    for formula in article.select("math"):
        formula.replace_with(" x ")
    for section in article.select("section"):
        heading = section.find(["h2", "h3"], recursive=False)
        if heading and EXERCISES.match(heading.get_text().strip()):
            section.decompose()
    for part in article.select(NOT_CORE):
        part.decompose()
    return article.get_text(" ")


def read_article(page: Path) -> Tag:
    html = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    article = html.select_one("article")
    assert article is not None, f"{page} has no article"
    return article
