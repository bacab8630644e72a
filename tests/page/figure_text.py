"""What a figure says: its state in words, and the words of its pictures that are cut or small."""

import re

from browsers.page_functions import page_function

CUT_WORDS = page_function(__file__, "cutWords")
SMALL_WORDS = page_function(__file__, "smallWords")


def words(figure):
    return figure.locator("output").inner_text()


def expect_words(figure, *parts):
    """The figure's words hold these names and numbers in this order, whatever its sentence is."""
    said = words(figure)
    order = ".*".join(map(re.escape, parts))
    assert re.search(order, said, re.DOTALL), f"{said!r} lacks {parts}"
