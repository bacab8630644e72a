"""A picture is drawn with the mouse in each engine: what a drag reports differs between them."""

from browsers.page_functions import page_function
from engines.conftest import in_full

PICTURE = '[data-widget="ConvHeads"] [data-drags]'
READY = f"() => document.querySelectorAll('{PICTURE} [role=gridcell]').length === 64"
INK_OF = page_function(__file__, "inkOf")
CELLS = f"{PICTURE} [role=gridcell]"


@in_full
def test_a_mouse_draws_on_the_picture_and_erases(engine, reader):
    tab = reader
    tab.go(f"{engine.isolated}book/08-vs-cnn.html")
    tab.wait(READY)
    before = tab.evaluate(INK_OF, CELLS)
    for ink in (1, 0):
        tab.drag(CELLS, (24 * 6, 24 * 6))  # from the first pixel to the seventh, in two leaps
        now = tab.evaluate(INK_OF, CELLS)
        assert [now[9 * i] for i in range(7)] == [ink] * 7
        off = [i for i in range(64) if i % 9 or i == 63]
        assert [now[i] for i in off] == [before[i] for i in off]
    assert tab.complaints() == []
