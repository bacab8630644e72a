"""What is looked for in a figure's page."""

# Words of pictures that are cut: at the picture's edge, or where it may be left, at the figure's.
CUT = """root => [...root.querySelectorAll("svg")].flatMap((picture) => {
  const open = getComputedStyle(picture).overflow === "visible";
  const { left, right } = (open ? root : picture).getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < left - 1 || box.right > right + 1);
  }).map((text) => text.textContent);
})"""
