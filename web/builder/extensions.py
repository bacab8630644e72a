"""The extensions of Sphinx that make the site, in the order in which they act: ``ORDER``.

``_config.yml`` names this module alone, and ``setup`` adds the extensions in this order. At one of
Sphinx's events all of ours listen with the same priority (``events.PRIORITY``), and Sphinx calls
equals in the order in which they were added: so the list is the order in which they act.
"""

from typing import NamedTuple

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE


class Extension(NamedTuple):
    """A module of ``web``: what it does at which moment, why it stands here, after whom."""

    name: str
    does: str
    because: str
    after: tuple[str, ...] = ()


ORDER = (
    # Before anything is read.
    Extension(
        "links.repository_buttons",
        "config-inited, resolving: give the theme the address of the project, and links to Binder",
        because="the theme reads its options next",
    ),
    Extension(
        "builder.third_party.third_party_files",
        "builder-inited: put what others wrote into the site",
        because="what is made here is put beside it",
    ),
    Extension(
        "builder.page_files",
        "builder-inited: put each feature's scripts and styles into the site",
        because="a page's link to a file holds the file's checksum",
    ),
    Extension(
        "page_python.python_files",
        "builder-inited: put Python for the page beside its interpreter",
        because="the interpreter is a third-party file",
        after=("builder.third_party.third_party_files",),
    ),
    Extension(
        "builder.build_warnings",
        "env-get-outdated, build-finished: listen to warnings, read again the pages that had some",
        because="what comes later may warn",
    ),
    Extension(
        "builder.outdated_pages",
        "env-get-outdated, env-updated: say which pages are made again",
        because="all that follows happens to these pages alone",
    ),
    # While a page is read.
    Extension(
        "chapters.number_marks",
        "source-read: drop the marks behind numbers",
        because="they are for tests, and nothing that reads a page's text needs to know them",
    ),
    Extension(
        "links.unpublished_links",
        "reading: undo links to pages that are not published",
        because="what is left are links that lead somewhere",
    ),
    Extension(
        "chapters.chapter_numbers",
        "reading: put a chapter's number before its title",
        because="Sphinx takes the titles of all pages from those that it has read",
    ),
    Extension(
        "links.markdown_links",
        "reading, resolving: plain links cite works and lead to labels",
        because="a link to a page that is not there would be sought among labels",
        after=("links.unpublished_links",),
    ),
    Extension(
        "figures.figure_links",
        "reading: links that set a figure become buttons",
        because="MyST would look for a heading of that name",
    ),
    # Before a page is written: its tree.
    Extension(
        "chapters.folded_sections",
        "writing: fold sections that a reader may skip",
        because="a section is moved whole, whatever becomes of its cells",
    ),
    Extension(
        "chapters.stacked_tables",
        "writing: columns' names in the cells of wide tables",
        because="a name may be a formula, which is still TeX",
    ),
    Extension(
        "exercises.exercise_cells",
        "source-read, writing, html-page-context: exercises' titles, cells and scripts",
        because="a hint links to a section, whose place is known when all pages are read",
    ),
    Extension(
        "cells.live_cells",
        "writing, html-page-context: cells that run in the page, and their scripts",
        because="the cells of exercises have their own place by now",
        after=("exercises.exercise_cells",),
    ),
    Extension(
        "questions.question_forms",
        "html-page-context: the scripts of questions",
        because="the forms are in the tree since the page was read",
    ),
    Extension(
        "chapters.role_colours",
        "builder-inited, writing: the colours of the notation, as a style sheet and as classes",
        because="the roles' words are still marked as strong",
    ),
    Extension(
        "formulas.formulas",
        "writing: formulas as MathML, in the colours of the notation",
        because="formulas are TeX in the tree, and HTML from here on",
        after=("chapters.role_colours",),
    ),
    # Before a page is written: its HTML, and the files that it loads.
    Extension(
        "chapters.line_breaks",
        "writing, html-page-context: keep short code whole, and a sign on its formula's line",
        because="formulas are HTML by now, and the sign still touches them",
        after=("formulas.formulas",),
    ),
    Extension(
        "figures.live_figures",
        "html-page-context, build-finished: the scripts and the state of figures",
        because="myst-nb has put the state into the page",
    ),
    Extension(
        "real_model.own_sentence",
        "html-page-context, build-finished: the real model for a reader's own sentence",
        because="it adds what its figure lacks to the figures' files, and knows what Python weighs",
        after=("page_python.python_files", "figures.live_figures"),
    ),
    Extension(
        "notebooks.download_buttons",
        "html-page-context, build-finished: notebooks to download",
        because="the theme has made its buttons",
    ),
    Extension(
        "progress.course_outline",
        "build-finished: write what the overview knows of the course",
        because="all titles are known",
    ),
    Extension(
        "theme.without_scripts",
        "html-page-context: a sentence for readers without scripts",
        because="the sentence tells what is live",
        after=(
            "exercises.exercise_cells",
            "cells.live_cells",
            "figures.live_figures",
            "real_model.own_sentence",
        ),
    ),
    Extension(
        "theme.typefaces",
        "html-page-context, build-finished: the fonts, with the characters that pages use",
        because="a page's text tells which of them it shows",
        after=("theme.without_scripts",),
    ),
    Extension(
        "theme.unused_files",
        "html-page-context: drop the files that a page does not use",
        because="every other extension has added its files and written its part of the text",
        after=(
            "exercises.exercise_cells",
            "cells.live_cells",
            "questions.question_forms",
            "figures.live_figures",
            "real_model.own_sentence",
            "theme.without_scripts",
            "theme.typefaces",
        ),
    ),
    # When all pages are written.
    Extension(
        "theme.unused_rules",
        "build-finished: drop the rules of others' style sheets that no page can use",
        because="all words that a class could be are written",
        after=(
            "figures.live_figures",
            "real_model.own_sentence",
            "progress.course_outline",
            "theme.unused_files",
        ),
    ),
    Extension(
        "builder.minified_files",
        "build-finished: make our own scripts and styles short",
        because="all files are in place, and no rule is sought in them any more",
        after=(
            "figures.live_figures",
            "real_model.own_sentence",
            "progress.course_outline",
            "theme.typefaces",
            "theme.unused_rules",
        ),
    ),
    Extension(
        "theme.security",
        "build-finished: write the policy into every page",
        because="it holds the hash of each script that a page ended up with",
        after=(
            "figures.live_figures",
            "notebooks.download_buttons",
            "progress.course_outline",
            "theme.unused_files",
        ),
    ),
)


def setup(app: Sphinx) -> ExtensionMetadata:
    for extension in ORDER:
        app.setup_extension(f"web.{extension.name}")
    return PARALLEL_SAFE
