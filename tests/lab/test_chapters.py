"""Every chapter in a real JupyterLab: it opens as a notebook, runs, its figures talk to Python."""

import re
from pathlib import Path

from jupyter_lab import ask

TOP = Path(__file__).resolve().parents[2]
FIGURES = (
    "[w.model_id for w in __import__('ipywidgets').widgets.widget._instances.values() "
    "if type(w).__module__.startswith('attn.')]"
)
COMPLAINTS = ", ".join(
    f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("error", "stderr")
)


def test_run_all_passes_without_an_error(notebook):
    page, client = notebook
    assert page.locator(COMPLAINTS).all_inner_texts() == []
    assert ask(client, "len(In)") > 1


def test_each_figure_moves_its_trait_and_follows_it_back(notebook):
    page, client = notebook
    for model in ask(client, FIGURES):
        _moves_and_follows(page, client, model)


def _moves_and_follows(page, client, model):
    widget = f"__import__('ipywidgets').widgets.widget._instances[{model!r}]"
    name = ask(client, f"type({widget}).__name__")
    state = (
        "{k: v for k, v in " + widget + ".get_state().items() "
        "if not k.startswith('_') and isinstance(v, (int, float, str, list))}"
    )
    before = ask(client, state)
    index = [m for m in ask(client, FIGURES)].index(model)
    root = page.locator(f'.attn-widget[data-widget="{name}"]').nth(_nth(client, index, name))
    slider = root.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    shown = slider.input_value()
    slider.focus()
    slider.press("ArrowRight")
    page.wait_for_function("([el, was]) => el.value !== was", arg=[slider.element_handle(), shown])
    after = _changed(page, client, state, before)
    moved = [key for key in before if before[key] != after[key]]
    assert moved, f"{name}: the slider moved and no trait did"
    for key in moved:
        ask(client, f"setattr({widget}, {key!r}, {before[key]!r})")
    page.wait_for_function("([el, was]) => el.value === was", arg=[slider.element_handle(), shown])


def _changed(page, client, state, before):
    for _ in range(40):
        after = ask(client, state)
        if after != before:
            return after
        page.wait_for_timeout(100)
    return before


def _nth(client, index, name):
    names = ask(
        client,
        "[type(__import__('ipywidgets').widgets.widget._instances[m]).__name__ "
        f"for m in {FIGURES}]",
    )
    return names[:index].count(name)


def test_exercises_give_verdicts(notebook, request):
    page, _ = notebook
    source = (TOP / "book" / request.node.callspec.params["notebook"]).read_text()
    written = len(re.findall(r"^check\(", source, re.MULTILINE))
    assert page.locator(".attn-verdict").count() == written
