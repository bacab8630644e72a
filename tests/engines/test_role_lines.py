"""A role's word has a line of its own kind in each engine: colour is never the only carrier."""

from browsers.page_functions import page_function

LINES = page_function(__file__, "lines")


def test_a_key_is_dashed_and_a_value_dotted(engine, reader):
    reader.go(f"{engine.isolated}book/03-qkv.html")
    assert reader.evaluate(LINES, ".bd-article strong.k") == ["underline", "dashed"]
    assert reader.evaluate(LINES, ".bd-article strong.v") == ["underline", "dotted"]
