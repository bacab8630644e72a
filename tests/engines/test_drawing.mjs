/** How much ink each pixel of a picture has. */
export function inkOf(cells) {
  const found = [...document.querySelectorAll(cells)];
  return found.map((cell) => Number(cell.ariaLabel.split("ink ")[1]));
}
