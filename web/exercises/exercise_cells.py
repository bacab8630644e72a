"""Exercise cells on the site: the markup that the page's scripts turn into an editor.

A code cell tagged ``exercise`` becomes ``<div class="attn-exercise" data-exercise="01-softmax">``
with its highlighted starter, what it needs, and a block of data for the scripts. Without JavaScript
the starter stays readable. Pages without exercises load nothing of this.
"""

import hashlib
import json
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from web.builder.events import PARALLEL_SAFE, PRIORITY, Page, connect, connect_page
from web.chapters.source import fill_in
from web.course import Exercise, exercises_by_id
from web.links import repository

NAMES = {"torch": "PyTorch"}
LABEL = "ex-"
WAITING = (
    '<p class="attn-waiting">Editing and running this cell in the page needs JavaScript, '
    "in a browser from 2023 or later.</p>"
)


class exercise_cell(nodes.General, nodes.Element):
    """An exercise: its id, its ``facts``, what the scripts know ``about`` it, a ``binder`` link."""


def starter_version(starter: str) -> str:
    """A short hash that changes whenever the starter does.

    >>> starter_version("...") == starter_version("...\\n")
    True
    >>> starter_version("...") == starter_version("pass")
    False
    """
    return hashlib.sha256(starter.rstrip("\n").encode()).hexdigest()[:10]


def script_data(exercise: Exercise, starter: str, section: dict | None) -> dict:
    """What the page's scripts know of an exercise."""
    return {
        "title": exercise.title,
        "starter": starter,
        "version": starter_version(starter),
        "hints": list(exercise.hints),
        "needs": list(exercise.needs),
        "section": section,
        "solution": f"sol-{exercise.id}",
    }


def facts(exercise: Exercise) -> str:
    """The line above the cell: how hard, how long."""
    minutes = f"about {exercise.minutes} minute{'s' if exercise.minutes != 1 else ''}"
    return f"Difficulty {exercise.difficulty} of 3, {minutes}."


class ExerciseCells(SphinxPostTransform):
    """Wrap each cell tagged ``exercise``, drop the output of its unanswered starter."""

    default_priority = PRIORITY["writing"]
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        cells = [
            n for n in self.document.findall(nodes.container) if "tag_exercise" in n["classes"]
        ]
        for cell in cells:
            self.rewrite(cell)
        for section in self.document.findall(nodes.section):
            # sphinx-exercise gives all its sections the same two ids; a page may have an id once.
            section["ids"] = [
                i for i in section["ids"] if i not in ("exercise-content", "solution-content")
            ]

    def rewrite(self, cell: nodes.container) -> None:
        exercise = self.exercise_of(cell)
        source = next(cell.findall(nodes.literal_block))
        section = self.section(exercise)
        starter = source.astext().rstrip("\n") + "\n"
        root = exercise_cell(exercise=exercise.id, facts=facts(exercise))
        root["about"] = script_data(exercise, starter, section)
        address = repository.address()
        root["binder"] = repository.binder_link(address, self.env.docname) if address else None
        cell.replace_self(root)
        for output in [n for n in cell.children if "cell_output" in n.get("classes", [])]:
            cell.remove(output)
        root += cell

    def exercise_of(self, cell: nodes.container) -> Exercise:
        label, node = "", cell.parent
        while node is not None and not label:
            label, node = node.get("label", ""), node.parent
        known = exercises_by_id()
        if label.removeprefix(LABEL) not in known:
            raise ExtensionError(
                f"{self.env.docname}: a cell tagged `exercise` stands inside an exercise "
                f"whose label is {LABEL}<id of the catalogue>; got {label or 'no label'!r}"
            )
        return known[label.removeprefix(LABEL)]

    def section(self, exercise: Exercise) -> dict | None:
        if exercise.section is None:
            return None
        found = self.env.domains["std"].labels.get(exercise.section)
        if found is None:
            raise ExtensionError(
                f"{self.env.docname}: exercise {exercise.id} is explained in section "
                f"{exercise.section!r}, but no heading has that label"
            )
        docname, anchor, title = found
        link = make_refnode(self.app.builder, self.env.docname, docname, anchor, nodes.Text(title))
        href = link.get("refuri") or f"#{link['refid']}"
        return {"href": href, "title": title}


def visit_exercise_cell(self: HTML5Translator, node: nodes.Element) -> None:
    about = node["about"]
    self.body.append(f'<div class="attn-exercise" data-exercise="{escape(node["exercise"])}">')
    self.body.append(
        f'<p class="attn-exercise-facts">{escape(node["facts"])}{_explained(about)}</p>'
    )
    self.body.append('<div class="attn-exercise-starter">')


def depart_exercise_cell(self: HTML5Translator, node: nodes.Element) -> None:
    about = node["about"]
    data = json.dumps(about).replace("<", "\\u003c")
    self.body.append("</div>")
    self.body.append(_needs(about["needs"], node["binder"]) if about["needs"] else WAITING)
    self.body.append(
        f'<script type="application/json" class="attn-exercise-data">{data}</script></div>'
    )


def _explained(about: dict) -> str:
    section = about["section"]
    if section is None:
        return ""
    end = "" if section["title"].endswith("?") else "."
    return f' Explained in <a href="{escape(section["href"])}">{escape(section["title"])}</a>{end}'


def _needs(needs: list[str], binder: str | None) -> str:
    names = " and ".join(NAMES.get(need, need) for need in needs)
    return (
        f'<p class="attn-exercise-needs">This exercise needs {escape(names)}, '
        f"which a page cannot run. {where_it_runs(binder)}</p>"
    )


def where_it_runs(binder: str | None) -> str:
    """The sentence that leads from what a page cannot run to where it runs."""
    here = "run this chapter in JupyterLab with <code>make lab</code>"
    if not binder:
        return f"{here[0].upper()}{here[1:]}."
    return f'<a href="{escape(binder)}">Open this chapter on Binder</a>, or {here}.'


def _on_source_read(app: Sphinx, docname: str, source: list[str]) -> None:
    source[0] = fill_in(source[0], f"{docname}.md")


def _on_page(page: Page) -> None:
    if page.holds(exercise_cell):
        page.app.add_js_file("exercises/exercises.mjs", type="module")
        page.app.add_css_file("editing/editing.css")
        page.app.add_css_file("exercises/exercises.css")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_node(exercise_cell, html=(visit_exercise_cell, depart_exercise_cell))
    app.add_post_transform(ExerciseCells)
    connect(app, "source-read", _on_source_read)
    connect_page(app, _on_page)
    return PARALLEL_SAFE
