// A convolution by attention: each head looks Δ away, its score for a key δ away is −α‖δ − Δ‖².
// The picture is a full grid, so a head's weights are a product of one softmax down and one across.
import { matmul, softmax, transpose } from "./core.js";

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

// Weights along one axis: from each of `side` places to those places and `ring` more at either end.
export const axisWeights = (alpha, offset, side, ring) =>
  range(0, side).map((i) =>
    softmax(range(-ring, side + ring).map((j) => -alpha * (j - i - offset) ** 2)),
  );

// One pixel's weights on all tokens, laid out as they stand: (side + 2 ring, side + 2 ring).
export function look([row, column], [down, right], { alpha, side, ring }) {
  const [rows, columns] = [down, right].map((offset) => axisWeights(alpha, offset, side, ring));
  return rows[row].map((p) => columns[column].map((q) => p * q));
}

// The picture with `ring` rows and columns of zeros around it.
export function surround(pixels, ring) {
  const wide = pixels[0].length + 2 * ring;
  const empty = () => range(0, ring).map(() => Array(wide).fill(0));
  const edge = Array(ring).fill(0);
  return [...empty(), ...pixels.map((row) => [...edge, ...row, ...edge]), ...empty()];
}

const plus = (A, B, factor) => A.map((row, i) => row.map((x, j) => x + factor * B[i][j]));
const nothing = (pixels) => pixels.map((row) => row.map(() => 0));

// What the heads make of a picture: one head for each number of the kernel, row by row.
export function byHeads(pixels, kernel, offsets, { alpha, ring }) {
  const [tokens, side] = [surround(pixels, ring), pixels.length];
  return kernel.flat().reduce((sum, weight, h) => {
    const [R, C] = offsets[h].map((offset) => axisWeights(alpha, offset, side, ring));
    return plus(sum, matmul(matmul(R, tokens), transpose(C)), weight);
  }, nothing(pixels));
}

// The kernel slid over the picture with zeros around it, not flipped.
export function convolve(pixels, kernel) {
  const edge = (kernel.length - 1) / 2;
  const padded = surround(pixels, edge);
  return pixels.map((row, i) =>
    row.map((_, j) =>
      kernel.reduce(
        (sum, line, r) => line.reduce((s, weight, c) => s + weight * padded[i + r][j + c], sum),
        0,
      ),
    ),
  );
}

// The largest difference of two pictures and where it stands: {error, at: [row, column]}.
export function apart(A, B) {
  let worst = { error: -1, at: [0, 0] };
  A.forEach((row, i) => {
    row.forEach((x, j) => {
      const error = Math.abs(x - B[i][j]);
      if (error > worst.error) worst = { error, at: [i, j] };
    });
  });
  return worst;
}
