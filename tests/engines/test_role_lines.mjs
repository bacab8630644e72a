/** Where a word's line is, and of which kind. */
export function lines(selector) {
  const { textDecorationLine, textDecorationStyle } = getComputedStyle(
    document.querySelector(selector),
  );
  return [textDecorationLine, textDecorationStyle];
}
