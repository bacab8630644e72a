"""A cell of a chapter lives its whole life in three engines, with and without isolation."""

import pytest
from browsers.child_processes import wait_until_idle
from browsers.page_functions import page_function
from engines.conftest import HOSTS

CHAPTER = "book/01-lookup.html"
ROOT = '.attn-cell[data-cell="{}"]'
FIVE, SIX = ROOT.format(5), ROOT.format(6)
EDITOR = f"{FIVE} .cm-content"
OUTPUT = f"{FIVE} .attn-cell-output"
ENDED = "(root) => !['running', undefined].includes(document.querySelector(root).dataset.state)"
IS_FOCUSED = "(editor) => document.activeElement?.matches(editor)"
STATE = "(root) => document.querySelector(root).dataset.state ?? null"
SHOWN = f"() => document.querySelector('{FIVE}').innerText"
HAS_TEXT = page_function(__file__, "hasText")
MAY_TAKE_LONG = page_function(__file__, "allowTime")
ENDLESS = 'print("before"); sum(0 for i in iter(int, 1))'


class Cells:
    """The cells of a tab."""

    def __init__(self, tab):
        self.tab = tab

    def run(self, root, state):
        self.tab.press(f"{root} button", name="Run")
        self.ends(root, state)

    def ends(self, root, state):
        self.tab.wait(ENDED, root, saw=SHOWN)
        assert self.state(root) == state, self.tab.text(root)

    def state(self, root):
        return self.tab.evaluate(STATE, root)

    def write(self, code):
        self.tab.press(f"{FIVE} button", name="Edit")
        self.tab.wait(IS_FOCUSED, EDITOR, saw=SHOWN)
        self.tab.key("Control", "a")
        self.tab.write(code)
        self.tab.wait(HAS_TEXT, EDITOR, code, saw=SHOWN)


@pytest.mark.parametrize("host", HOSTS)
def test_a_cell_is_run_edited_stopped_reset_and_kept(engine, open_tab, host):
    tab = open_tab()
    tab.go(getattr(engine, host) + CHAPTER)
    tab.wait("(root) => document.querySelector(`${root} button`)", FIVE)
    tab.evaluate(MAY_TAKE_LONG)
    cells = Cells(tab)
    cells.run(SIX, "ran")
    built = tab.text(OUTPUT)

    cells.write("6 * 7")
    assert cells.state(SIX) == "stale"
    tab.key("Control", "Enter")
    cells.ends(FIVE, "ran")
    assert tab.text(OUTPUT).strip() == "42"

    cells.write("1 / 0")
    tab.key("Control", "Enter")
    cells.ends(FIVE, "error")
    assert "line 1" in tab.text(f"{FIVE} [role=status]")

    cells.write(ENDLESS)
    tab.press(f"{FIVE} button", name="Run")
    tab.wait(f"() => ({SHOWN})().includes('before')", saw=SHOWN)
    tab.press(f"{FIVE} button", name="Stop")
    cells.ends(FIVE, "stopped")
    wait_until_idle()

    tab.press(f"{FIVE} button", name="Reset")
    tab.wait(f"() => !({SHOWN})().includes('before')", saw=SHOWN)
    assert tab.text(OUTPUT) == built
    cells.run(FIVE, "ran")

    cells.write("kept = 1")
    tab.reload()
    tab.wait(f"() => document.querySelector('{FIVE} pre').textContent === 'kept = 1'", saw=SHOWN)
    assert tab.complaints() == []
