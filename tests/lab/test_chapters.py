"""Every chapter in a real JupyterLab: it opens as a notebook, runs, its figures talk to Python."""

import re
from pathlib import Path

import pytest
from jupyter_lab import ask

TOP = Path(__file__).resolve().parents[2]
NOTEBOOKS = [
    path.name for path in sorted((TOP / "book").glob("*.md")) if "{code-cell}" in path.read_text()
]
FIGURES = (
    "[w.model_id for w in __import__('ipywidgets').widgets.widget._instances.values() "
    "if type(w).__module__.startswith('attn.')]"
)
COMPLAINTS = ", ".join(
    f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("error", "stderr")
)


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request, lab, lab_browser):
    """The chapter, opened and run from top to bottom: the page, and the kernel behind it."""
    before = lab.kernels()
    context = lab_browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    workspace = Path(request.param).stem
    page.goto(f"{lab.address}lab/workspaces/{workspace}/tree/book/{request.param}?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=90_000)
    kernel = _new_kernel(lab, before, page)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    client = lab.kernel_client(kernel)
    _wait_until_run(page, client)
    yield page, client
    client.stop_channels()
    context.close()
    lab.shut_down(kernel)


def _new_kernel(lab, before, page):
    for _ in range(120):
        new = lab.kernels() - before
        if new:
            return new.pop()
        page.wait_for_timeout(250)
    raise AssertionError("opening the chapter started no kernel")


def _wait_until_run(page, client):
    """No cell waits any more, and the kernel has answered a question asked after the last one."""
    page.wait_for_timeout(1000)
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.jp-InputPrompt')]"
        ".some((el) => el.textContent.includes('*'))",
        timeout=120_000,
    )
    ask(client, "1")
    page.wait_for_timeout(500)


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
