"""What a figure says: its state in words, and the words of its pictures that are cut or small."""

from browsers.page_functions import page_function

CUT_WORDS = page_function(__file__, "cutWords")
SMALL_WORDS = page_function(__file__, "smallWords")


def words(figure):
    return figure.locator("output").inner_text()
