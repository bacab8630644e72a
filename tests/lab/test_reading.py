"""Every chapter in JupyterLab reads as a page: no markup shows through, no link is dead."""

import json
import re
import urllib.error
import urllib.request
from pathlib import Path

import contents
import pytest

TOP = Path(__file__).resolve().parents[2]
RAW = re.compile(
    r"^\s*(:::|```\{)|\{[\w:.-]+\}`|^\(\S+\)=\s*$|^\s*:(label|class|name|tags):", re.MULTILINE
)
# The words of each rendered Markdown cell, in lines as displayed, without what is shown as code.
WORDS = """() => [...document.querySelectorAll('.jp-MarkdownCell .myst')].map((cell) => {
  const copy = cell.cloneNode(true);
  for (const it of copy.querySelectorAll('pre, code, .katex')) it.remove();
  for (const it of copy.querySelectorAll('details')) it.open = true;
  document.body.append(copy);
  const words = copy.innerText;
  copy.remove();
  return words;
})"""
# What jupyterlab-myst draws where it cannot resolve a name or does not know a directive.
MARKS = """() => [
  ...[...document.querySelectorAll('.myst [title$="Not Found"]')],
  ...[...document.querySelectorAll('.myst *')].filter((it) =>
    it.children.length < 2 && /Unknown (Directive|Role)/.test(it.textContent)),
].map((it) => it.textContent.trim())"""
LINKS = """() => [...document.querySelectorAll('.myst a[href]')].map((it) =>
  [it.textContent, it.getAttribute('href')])"""
BROKEN = """---
kernelspec: {name: python3, display_name: Python 3}
---
# Broken

Someone {cite}`someone2017`, {ref}`ch-nowhere`, {ref}`a chapter <ch-nowhere>`,
[a file](no-such-file.md).

```{nonsense} words
```

&#123;ref}&#96;x&#96;

```{code-cell} ipython3
1
```
"""


def raw_markup(page):
    return [found[0] for words in page.evaluate(WORDS) for found in RAW.finditer(words)]


def dead_links(page, lab):
    """Texts of links to nowhere: references across files, and files that are not there."""
    dead = []
    for text, address in page.evaluate(LINKS):
        file = re.match(re.escape(lab.address) + r"files/([^?#]+)", address)
        if address == "#" or (file and not is_file(lab, file[1])):
            dead.append(text)
    return dead


def is_file(lab, path):
    try:
        urllib.request.urlopen(f"{lab.address}api/contents/{path}?content=0").close()
    except urllib.error.HTTPError:
        return False
    return True


def source(request):
    return (TOP / "book" / request.node.callspec.params["notebook"]).read_text()


@pytest.fixture(scope="session")
def broken(lab, browser):
    """A page with every fault that the tests below look for."""
    body = json.dumps({"type": "file", "format": "text", "content": BROKEN}).encode()
    address = f"{lab.address}api/contents/book/broken.md"
    urllib.request.urlopen(urllib.request.Request(address, body, method="PUT")).close()
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    before = lab.kernels()
    page.goto(f"{lab.address}lab/workspaces/broken/tree/book/broken.md?reset")
    page.locator(".myst h1").wait_for(timeout=90_000)
    page.wait_for_timeout(2000)
    yield page
    context.close()
    for kernel in lab.kernels() - before:
        lab.shut_down(kernel)


def test_each_fault_is_seen_where_there_is_one(broken, lab):
    assert raw_markup(broken) == ["{ref}`"]
    marks = broken.evaluate(MARKS)
    assert {"someone2017", "ch-nowhere"} < set(marks)
    assert any("Unknown Directive" in mark for mark in marks)
    assert dead_links(broken, lab) == ["a chapter", "a file"]


def test_no_markup_shows_through(notebook):
    page, _ = notebook
    assert raw_markup(page) == []


def test_nothing_is_marked_as_missing_or_unknown(notebook):
    page, _ = notebook
    assert page.evaluate(MARKS) == []


def test_no_value_is_replaced_by_its_name(notebook, request):
    """A role that JupyterLab does not know, such as glue, shows its raw content."""
    page, _ = notebook
    glued = re.findall(r"\{glue[\w:]*\}`([^`]+)`", source(request))
    words = "\n".join(page.evaluate(WORDS))
    assert [name for name in glued if name in words] == []


def test_every_link_leads_somewhere(notebook, lab):
    page, _ = notebook
    assert dead_links(page, lab) == []


def test_solutions_are_folded_and_everything_else_is_shown(notebook, request):
    page, _ = notebook
    solutions = len(re.findall(r"^tags: \[solution\]", source(request), re.MULTILINE))
    folded = page.locator(".jp-CodeCell .jp-Cell-inputWrapper .jp-InputPlaceholder")
    assert folded.count() == solutions
    assert page.locator(".jp-CodeCell .jp-Editor:visible").count() == (
        source(request).count("```{code-cell}") - solutions
    )


def test_starters_are_unanswered_and_solutions_pass(notebook, request):
    page, _ = notebook
    for tag, state in (("exercise", "unanswered"), ("solution", "passed")):
        written = len(re.findall(rf"^:?tags: \[{tag}\]", source(request), re.MULTILINE))
        assert page.locator(f'.attn-verdict[data-state="{state}"]').count() == written


@pytest.mark.parametrize("notebook", ["index.md"], indirect=True)
def test_the_start_page_leads_to_every_chapter(notebook):
    page, _ = notebook
    chapters = [f"book/{path.name}" for path in contents.chapters()]
    led_to = [re.search(r"files/([^?#]+)", address) for _, address in page.evaluate(LINKS)]
    assert set(chapters) <= {found[1] for found in led_to if found}
