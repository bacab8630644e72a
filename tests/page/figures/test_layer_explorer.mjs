/** The matrix, row and column of the square that has the focus. */
export function focusedSquare() {
  const node = document.activeElement;
  const { row, col } = node.dataset;
  return [node.closest("[data-matrix]").dataset.matrix, Number(row), Number(col)];
}

/** Whether the page's keys go to this element. */
export function hasFocus(node) {
  return node === document.activeElement;
}

/** The names of drawn matrices. */
export function matrixNames(nodes) {
  return nodes.map((node) => node.dataset.matrix);
}

/** How thick ribbons are, in pixels. */
export function ribbonWidths(nodes) {
  return nodes.map((node) => Number.parseFloat(node.style.strokeWidth));
}

/** How wide squares are on the screen, in pixels. */
export function squareWidths(nodes) {
  return nodes.map((node) => node.getBoundingClientRect().width);
}

/** A finger put on an element and drawn so many pixels across and down. */
export function drawFinger(node, [across, down]) {
  const { left, top, width, height } = node.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const touch = (type, clientX, clientY) =>
    node.dispatchEvent(
      new PointerEvent(type, { pointerType: "touch", isPrimary: true, clientX, clientY }),
    );
  touch("pointerdown", x, y);
  touch("pointerup", x + across, y + down);
}
