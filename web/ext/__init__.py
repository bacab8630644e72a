"""The Sphinx side of the book, one extension a file, in the order that ``ORDER`` gives.

``_config.yml`` names ``web.ext`` alone, and ``setup`` adds the extensions in this order. At one of
Sphinx's events all of ours listen with the same priority (``PRIORITY``), and Sphinx calls equals in
the order in which they were added: so the list is the order in which they act.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the server reads the security policy without Sphinx
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


class Extension(NamedTuple):
    """A module of this package: what it does at which moment, why it stands here, after whom."""

    name: str
    does: str
    because: str
    after: tuple[str, ...] = ()


ORDER = (
    # Before anything is read.
    Extension(
        "repository_buttons",
        "config-inited, resolving: give the theme the address of the project, and links to Binder",
        because="the theme reads its options next",
    ),
    Extension(
        "third_party_files",
        "builder-inited: put what others wrote into the site",
        because="what is made here is put beside it",
    ),
    Extension(
        "page_python",
        "builder-inited: put Python for the page beside its interpreter",
        because="the interpreter is a third-party file",
        after=("third_party_files",),
    ),
    Extension(
        "outdated_pages",
        "env-get-outdated, env-updated: say which pages are made again",
        because="all that follows happens to these pages alone",
    ),
    # While a page is read.
    Extension(
        "number_marks",
        "source-read: drop the marks behind numbers",
        because="they are for tests, and nothing that reads a page's text needs to know them",
    ),
    Extension(
        "unpublished_links",
        "reading: undo links to pages that are not published",
        because="what is left are links that lead somewhere",
    ),
    Extension(
        "chapter_numbers",
        "reading: put a chapter's number before its title",
        because="Sphinx takes the titles of all pages from those that it has read",
    ),
    Extension(
        "markdown_links",
        "reading, resolving: plain links cite works and lead to labels",
        because="a link to a page that is not there would be sought among labels",
        after=("unpublished_links",),
    ),
    Extension(
        "figure_links",
        "reading: links that set a figure become buttons",
        because="MyST would look for a heading of that name",
    ),
    # Before a page is written: its tree.
    Extension(
        "folded_sections",
        "writing: fold sections that a reader may skip",
        because="a section is moved whole, whatever becomes of its cells",
    ),
    Extension(
        "stacked_tables",
        "writing: columns' names in the cells of wide tables",
        because="a name may be a formula, which is still TeX",
    ),
    Extension(
        "exercise_cells",
        "writing, html-page-context: exercise cells and their scripts",
        because="a hint links to a section, whose place is known when all pages are read",
    ),
    Extension(
        "live_cells",
        "writing, html-page-context: cells that run in the page, and their scripts",
        because="the cells of exercises have their own place by now",
        after=("exercise_cells",),
    ),
    Extension(
        "questions",
        "html-page-context: the scripts of questions",
        because="the forms are in the tree since the page was read",
    ),
    Extension(
        "role_colours",
        "builder-inited, writing: the colours of the notation, as a style sheet and as classes",
        because="the roles' words are still marked as strong",
    ),
    Extension(
        "formulas",
        "writing: formulas as MathML, in the colours of the notation",
        because="formulas are TeX in the tree, and HTML from here on",
        after=("role_colours",),
    ),
    # Before a page is written: its HTML, and the files that it loads.
    Extension(
        "line_breaks",
        "writing, html-page-context: keep short code whole, and a sign on its formula's line",
        because="formulas are HTML by now, and the sign still touches them",
        after=("formulas",),
    ),
    Extension(
        "live_figures",
        "html-page-context, build-finished: the scripts and the state of figures",
        because="myst-nb has put the state into the page",
    ),
    Extension(
        "real_model",
        "html-page-context, build-finished: the real model for a reader's own sentence",
        because="it adds what its figure lacks to the figures' files, and knows what Python weighs",
        after=("page_python", "live_figures"),
    ),
    Extension(
        "student_notebooks",
        "html-page-context, build-finished: notebooks to download",
        because="the theme has made its buttons",
    ),
    Extension(
        "progress",
        "build-finished: write what the overview knows of the course",
        because="all titles are known",
    ),
    Extension(
        "without_scripts",
        "html-page-context: a sentence for readers without scripts",
        because="the sentence tells what is live",
        after=("exercise_cells", "live_cells", "live_figures", "real_model"),
    ),
    Extension(
        "typefaces",
        "html-page-context, build-finished: the fonts, with the characters that pages use",
        because="a page's text tells which of them it shows",
        after=("without_scripts",),
    ),
    Extension(
        "unused_files",
        "html-page-context: drop the files that a page does not use",
        because="every other extension has added its files and written its part of the text",
        after=(
            "exercise_cells",
            "live_cells",
            "questions",
            "live_figures",
            "real_model",
            "without_scripts",
            "typefaces",
        ),
    ),
    # When all pages are written.
    Extension(
        "unused_rules",
        "build-finished: drop the rules of others' style sheets that no page can use",
        because="all words that a class could be are written",
        after=("live_figures", "real_model", "progress", "unused_files"),
    ),
    Extension(
        "minified_files",
        "build-finished: make our own scripts and styles short",
        because="all files are in place, and no rule is sought in them any more",
        after=("live_figures", "real_model", "progress", "typefaces", "unused_rules"),
    ),
    Extension(
        "security",
        "build-finished: write the policy into every page",
        because="it holds the hash of each script that a page ended up with",
        after=("live_figures", "student_notebooks", "progress", "unused_files"),
    ),
)

# Where ours stand among the listeners and transforms of others, whose default is 500.
PRIORITY = {
    "config-inited": 100,  # before the theme reads its options
    "builder-inited": 600,
    "env-get-outdated": 600,
    "env-updated": 600,
    "source-read": 600,
    "reading": 400,  # before links are taken for citations, labels or headings
    "resolving": 8,  # before MyST's own resolver, at 9
    "writing": 600,
    "html-page-context": 600,  # after the theme's buttons, at 501
    "build-finished": 600,  # after the page that sphinx-external-toc adds
}
PARALLEL_SAFE: ExtensionMetadata = {"parallel_read_safe": True, "parallel_write_safe": True}


def connect(app: Sphinx, event: str, listener: Callable[..., Any]) -> None:
    """Listen to an event, after the extensions that stand before in the list."""
    app.connect(event, listener, priority=PRIORITY[event])


class Page(NamedTuple):
    """A page that is about to be written; one without a text, such as the search, has no tree."""

    app: Sphinx
    name: str
    template: str
    context: dict[str, Any]
    doctree: nodes.document | None

    def holds(self, kind: type[nodes.Node]) -> bool:
        """Whether such a node is in the page's tree."""
        return self.doctree is not None and next(self.doctree.findall(kind), None) is not None


def connect_page(app: Sphinx, listener: Callable[[Page], None]) -> None:
    """Call the listener with each page before it is written."""

    @functools.wraps(listener)
    def hear(*page: Any) -> None:
        listener(Page(*page))

    connect(app, "html-page-context", hear)


def setup(app: Sphinx) -> ExtensionMetadata:
    for extension in ORDER:
        app.setup_extension(f"{__name__}.{extension.name}")
    return PARALLEL_SAFE
