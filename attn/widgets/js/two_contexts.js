// One word in two sentences: it enters with one vector and leaves with two. Who asks is a switch.
import { attentionWeights, dot, matmul } from "./core.js";
import { frame, html, read, select, slider, svg, update, watch } from "./kit/controls.js";
import { fixed, list, percent, short, vector } from "./kit/format.js";
import { heatmap } from "./kit/heatmap.js";
import { arrow, direction, grid, plane } from "./kit/vectors.js";

const TRAITS = [
  "word",
  "sentences",
  "vectors",
  "askers",
  "asker_vectors",
  "word_angle",
  "query_angle",
  "beta",
  "kind",
];
const KINDS = [
  ["self", "self: its own words"],
  ["cross", "cross: another text"],
  ["pooling", "pooling: one query"],
];
const LEARNED = "learned query";

const long = (angle) => direction(angle).map((x) => Math.SQRT2 * x);

// For each sentence: its tokens, who asks, the weights, what leaves, and the row the words follow.
export function answer(state) {
  const embed = (name) => (name === state.word ? long(state.word_angle) : state.vectors[name]);
  return state.sentences.map((tokens) => {
    const X = tokens.map(embed);
    const [names, Q] = {
      self: () => [tokens, X],
      cross: () => [state.askers, state.asker_vectors],
      pooling: () => [[LEARNED], [long(state.query_angle)]],
    }[state.kind]();
    const A = attentionWeights(Q, X, { scale: state.beta / Math.SQRT2 });
    return {
      tokens,
      names,
      Q,
      A,
      Y: matmul(A, X),
      row: state.kind === "self" ? tokens.indexOf(state.word) : 0,
    };
  });
}

export function cosine(a, b) {
  const size = Math.sqrt(dot(a, a) * dot(b, b));
  return size > 0 ? dot(a, b) / size : 0;
}

const looks = ({ tokens, names, A, row }) => {
  const most = A[row].indexOf(Math.max(...A[row]));
  const best = tokens.filter((_, j) => Math.abs(A[row][j] - A[row][most]) < 1e-9);
  return `${names[row]} looks ${best.length > 1 ? `${percent(A[row][most])} each` : percent(A[row][most])} at ${list(best)}`;
};

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

export function sentence(state, results) {
  const [one, two] = results;
  const out = results.map(({ Y, row }) => Y[row]);
  const ends = `“${one.tokens.join(" ")}”: ${looks(one)}. “${two.tokens.join(" ")}”: ${looks(two)}. `;
  const leave =
    state.kind === "self"
      ? `${state.word} enters both as ${vector(long(state.word_angle))} and leaves as ${vector(out[0])} and ${vector(out[1])}`
      : `For ${one.names[0]} the two sentences give ${vector(out[0])} and ${vector(out[1])}`;
  const made = `${count(one.A.length, "vector")} leave${one.A.length === 1 ? "s" : ""} the first sentence, ${two.A.length} the second.`;
  return `${ends}${leave}: cosine ${fixed(cosine(...out))}. ${made}`;
}

// The vectors that matter: what goes in or asks, dashed or solid, and what leaves each sentence.
function arrows(view, state, results) {
  const [one, two] = results.map(({ Y, row }) => Y[row]);
  const asks = results[0].Q[results[0].row];
  const [x, y] = view.toPage([0, 0]);
  const axis = (props) => svg("text", { class: "attn-axis", ...props });
  return svg(
    "g",
    {},
    grid(view),
    axis({ x: 2 * x - 10, y: y - 8, "text-anchor": "end", text: "thing" }),
    axis({ x: x + 8, y: 20, text: "act" }),
    arrow(view, asks, { role: "query", text: state.kind === "self" ? "in" : "asks" }),
    arrow(view, one, { role: "output", text: "out 1" }),
    arrow(view, two, { role: "output", text: "out 2" }),
  );
}

function build(el, model) {
  const authored = read(model, TRAITS);
  const set = (name) => (value) => update(model, { [name]: value });
  const { root, stage, controls, say } = frame(el, {
    name: "TwoContexts",
    title: `“${authored.word}” in two sentences`,
    lead: "Keys and values come from the sentence. The switch says who asks.",
    reset: () => update(model, authored),
  });
  const view = plane(stage, {
    label: "vectors in the plane: thing to the right, act upwards",
    reach: 2,
    letters: 5,
  });
  const maps = html("div", { class: "attn-side attn-compact" });
  stage.classList.add("attn-uneven");
  stage.append(maps);
  const kind = select(controls, { label: "who asks", options: KINDS, change: set("kind") });
  const angle = (label, name, low, high) =>
    slider(controls, {
      label,
      role: "query",
      min: low,
      max: high,
      step: 1,
      format: (x) => `${short(x)}°`,
      input: set(name),
    });
  const word = angle(`${authored.word}’s angle`, "word_angle", 0, 90);
  const beta = slider(controls, {
    label: "sharpness β",
    role: "weight",
    min: 0,
    max: 4,
    step: 0.1,
    format: (x) => fixed(x, 1),
    input: set("beta"),
  });
  const query = angle("learned query’s angle", "query_angle", -180, 180);
  return { root, view, maps, say, kind, word, beta, query, learned: controls.lastChild };
}

// One heat map for each sentence. Their rows change with who asks, so they are built anew then.
function maps(page, results) {
  page.maps.replaceChildren();
  return results.map(({ names, tokens }, i) =>
    heatmap(page.maps, { rows: names, columns: tokens, label: `weights, sentence ${i + 1}` }),
  );
}

function render({ model, el }) {
  const page = build(el, model);
  let [kind, shown] = [null, []];
  const draw = () => {
    const state = read(model, TRAITS);
    const results = answer(state);
    if (kind !== state.kind) [kind, shown] = [state.kind, maps(page, results)];
    shown.forEach((show, i) => show(results[i].A));
    page.view.draw(arrows(page.view, state, results));
    page.kind(state.kind);
    page.word(state.word_angle);
    page.beta(state.beta);
    page.query(state.query_angle);
    page.learned.hidden = state.kind !== "pooling";
    page.say(sentence(state, results));
  };
  const stop = watch(model, TRAITS, draw);
  draw();
  return () => {
    stop();
    page.root.remove();
  };
}

export default { render };
