"""Colours as a browser computes them, and as the palette writes them."""

from browsers.page_functions import page_function

RGB = page_function(__file__, "computedRgb")


def hex_to_rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def nearly_equal(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= 2
