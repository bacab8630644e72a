/**
 * Words of pictures that are cut: at the picture's edge, or where it may be left, at the figure's. In
 * another font a word is wider; it is cut when half a letter of it is.
 */
export function cutWords(root) {
  return [...root.querySelectorAll("svg")].flatMap((picture) => {
    const open = getComputedStyle(picture).overflow === "visible";
    const { left, right } = (open ? root : picture).getBoundingClientRect();
    const isCut = (text) => {
      const box = text.getBoundingClientRect();
      const most = Math.max(1, box.width / text.textContent.length / 2);
      return box.width && (box.left < left - most || box.right > right + most);
    };
    return [...picture.querySelectorAll("text")].filter(isCut).map((text) => text.textContent);
  });
}

/** Words of pictures that are drawn smaller than so many pixels, with their size. */
export function smallWords(root, least) {
  return [...root.querySelectorAll("svg text")].flatMap((text) => {
    if (!text.textContent.trim() || !text.getBoundingClientRect().width) return [];
    const { a, b } = text.getScreenCTM();
    const size = Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    return size < least ? [`${text.textContent}: ${size.toFixed(1)}`] : [];
  });
}
