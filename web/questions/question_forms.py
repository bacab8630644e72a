"""Questions on the page: an admonition with the class question becomes a form."""

from docutils import nodes
from docutils.parsers.rst.directives.admonitions import Admonition
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from web.builder.events import PARALLEL_SAFE, Page, connect_page
from web.questions.question_source import is_question, is_right, read_question


class question(nodes.General, nodes.Element):
    """The whole form."""


class question_prompt(nodes.General, nodes.Element):
    """The legend of a choice, the label of a number."""


class question_option(nodes.General, nodes.Element):
    """A radio button and its label."""


class question_controls(nodes.General, nodes.Element):
    """The Check button, the status, and the answers for readers without JavaScript."""


class question_feedback(nodes.General, nodes.Element):
    """What to say to one answer."""


class QuestionDirective(Admonition):
    """An admonition; with the class question, a form. Its text may hold any inline Markdown."""

    def run(self) -> list[nodes.Node]:
        if not is_question(self.options):
            return super().run()
        try:
            asked = read_question(self.arguments[0], self.options, "\n".join(self.content))
        except ValueError as error:
            raise self.error(str(error)) from None
        form = question(question=asked)
        form += question_prompt("", *self.inline(asked.prompt), question=asked)
        if asked.kind == "choice":
            for option in asked.options:
                attributes = {"question": asked, "key": option.key}
                form += question_option("", *self.inline(option.text), **attributes)
        controls = question_controls(question=asked)
        for option in asked.options:
            attributes = {"key": option.key, "right": is_right(asked, option)}
            controls += question_feedback("", *self.inline(option.feedback), **attributes)
        form += controls
        return [form]

    def inline(self, text: str) -> list[nodes.Node]:
        """Markdown text as inline nodes."""
        holder = nodes.container()
        source, _ = self.state_machine.get_source_and_line(self.lineno)
        lines = StringList(text.splitlines(), source=source)
        self.state.nested_parse(lines, self.lineno, holder)
        return [child for paragraph in holder.children for child in paragraph.children]


def _open_question(self: HTML5Translator, node: nodes.Element) -> None:
    asked = node["question"]
    tolerance = {} if asked.tolerance is None else {"data-tolerance": repr(asked.tolerance)}
    attributes = {
        "class": "attn-question",
        "data-question": asked.id,
        "data-kind": asked.kind,
        "novalidate": "",
        **tolerance,
    }
    title = f'<p class="attn-question-title">{self.encode(asked.title)}</p>\n'
    self.body.append(self.starttag(node, "form", **attributes) + title + "<fieldset>")


def _close_question(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</fieldset></form>\n")


def _open_prompt(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append('<legend class="attn-question-prompt">')


def _close_prompt(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</legend>\n")
    if node["question"].kind == "number":
        reading = f"reading-{node['question'].id}"
        self.body.append(
            '<div class="attn-question-number"><label>Your answer '
            '<input type="text" name="answer" maxlength="80" autocomplete="off" '
            f'autocapitalize="off" spellcheck="false" aria-describedby="{reading}"></label>'
            f'<span class="attn-question-reading" id="{reading}"></span></div>\n'
        )


def _open_option(self: HTML5Translator, node: nodes.Element) -> None:
    name, key = f"question-{node['question'].id}", node["key"]
    button = f'<input type="radio" name="{name}" value="{key}">'
    self.body.append(f'<label class="attn-question-option">{button} <span>')


def _close_option(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</span></label>\n")


def _open_controls(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append(
        '<button class="attn-question-check" type="submit" hidden>Check</button>\n'
        '<p class="attn-question-status" role="status"></p>\n'
        '<p class="attn-waiting">Checking an answer needs JavaScript, in a browser from 2023 or '
        "later; the answers can be read below.</p>\n"
        "<details><summary>Answer</summary>\n"
    )


def _close_controls(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</details>\n")


def _open_feedback(self: HTML5Translator, node: nodes.Element) -> None:
    right = " data-right" if node["right"] else ""
    word = "any other answer" if node["key"] == "else" else node["key"]
    mark = "✓" if node["right"] else "✗"
    self.body.append(
        f'<p><span class="attn-question-key">{mark} {self.encode(word)}:</span> '
        f'<span data-feedback="{self.encode(node["key"])}"{right}>'
    )


def _close_feedback(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</span></p>\n")


def _on_page(page: Page) -> None:
    """Only a page with questions loads their script and style."""
    if page.holds(question):
        page.app.add_js_file("questions/questions.mjs", type="module")
        page.app.add_css_file("questions/questions.css")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_node(question, html=(_open_question, _close_question))
    app.add_node(question_prompt, html=(_open_prompt, _close_prompt))
    app.add_node(question_option, html=(_open_option, _close_option))
    app.add_node(question_controls, html=(_open_controls, _close_controls))
    app.add_node(question_feedback, html=(_open_feedback, _close_feedback))
    app.add_directive("admonition", QuestionDirective, override=True)
    connect_page(app, _on_page)
    return PARALLEL_SAFE
