"""Questions answered without code: their Markdown form, and their place on the page.

    ````{admonition} Predict before you move
    :class: question
    :name: q-01-beta-zero

    One paragraph that asks.

    - a: an option
    - b: the right one

    ```{dropdown} Answer
    - a: ✗ What to say to a reader who picks it.
    - b: ✓ Why it is right.
    ```
    ````

Any Jupyter that knows MyST shows this as a box with a folded answer; the book makes it a form.
Without a list of options the reader types a number, in digits or as a small formula: the answers
are then `- 20 ± 0.5: ✓ ...`, `- 14: ✗ ...` and, for any other number, `- else: ✗ ...`.
"""

import math
import re
from dataclasses import dataclass

from docutils import nodes
from docutils.parsers.rst.directives.admonitions import Admonition
from docutils.statemachine import StringList


@dataclass(frozen=True)
class Option:
    """An answer a reader may give, and the feedback to it; a number has no text of its own."""

    key: str
    text: str
    feedback: str


@dataclass(frozen=True)
class Question:
    """A question with one right answer: an option's key, or a number within the tolerance."""

    id: str
    title: str
    prompt: str
    answer: str
    options: tuple[Option, ...]
    tolerance: float | None = None

    @property
    def kind(self) -> str:
        return "choice" if self.tolerance is None else "number"


def is_question(options: dict) -> bool:
    """Whether an admonition with these options is a question."""
    classes = options.get("class", "")
    return "question" in (classes.split() if isinstance(classes, str) else classes)


def read_question(title: str, options: dict, body: str) -> Question:
    """Read a question's admonition; a ValueError states the rule that it breaks."""
    name = str(options.get("name", ""))
    if not re.fullmatch(r"q-\d\d-[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f":name: is q-, the chapter, a dash and a name: {name!r} found")
    parts = re.fullmatch(r"(.*?)\n```\{dropdown\}[^\n]*\n(.*?)\n```", body.strip(), re.DOTALL)
    if not parts:
        raise ValueError(f"a question ends with ```{{dropdown}} Answer: {name} does not")
    prompt, choices = _items(parts[1])
    before, answers = _items(parts[2])
    if not prompt or "\n\n" in prompt or before:
        raise ValueError(f"a question asks in one paragraph before its options: {name}")
    right = [(key, text[1:].strip()) for key, text in answers if text.startswith("✓")]
    wrong = [(key, text[1:].strip()) for key, text in answers if text.startswith("✗")]
    if len(right) != 1 or len(right) + len(wrong) < len(answers):
        raise ValueError(f"each answer starts with ✓ or ✗, and one with ✓: {name}")
    if choices:
        answer, given, tolerance = right[0][0], _choices(name, choices, right + wrong), None
    else:
        answer, given, tolerance = _numbers(name, right[0], wrong)
    return Question(name[2:], title.strip(), prompt, answer, given, tolerance)


def _items(text):
    """The paragraph before a list, and the (key, text) items of the list."""
    first, *rest = re.split(r"^- ", text.strip(), flags=re.MULTILINE)
    items = [re.fullmatch(r"([^:]+?):\s+(.+)", " ".join(item.split())) for item in rest]
    if not all(items):
        wrong = rest[items.index(None)].strip()
        raise ValueError(f"a question's list has items `- key: text`: {wrong!r} found")
    return first.strip(), [(item[1], item[2]) for item in items]


def _choices(name, choices, answers):
    keys, feedback = [key for key, _ in choices], dict(answers)
    if len(keys) < 2 or not all(re.fullmatch(r"[a-z]", key) for key in keys):
        raise ValueError(f"options are `- a: text`, `- b: text` and so on: {name} has {keys}")
    if sorted(keys) != sorted(key for key, _ in answers):
        raise ValueError(f"each option has one answer: {name} has {keys} and {sorted(feedback)}")
    return tuple(Option(key, text, feedback[key]) for key, text in choices)


def _numbers(name, right, wrong):
    answer, _, slack = (part.strip() for part in right[0].partition("±"))
    tolerance = _number(slack or "0")
    known = [_number(key) for key, _ in wrong if key != "else"]
    if None in (_number(answer), tolerance, *known) or tolerance < 0:
        keys = [right[0], *(key for key, _ in wrong)]
        raise ValueError(f"answers are `- 20 ± 0.5: ✓`, `- 14: ✗`, `- else: ✗`: {name} has {keys}")
    if [key for key, _ in wrong].count("else") != 1:
        raise ValueError(f"a number question says what to tell any other number: {name}, else")
    if any(abs(value - float(answer)) <= tolerance for value in known):
        raise ValueError(f"a wrong number lies within the tolerance of the right one: {name}")
    return answer, tuple(Option(k, "", t) for k, t in [(answer, right[1]), *wrong]), tolerance


def _number(text):
    """A plain decimal number, which the page's script reads just as Python does."""
    if not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


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

    def run(self):
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

    def inline(self, text):
        """Markdown text as inline nodes."""
        holder = nodes.container()
        source, _ = self.state_machine.get_source_and_line(self.lineno)
        lines = StringList(text.splitlines(), source=source)
        self.state.nested_parse(lines, self.lineno, holder)
        return [child for paragraph in holder.children for child in paragraph.children]


def is_right(asked: Question, option: Option) -> bool:
    """Whether an option is the answer."""
    return option.key == asked.answer


def _open_question(self, node):
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


def _close_question(self, node):
    self.body.append("</fieldset></form>\n")


def _open_prompt(self, node):
    self.body.append('<legend class="attn-question-prompt">')


def _close_prompt(self, node):
    self.body.append("</legend>\n")
    if node["question"].kind == "number":
        reading = f"reading-{node['question'].id}"
        self.body.append(
            '<div class="attn-question-number"><label>Your answer '
            '<input type="text" name="answer" maxlength="80" autocomplete="off" '
            f'autocapitalize="off" spellcheck="false" aria-describedby="{reading}"></label>'
            f'<span class="attn-question-reading" id="{reading}"></span></div>\n'
        )


def _open_option(self, node):
    name, key = f"question-{node['question'].id}", node["key"]
    button = f'<input type="radio" name="{name}" value="{key}">'
    self.body.append(f'<label class="attn-question-option">{button} <span>')


def _close_option(self, node):
    self.body.append("</span></label>\n")


def _open_controls(self, node):
    self.body.append(
        '<button class="attn-question-check" type="submit" hidden>Check</button>\n'
        '<p class="attn-question-status" role="status"></p>\n'
        '<p class="attn-waiting">Checking an answer needs JavaScript, in a browser from 2023 or '
        "later; the answers can be read below.</p>\n"
        "<details><summary>Answer</summary>\n"
    )


def _close_controls(self, node):
    self.body.append("</details>\n")


def _open_feedback(self, node):
    right = " data-right" if node["right"] else ""
    word = "any other answer" if node["key"] == "else" else node["key"]
    mark = "✓" if node["right"] else "✗"
    self.body.append(
        f'<p><span class="attn-question-key">{mark} {self.encode(word)}:</span> '
        f'<span data-feedback="{self.encode(node["key"])}"{right}>'
    )


def _close_feedback(self, node):
    self.body.append("</span></p>\n")


def _add_assets(app, pagename, templatename, context, doctree):
    """Only a page with questions loads their script and style."""
    if doctree is not None and next(doctree.findall(question), None) is not None:
        app.add_js_file("questions/questions.mjs", type="module")
        app.add_css_file("questions/questions.css")


def setup(app):
    app.add_node(question, html=(_open_question, _close_question))
    app.add_node(question_prompt, html=(_open_prompt, _close_prompt))
    app.add_node(question_option, html=(_open_option, _close_option))
    app.add_node(question_controls, html=(_open_controls, _close_controls))
    app.add_node(question_feedback, html=(_open_feedback, _close_feedback))
    app.add_directive("admonition", QuestionDirective, override=True)
    app.connect("html-page-context", _add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
