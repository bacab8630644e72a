"""Colours as a browser computes them, and as the palette writes them."""

RGB = """(node, property) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = getComputedStyle(node)[property];
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}"""


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def near(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= 2
