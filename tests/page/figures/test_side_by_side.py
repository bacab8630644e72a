"""Figures of several chapters on one page, as when JupyterLab has two open."""

import pytest
from browsers.page_functions import page_function

from attn import widgets
from attn.widgets.kit.figure import WIDGETS

FIGURES = [getattr(widgets, name) for name in widgets.__all__]
# A notebook brings the kit with every figure: once more after all of their own sheets.
SHEETS = sorted(f"{path.parent.name}/style.css" for path in WIDGETS.glob("*/style.css"))
SHEETS.append("kit/style.css?again")
REMEMBER_STYLES = page_function(__file__, "rememberStyles")
ADD_SHEETS = page_function(__file__, "addSheets")
CHANGED_STYLES = page_function(__file__, "changedStyles")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("cls", FIGURES)
def test_beside_all_others_a_figure_looks_as_it_does_alone(open_figure, cls, width):
    root = open_figure(cls(), width=width, reduced_motion="reduce")
    root.evaluate(REMEMBER_STYLES)
    root.evaluate(ADD_SHEETS, SHEETS)
    assert root.evaluate(CHANGED_STYLES) == []
