"""Every chapter in JupyterLab reads as a page: no markup shows through, no link is dead."""

import re

import pytest
from browsers.page_functions import page_function

from web.chapters import contents
from web.figures.link_syntax import IN_MARKDOWN

RAW = re.compile(
    r"^\s*(:::|```\{)|\{[\w:.-]+\}`|^\(\S+\)=\s*$|^\s*:(label|class|name|tags):|<!--", re.MULTILINE
)
WORDS = page_function(__file__, "cellTexts")
MARKS = page_function(__file__, "unresolvedMarks")
LINKS = page_function(__file__, "links")
STATE_LINKS = page_function(__file__, "stateLinks")


def raw_markup(notebook):
    return [found[0] for words in notebook.page.evaluate(WORDS) for found in RAW.finditer(words)]


def values_by_name(notebook):
    """Glued values that show as their names: JupyterLab does not know the role."""
    glued = re.findall(r"\{glue[\w:]*\}`([^`]+)`", notebook.source)
    words = "\n".join(notebook.page.evaluate(WORDS))
    return [name for name in glued if name in words]


def dead_links(notebook):
    """Texts of links to nowhere: references across files, and files that are not there."""
    dead = []
    for text, address in notebook.page.evaluate(LINKS):
        file = re.match(re.escape(notebook.lab.address) + r"files/([^?#]+)", address)
        if address == "#" or (file and not notebook.lab.has(file[1])):
            dead.append(text)
    return dead


def test_no_markup_shows_through(notebook):
    assert raw_markup(notebook) == []


def test_nothing_is_marked_as_missing_or_unknown(notebook):
    assert notebook.page.evaluate(MARKS) == []


def test_no_value_is_replaced_by_its_name(notebook):
    assert values_by_name(notebook) == []


def test_every_link_leads_somewhere(notebook):
    assert dead_links(notebook) == []


@pytest.mark.parametrize("notebook", ["01-lookup.md"], indirect=True)
def test_a_link_that_sets_a_figure_is_text(executed):
    links = executed.page.evaluate(STATE_LINKS)
    assert len(links) == len(IN_MARKDOWN.findall(executed.source)) > 0
    assert all(links)


@pytest.mark.parametrize("notebook", ["index.md"], indirect=True)
def test_the_start_page_leads_to_every_chapter(notebook):
    chapters = [f"book/{path.name}" for path in contents.chapters()]
    led_to = [re.search(r"files/([^?#]+)", address) for _, address in notebook.page.evaluate(LINKS)]
    assert set(chapters) <= {found[1] for found in led_to if found}
