// What a pixel hears by convolution and by attention, a convolution by heads, and how it is said.
// Each head looks Δ away, its score for a key δ away
// is −α‖δ − Δ‖². The picture is a full grid, so a head's weights are a product of one softmax down
// and one across.
import { matmul, range, softmax, transpose } from "../kit/arithmetic.js";
import { fixed, list, percent, scientific, short, tenTo } from "../kit/format.js";

// Weights along one axis: from each of `side` places to those places and `ring` more at either end.
const axisWeights = (alpha, offset, side, ring) =>
  range(side).map((i) =>
    softmax(range(side + 2 * ring).map((j) => -alpha * (j - ring - i - offset) ** 2)),
  );

// One pixel's weights on all tokens, laid out as they stand: (side + 2 ring, side + 2 ring).
export function look([row, column], [down, right], { alpha, side, ring }) {
  const [rows, columns] = [down, right].map((offset) => axisWeights(alpha, offset, side, ring));
  return rows[row].map((p) => columns[column].map((q) => p * q));
}

// The picture with `ring` rows and columns of zeros around it.
function surround(pixels, ring) {
  const wide = pixels[0].length + 2 * ring;
  const empty = () => range(ring).map(() => Array(wide).fill(0));
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

// Each pixel with those around it, zeros beyond the border: (side²) rows of nine numbers.
function surroundings(pixels) {
  const padded = surround(pixels, 1);
  return pixels.flatMap((row, i) =>
    row.map((_, j) => range(9).map((k) => padded[i + Math.floor(k / 3)][j + (k % 3)])),
  );
}

// How much each pixel looks at those whose surroundings are like its own: (side², side²).
export function lookAlikes(pixels, sharpness) {
  const around = surroundings(pixels);
  const distance = (a, b) => a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0);
  return around.map((a) => softmax(around.map((b) => -sharpness * distance(a, b))));
}

// A row of side² numbers as a picture.
const laidOut = (row, side) => range(side).map((i) => row.slice(i * side, (i + 1) * side));

// The kernel's numbers where they fall when its middle lies on a pixel; null where it hears nothing.
export function stencil(kernel, [r, c], side) {
  return range(side).map((i) => range(side).map((j) => kernel[i - r + 1]?.[j - c + 1] ?? null));
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

export const FLOOR = 1e-15; // below it a difference of doubles is their rounding

export const pixelsOf = ({ picture, own_picture, spec }) =>
  picture === "own" ? own_picture : spec.digits[Number(picture)];
export const kernelOf = ({ kernel, own_kernel, spec }) =>
  kernel === "own" ? own_kernel : spec.kernels[kernel];
const ringOf = ({ padding }) => Number(padding);

export const compute = (state) => (state.view === "window" ? throughAWindow : throughHeads)(state);

function throughAWindow(state) {
  const [pixels, kernel, side] = [pixelsOf(state), kernelOf(state), pixelsOf(state).length];
  const at = [state.row - 1, state.column - 1];
  const A = lookAlikes(pixels, state.spec.sharpness);
  const mixed = A.map((row) => row.reduce((sum, p, j) => sum + p * pixels.flat()[j], 0));
  return {
    ...{ pixels, kernel, exact: convolve(pixels, kernel) },
    numbers: stencil(kernel, at, side),
    weights: laidOut(A[at[0] * side + at[1]], side),
    output: laidOut(mixed, side),
  };
}

function throughHeads(state) {
  const [pixels, kernel, ring] = [pixelsOf(state), kernelOf(state), ringOf(state)];
  const exact = convolve(pixels, kernel);
  const heads = (alpha) => byHeads(pixels, kernel, state.offsets, { alpha, ring });
  const output = heads(state.alpha);
  const { max } = state.spec.controls.alpha;
  const curve = range(max + 1).map((alpha) => apart(heads(alpha), exact).error);
  const from = [state.row - 1, state.column - 1];
  const weights = look(from, state.offsets[state.head - 1], {
    alpha: state.alpha,
    side: pixels.length,
    ring,
  });
  return { pixels, kernel, exact, output, curve, weights, worst: apart(output, exact) };
}

// 0.0123, then 4.5·10⁻⁷.
export function errorText(x) {
  if (x <= FLOOR) return x === 0 ? "0" : `under ${tenTo(-15)}`;
  if (x < 0.001) return scientific(x);
  return x.toPrecision(2).includes("e") ? fixed(x, 0) : `${Number(x.toPrecision(2))}`;
}

export const place = ([r, c]) => `(${r + 1}, ${c + 1})`;
export const arrow = ([down, right]) => `(${short(down)}, ${short(right)})`;

// Where the chosen head looks: the best tokens, a tie told as such.
export function looks(weights, ring) {
  const found = weights.flatMap((line, i) => line.map((p, j) => ({ p, at: [i - ring, j - ring] })));
  const most = Math.max(...found.map(({ p }) => p));
  const best = found.filter(({ p }) => most - p < 1e-9);
  if (best.length === found.length) return `has no preference among the ${found.length} tokens`;
  const inside = ({ at }) => at.every((x) => x >= 0 && x < weights.length - 2 * ring);
  const names = best.map((one) =>
    inside(one) ? `pixel ${place(one.at)}` : `the padding token at ${place(one.at)}`,
  );
  const share = percent(Math.min(most, 1 - Number.EPSILON));
  return best.length > 4
    ? `looks equally at ${best.length} tokens, ${share} each`
    : `looks ${share} at ${best.length > 1 ? `each of ${list(names)}` : names[0]}`;
}

// How much of its weight a pixel gives to what no 3 × 3 kernel hears, and where most of it goes.
export function outside(weights, [r, c]) {
  const far = weights
    .flatMap((line, i) => line.map((p, j) => ({ p, at: [i, j] })))
    .filter(({ at: [i, j] }) => Math.abs(i - r) > 1 || Math.abs(j - c) > 1);
  const most = Math.max(...far.map(({ p }) => p));
  const best = far.filter(({ p }) => most - p < 1e-9);
  return { share: far.reduce((sum, { p }) => sum + p, 0), most, best: best.map(({ at }) => at) };
}

function sentenceOfAWindow({ row, column }, { exact, output, weights }) {
  const at = [row - 1, column - 1];
  const { share, most, best } = outside(weights, at);
  const where =
    best.length > 2
      ? `spread evenly over ${best.length} that look the same`
      : `most of all on ${list(best.map((one) => `pixel ${place(one)}`))}, ${percent(most)}${best.length > 1 ? " each" : ""}`;
  return (
    `Pixel ${place(at)}. The convolution hears its window only, and makes ${fixed(pixelAt(exact, at))} of it. ` +
    `Attention hears all ${weights.flat().length} pixels and makes ${fixed(pixelAt(output, at))}: ` +
    `${percent(share)} of its weight lies outside the window, ${where}.`
  );
}

const pixelAt = (picture, [r, c]) => picture[r][c];

export const sentence = (state, result) =>
  (state.view === "window" ? sentenceOfAWindow : sentenceOfHeads)(state, result);

function sentenceOfHeads(state, { weights, output, exact, worst }) {
  const [r, c] = [state.row - 1, state.column - 1];
  const [offset, home] = [state.offsets, state.spec.grid].map((all) => all[state.head - 1]);
  const away = state.offsets.filter((d, h) => d.some((x, i) => x !== state.spec.grid[h][i]));
  const border = worst.at.some((x) => x === 0 || x === exact.length - 1);
  return (
    `α = ${short(state.alpha)}: from pixel ${place([r, c])}, head ${state.head} with Δ = ${arrow(offset)} ${looks(weights, ringOf(state))}. ` +
    `Here the nine heads make ${fixed(output[r][c], 4)}, the convolution ${fixed(exact[r][c], 4)}. ` +
    `The largest difference is ${errorText(worst.error)}${worst.error > FLOOR ? `, at ${place(worst.at)}, ${border ? "on the border" : "inside"}` : ""}.` +
    (away.length
      ? ` ${away.length === 1 ? "One head has" : `${away.length} heads have`} left the cell of the kernel${offset !== home && arrow(offset) !== arrow(home) ? `; head ${state.head} belongs at ${arrow(home)}` : ""}.`
      : "")
  );
}
