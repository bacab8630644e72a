"""An exercise lives its whole life in three engines, on hosts with and without isolation."""

import pytest
from browsers.child_processes import wait_until_idle
from browsers.page_functions import page_function
from engines.conftest import HOSTS, PARAMETERS

CHAPTER = "book/01-lookup.html"
ROOT = '.attn-exercise[data-exercise="01-softmax"]'
EDITOR = f"{ROOT} .cm-content"
# Short, since each key is pressed.
START = "import attn, numpy as np; from attn.exercises import check; "
WRONG = START + 'check("01-softmax", lambda x: np.exp(x) / x.sum(-1, keepdims=True))'
RIGHT = START + 'check("01-softmax", attn.softmax)'
ENDLESS = 'print("before"); sum(0 for i in iter(int, 1))'
ENDED = "(root) => !['running', undefined].includes(document.querySelector(root).dataset.state)"
SHOWN = f"() => document.querySelector('{ROOT}').innerText"
TEXT = page_function(__file__, "editorText")
HAS_TEXT = page_function(__file__, "hasText")
COME_NEAR = page_function(__file__, "comeNear")
MAY_TAKE_LONG = "(root) => { document.querySelector(root).dataset.timeLimit = 600; }"
BUTTON = f"{ROOT} button"
SHARES = "() => crossOriginIsolated && typeof SharedArrayBuffer === 'function'"
WEBKIT = [one for one in PARAMETERS if one.values == ("webkit",)]


class Exercise:
    """One exercise in a tab."""

    def __init__(self, tab):
        self.tab = tab

    def show(self):
        """Come near enough for the editor to be there; a slow machine may take long to run it.

        Until it is there, the page is scrolled again: figures that come meanwhile move it away.
        """
        self.tab.wait("(root) => document.querySelector(root)", ROOT)
        self.tab.evaluate(MAY_TAKE_LONG, ROOT)
        self.tab.wait(COME_NEAR, ROOT, EDITOR, saw=SHOWN)

    def write(self, code):
        # By focus: in WebKit a long line is wider than what a press can reach of it.
        self.tab.evaluate("(editor) => document.querySelector(editor).focus()", EDITOR)
        self.tab.wait("(e) => document.activeElement?.matches(e)", EDITOR, saw=SHOWN)
        self.tab.key("Control", "a")
        self.tab.write(code)
        self.tab.wait(HAS_TEXT, EDITOR, code, saw=SHOWN)

    @property
    def text(self):
        return self.tab.evaluate(TEXT, EDITOR)

    @property
    def state(self):
        return self.tab.evaluate("(root) => document.querySelector(root).dataset.state", ROOT)

    def ends(self, state):
        self.tab.wait(ENDED, ROOT, saw=SHOWN)
        assert self.state == state, self.tab.text(ROOT)


def live(page):
    """An exercise is typed, failed, passed, stopped and kept."""
    one = Exercise(page)
    one.show()
    one.write(WRONG)
    page.press(BUTTON, name="Run")
    one.ends("failed")
    assert "exponential" in page.text(f"{ROOT} [role=status]")
    one.write(RIGHT)
    page.key("Shift", "Enter")
    one.ends("passed")

    one.write(ENDLESS)
    page.press(BUTTON, name="Run")
    page.wait(f"() => ({SHOWN})().includes('before')", saw=SHOWN)
    page.press(BUTTON, name="Stop")
    one.ends("stopped")
    assert one.text == ENDLESS
    wait_until_idle()
    one.write(RIGHT)
    page.key("Shift", "Enter")
    one.ends("passed")

    one.write("my draft")
    page.reload()
    one.show()
    assert one.text == "my draft"
    assert page.complaints() == []


@pytest.mark.parametrize("host", HOSTS)
def test_an_exercise_is_typed_failed_passed_stopped_and_kept(engine, open_tab, host):
    tab = open_tab()
    tab.go(getattr(engine, host) + CHAPTER)
    assert tab.evaluate(SHARES) == (host == "isolated")
    live(tab)


@pytest.mark.matrix
@pytest.mark.parametrize("engine", WEBKIT, indirect=True)
def test_it_does_so_in_an_isolated_page_that_has_no_memory_to_share(engine, open_tab):
    """Only WebKit has such pages; there Stop takes another way."""
    tab = open_tab(shared_memory=False)
    tab.go(engine.isolated + CHAPTER)
    assert not tab.evaluate(SHARES)
    live(tab)
