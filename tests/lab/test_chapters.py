"""Every chapter in a real JupyterLab: it opens as a notebook, and every cell of it runs."""

import re

from playwright.sync_api import expect

COMPLAINTS = ", ".join(
    f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("error", "stderr")
)
FIGURES = (
    "[type(w).__name__ for w in __import__('ipywidgets').widgets.widget._instances.values() "
    "if type(w).__module__.startswith('attn.')]"
)


def test_run_all_passes_without_an_error(executed):
    assert executed.panel.locator(COMPLAINTS).all_inner_texts() == []
    assert executed.ask("len(In) - 1") == executed.cells


def test_each_figure_is_drawn(executed):
    figures = executed.panel.locator(".attn-widget:has(output:not(:empty))")
    expect(figures).to_have_count(len(executed.ask(FIGURES)))


def test_starters_are_unanswered_and_solutions_pass(executed):
    for tag, state in (("exercise", "unanswered"), ("solution", "passed")):
        written = re.findall(rf"^:?tags: \[{tag}\]", executed.source, re.MULTILINE)
        verdicts = executed.panel.locator(f'.attn-verdict[data-state="{state}"]')
        expect(verdicts).to_have_count(len(written))


def in_folds(source):
    """How many code cells stand below a heading that is collapsed when the notebook opens."""
    count, fold = 0, None
    parts = re.split(r"^(```\{code-cell\}.*?^```$)", source, flags=re.MULTILINE | re.DOTALL)
    for text, cell in zip(parts[::2], [*parts[1::2], ""], strict=True):
        for marked, heading in re.findall(
            r"(^\+\+\+ .*\n(?:\(.*\n|\n)*)?^(#+) ", text, re.MULTILINE
        ):
            collapsed = '"jp-MarkdownHeadingCollapsed": true' in marked
            if collapsed or (fold and len(heading) <= fold):
                fold = len(heading) if collapsed else None
        count += bool(fold and cell)
    return count


def test_solutions_and_extra_parts_are_folded_and_everything_else_is_shown(notebook):
    solutions = len(re.findall(r"^tags: \[solution\]", notebook.source, re.MULTILINE))
    folded = notebook.panel.locator(".jp-CodeCell .jp-Cell-inputWrapper .jp-InputPlaceholder")
    expect(folded).to_have_count(solutions)
    shown = notebook.panel.locator(".jp-CodeCell .jp-Editor:visible")
    expect(shown).to_have_count(notebook.cells - solutions - in_folds(notebook.source))
