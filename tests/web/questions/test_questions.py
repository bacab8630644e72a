"""Questions without code: their source, their markup, and their behaviour in a browser."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from web.questions.question_source import is_question, is_right, read_question

# One worker builds the small site for all of them.
pytestmark = pytest.mark.xdist_group("questions")

WEB = Path(__file__).parents[3] / "web"
CHOICE = """\
With $x^2$, which?

- a: one, `x`
- b: two

```{dropdown} Answer
- a: ✗ No: not *one*.
- b: ✓ Two.
  Indeed.
```"""
NUMBER = """\
How many?

```{dropdown} Answer
- 20 ± 0.5: ✓ All of them.
- 14.5: ✗ That is for one.
- else: ✗ Add them up.
```"""


def _read(body, name="q-02-order"):
    return read_question("Predict", {"class": "question", "name": name}, body)


def test_a_choice_is_read_with_its_feedback():
    question = _read(CHOICE)
    assert (question.id, question.kind, question.answer) == ("02-order", "choice", "b")
    assert question.prompt == "With $x^2$, which?"
    assert [o.key for o in question.options] == ["a", "b"]
    assert question.options[0].text == "one, `x`"
    assert question.options[1].feedback == "Two. Indeed."
    assert [is_right(question, o) for o in question.options] == [False, True]


def test_a_number_is_read_with_its_tolerance():
    question = _read(NUMBER)
    assert (question.kind, question.answer, question.tolerance) == ("number", "20", 0.5)
    assert [o.key for o in question.options] == ["20", "14.5", "else"]
    assert [is_right(question, o) for o in question.options] == [True, False, False]


def test_an_exact_number_needs_no_tolerance():
    assert _read(NUMBER.replace(" ± 0.5", "")).tolerance == 0.0


@pytest.mark.parametrize(
    ("classes", "is_one"),
    [
        ("question", True),
        ("tip question", True),
        (["question"], True),
        ("questions", False),
        ("", False),
    ],
)
def test_an_admonition_with_the_class_question_is_one(classes, is_one):
    assert is_question({"class": classes}) is is_one


BREACHES = [
    (CHOICE, "- b: ✓", "- b: ✗", "one with ✓"),
    (CHOICE, "- a: ✗", "- a: ✓", "one with ✓"),
    (CHOICE, "- a: ✗ No", "- a: No", "each answer starts with ✓ or ✗"),
    (CHOICE, "- a: ✗", "- c: ✗", r"each option has one answer: .* \['a', 'b'\] and \['b', 'c'\]"),
    (CHOICE, "- b: two\n", "", r"options are `- a: text`, .* has \['a'\]"),
    (CHOICE, "- b: two", "- b two", "items `- key: text`: 'b two' found"),
    (CHOICE, "With", "Para.\n\nWith", "asks in one paragraph"),
    (CHOICE, "With $x^2$, which?\n\n", "", "asks in one paragraph"),
    (CHOICE, "```{dropdown} Answer", "", "ends with ```{dropdown} Answer"),
    (NUMBER, "- 20 ", "- many ", "answers are `- 20 ± 0.5: ✓`"),
    (NUMBER, "14.5", "some", "answers are `- 20 ± 0.5: ✓`"),
    (NUMBER, "14.5", "14_5", "answers are `- 20 ± 0.5: ✓`"),
    (NUMBER, "14.5", "1e400", "answers are `- 20 ± 0.5: ✓`"),
    (NUMBER, "± 0.5", "± -1", "answers are `- 20 ± 0.5: ✓`"),
    (NUMBER, "14.5", "20.2", "within the tolerance of the right one"),
    (NUMBER, "\n- else: ✗ Add them up.", "", "what to tell any other number"),
]


@pytest.mark.parametrize(("body", "part", "change", "rule"), BREACHES)
def test_a_question_that_breaks_a_rule_is_refused(body, part, change, rule):
    assert part in body
    with pytest.raises(ValueError, match=rule):
        _read(body.replace(part, change))


@pytest.mark.parametrize("name", ["order", "02-order", "q-2-order", "q-02-", ""])
def test_a_question_has_a_name_that_becomes_its_id(name):
    with pytest.raises(ValueError, match=f":name: is q-, the chapter, .* {name!r} found"):
        _read(CHOICE, name)


PAGE = f"""\
# Order

````{{admonition}} Predict
:class: question
:name: q-02-order

{CHOICE}
````

````{{admonition}} Count
:class: question
:name: q-02-sum

{NUMBER}
````

```{{admonition}} Plain box
:class: tip

With words.
```
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of two pages, one of them with questions, built with warnings as errors."""
    source = tmp_path_factory.mktemp("site")
    (source / "book").mkdir()
    ours = ["web.questions.question_forms", "web.notebooks.download_buttons"]
    ours += ["web.builder.page_files"]
    settings = f"extensions = {['myst_parser', *ours]}\n"
    settings += "myst_enable_extensions = ['dollarmath']\n"
    (source / "conf.py").write_text(settings)
    (source / "_toc.yml").write_text("root: index\nchapters:\n- file: book/02-order\n")
    (source / "index.md").write_text("# Index\n\n```{toctree}\nbook/02-order\n```\n")
    (source / "book" / "02-order.md").write_text(PAGE)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-n",
        "-b",
        "html",
        source,
        source / "out",
    ]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(WEB.parent)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    kit = source / "out" / "_static" / "attn" / "kit"  # what figures bring, and scripts use
    shutil.copytree(WEB / "attn" / "kit", kit)
    return source / "out"


def test_only_a_page_with_questions_loads_their_script(site):
    assert "questions/questions.mjs" in (site / "book" / "02-order.html").read_text()
    assert "questions/questions.mjs" not in (site / "index.html").read_text()


def test_other_admonitions_stay_as_they_are(site):
    assert '<div class="tip admonition">' in (site / "book" / "02-order.html").read_text()


def test_the_build_writes_the_notebooks(site):
    names = sorted(p.name for p in (site / "notebooks").iterdir())
    assert names == ["02-order-solutions.ipynb", "02-order.ipynb"]
    nbformat.validate(nbformat.read(site / "notebooks" / "02-order.ipynb", as_version=4))


def test_a_question_that_breaks_a_rule_fails_the_build(tmp_path):
    extensions = ["myst_parser", "web.questions.question_forms"]
    (tmp_path / "conf.py").write_text(f"extensions = {extensions}\n")
    (tmp_path / "index.md").write_text(PAGE.replace("- b: ✓", "- b: ✗"))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", tmp_path, tmp_path / "o"]
    environment = {**os.environ, "PYTHONPATH": str(WEB.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert "one with ✓" in done.stderr


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address(site):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/book/02-order.html"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.route(lambda url: not url.startswith("http://127.0.0.1"), lambda route: route.abort())
    page.goto(address)
    yield page
    context.close()


def test_a_wrong_choice_gets_the_feedback_written_for_it(page):
    form = page.locator('[data-question="02-order"]')
    form.get_by_label("one, x").check()
    form.get_by_role("button", name="Check").click()
    expect(form).to_have_attribute("data-state", "failed")
    expect(form.get_by_role("status")).to_have_text("✗ Not quite. No: not one.")
    assert form.get_by_role("status").locator("em").count() == 1


def test_the_answers_open_after_two_tries(page):
    form = page.locator('[data-question="02-order"]')
    expect(form.locator("details")).to_be_hidden()
    form.get_by_label("one").check()
    form.get_by_role("button", name="Check").click()
    expect(form.locator("details")).to_be_hidden()
    form.get_by_role("button", name="Check").click()
    expect(form.locator("details")).to_be_visible()


def test_the_keyboard_alone_answers_a_choice(page):
    form = page.locator('[data-question="02-order"]')
    form.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(form).to_have_attribute("data-state", "passed")


def test_nothing_chosen_is_not_judged(page):
    form = page.locator('[data-question="02-order"]')
    form.get_by_role("button", name="Check").click()
    expect(form.get_by_role("status")).to_have_text("Choose an answer first.")
    assert form.get_attribute("data-state") is None


def test_a_number_is_judged_within_its_tolerance(page):
    form = page.locator('[data-question="02-sum"]')
    for typed, state, words in [
        ("20", "passed", "✓ Right. All of them."),
        ("20.6", "failed", "✗ Not quite. Add them up."),
        ("20.4", "passed", "✓ Right. All of them."),
        ("14.5", "failed", "✗ Not quite. That is for one."),
        ("14,5", "failed", "(read as 14.5) ✗ Not quite. That is for one."),
        ("2e1", "passed", "(read as 20) ✓ Right. All of them."),
        ("√400", "passed", "(read as 20) ✓ Right. All of them."),
        ("-20", "failed", "✗ Not quite. Add them up."),
    ]:
        form.get_by_label("Your answer").fill(typed)
        page.keyboard.press("Enter")
        expect(form.get_by_role("status")).to_have_text(words)
        expect(form).to_have_attribute("data-state", state)


def test_how_a_number_is_read_is_shown_while_it_is_typed(page):
    form = page.locator('[data-question="02-sum"]')
    read = form.locator(".attn-question-reading")
    for typed, shown in [
        ("1/(2e+1)", "read as 0.155362"),
        ("64,000", "read as 64000 (for the decimal, write 64.000)"),
        ("1/(2e", ""),
        ("20", ""),
    ]:
        form.get_by_label("Your answer").fill(typed)
        expect(read).to_have_text(shown)
    form.get_by_label("Your answer").fill("0,155")
    expect(form.get_by_label("Your answer")).to_have_accessible_description("read as 0.155")


def test_text_that_is_no_number_is_not_judged_and_told_so(page):
    form = page.locator('[data-question="02-sum"]')
    field = form.get_by_label("Your answer")
    for typed, words in [
        ("", "Type a number first."),
        ("many", "“many” cannot be read. Write a number such as 0.25, 1/4, 25% or sqrt(2)."),
        ("1/0", "“1/0” has no finite value."),
    ]:
        field.fill("")
        field.press_sequentially(typed)
        page.keyboard.press("Enter")
        expect(form.get_by_role("status")).to_have_text(words)
        assert form.get_attribute("data-state") is None
        assert (field.get_attribute("aria-invalid") == "true") is bool(typed)
    field.fill("2")
    assert field.get_attribute("aria-invalid") is None


def test_the_answers_are_reachable_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    form = page.locator('[data-question="02-order"]')
    expect(form.get_by_role("button", name="Check")).to_be_hidden()
    form.locator("summary").click()
    expect(form.get_by_text("Two. Indeed.")).to_be_visible()
    context.close()


def test_a_choice_is_a_group_named_by_its_question(page):
    group = page.get_by_role("group", name="which?")
    expect(group).to_be_visible()
    assert group.get_by_role("radio").count() == 2


def test_a_question_fits_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 700})
    form = page.locator('[data-question="02-order"]')
    assert form.evaluate("el => el.scrollWidth <= el.clientWidth")
