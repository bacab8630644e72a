"""Each figure in JupyterLab talks to Python both ways: a slider moves a trait, a trait a slider."""

import pytest
from browsers.polling import eventually

from attn import widgets

# Two clients talk to one kernel here, and on a busy machine the page may miss what Python sets.
pytestmark = pytest.mark.matrix

HEADER = "---\nkernelspec: {name: python3, display_name: Python 3}\n---\n# Every figure\n"
CELL = """
```{{code-cell}} ipython3
from attn.widgets import {name}
{name}_shown = {name}()
{name}_shown
```
"""


@pytest.fixture(scope="session")
def figures(lab, open_notebook):
    """A notebook with every figure of the package."""
    cells = [CELL.format(name=name) for name in widgets.__all__]
    lab.write("book/every-figure.md", HEADER + "".join(cells))
    notebook = open_notebook("book/every-figure.md")
    notebook.run_all()
    return notebook


@pytest.mark.parametrize("name", widgets.__all__)
def test_a_slider_moves_its_trait_and_follows_it_back(figures, name):
    state = (
        f"{{k: v for k, v in {name}_shown.get_state().items() "
        "if not k.startswith('_') and isinstance(v, (int, float, str, list))}"
    )
    before = figures.ask(state)
    root = figures.panel.locator(f'.attn-widget[data-widget="{name}"]')
    slider = root.locator("input[type=range]").locator("visible=true").first
    shown = slider.input_value()
    at_its_end = shown == slider.get_attribute("max")
    slider.press("ArrowLeft" if at_its_end else "ArrowRight")
    eventually("the slider to move", slider.input_value, until=lambda value: value != shown)
    after = eventually("a trait to move", lambda: figures.ask(state), until=lambda s: s != before)
    for key in (key for key in before if before[key] != after[key]):
        figures.ask(f"setattr({name}_shown, {key!r}, {before[key]!r})")
    eventually("the slider to return", slider.input_value, until=lambda value: value == shown)
