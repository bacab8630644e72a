// One table, one query, three lookups: which rows each of them uses, its SQL, and what it returns.

import { dot, softmax, sum } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { degree, fixed, list, percent, short } from "../kit/format.js";
import { direction } from "../kit/vectors.js";

const NONE = "no row";
const KEYWORDS = /\b(SELECT|FROM|WHERE|ORDER BY|DESC|LIMIT|AS)\b/;

const nameOf = (angle, compass) =>
  angle % 45 ? degree(angle) : compass[(angle / 45 + compass.length) % compass.length];

// Weight 1 for the first row that is chosen, 0 for the others.
const first = (chosen) => chosen.map((is, j) => Number(is && chosen.indexOf(true) === j));

export function compute({ query_angle, beta, key_vectors: keys, values, labels, spec }) {
  const query = direction(query_angle);
  const name = nameOf(query_angle, spec.compass);
  const scores = keys.map((key) => dot(query, key));
  const best = Math.max(...scores) - spec.tie;
  const weights = {
    exact: first(labels.map((label) => label === name)),
    nearest: first(scores.map((score) => score >= best)),
    soft: softmax(scores.map((score) => beta * score)),
  };
  const answer = (shares) => (sum(shares) > 0 ? dot(shares, values) : null);
  const answers = Object.fromEntries(
    Object.entries(weights).map(([kind, shares]) => [kind, answer(shares)]),
  );
  return { query, name, scores, weights, answers, ties: scores.map((score) => score >= best) };
}

// The statement in parts: text, or ["query", text] where the query stands in it.
export function statement({ kind, beta }, { query, name }) {
  const [x, y] = query.map((part) => ["query", fixed(part).replace("−", "-")]);
  const score = ["x*", x, " + y*", y];
  return {
    exact: ["SELECT value\nFROM notebook\nWHERE key = ", ["query", `'${name}'`]],
    nearest: ["SELECT value\nFROM notebook\nORDER BY ", ...score, " DESC\nLIMIT 1"],
    soft: [
      `SELECT SUM(e * value) / SUM(e)\nFROM (SELECT value, exp(${short(beta)} * (\n  `,
      ...score,
      ")) AS e\nFROM notebook)",
    ],
  }[kind];
}

const chosen = ({ labels }, { ties }) => labels.filter((_, j) => ties[j]);

const SENTENCES = {
  exact(_, { name, answers }) {
    if (answers.exact === null) return `no row has the key “${name}”, so there is no answer.`;
    return `one row has this key, and its value is the answer: ${short(answers.exact)}.`;
  },
  nearest(state, result) {
    const best = fixed(Math.max(...result.scores));
    const answer = short(result.answers.nearest);
    const tied = chosen(state, result);
    return tied.length > 1
      ? `${list(tied)} tie at a score of ${best}; the first one in the table wins, and the answer is ${answer}.`
      : `${tied[0]} has the highest score, ${best}, and its value is the answer: ${answer}.`;
  },
  soft({ labels }, { weights, answers }) {
    const shares = labels.map((label, j) => `${label} ${percent(weights.soft[j])}`);
    return `every row counts, ${list(shares)}; the answer is ${fixed(answers.soft)}.`;
  },
};

export function sentence(state, result) {
  const kind = state.kind[0].toUpperCase() + state.kind.slice(1);
  return `${kind}, asked for ${result.name}: ${SENTENCES[state.kind](state, result)}`;
}

const answerText = (kind, answer) => {
  if (answer === null) return NONE;
  return kind === "soft" ? fixed(answer) : short(answer);
};

// One button for each lookup, with what it returns for this query.
function answerButtons(page, { spec }) {
  const row = add(page.stage, html("div", { class: "attn-answers", role: "group" }));
  row.setAttribute("aria-label", "lookups and their answers");
  const buttons = spec.controls.kind.map(([kind, text]) => {
    const answer = html("span", { class: "attn-answer" });
    const onclick = () => page.change({ kind });
    const label = html("span", { text });
    add(row, html("button", { type: "button", class: "attn-button", onclick }, label, answer));
    return { kind, answer };
  });
  return (state, { answers }) => {
    for (const { kind, answer } of buttons) {
      answer.textContent = answerText(kind, answers[kind]);
      answer.toggleAttribute("data-none", answers[kind] === null);
      answer.parentElement.setAttribute("aria-pressed", String(kind === state.kind));
    }
  };
}

// Softmax gives no row exactly nothing, so a small share is not written as 0.
const small = (share) => (share < 0.0005 ? "< 0.001" : fixed(share, 3));

const HEADS = ["key", "x", "y", "value"];

// The stored columns stand still; the two that the lookup computes are written for each query.
function notebook(page, { labels, key_vectors, values }) {
  const test = html("th", { scope: "col" });
  const heads = [...HEADS.map((text) => html("th", { scope: "col", text })), test];
  const weightHead = html("th", { scope: "col", text: "weight" });
  const rows = labels.map((label, j) => {
    const [score, weight] = [html("td"), html("td", { class: "attn-share" })];
    const stored = [...key_vectors[j], values[j]].map((x) => html("td", { text: short(x) }));
    const name = html("th", { scope: "row", text: label });
    return { node: html("tr", {}, name, ...stored, score, weight), score, weight };
  });
  const table = html(
    "table",
    { class: "attn-table attn-notebook" },
    html("caption", { text: "notebook" }),
    html("thead", {}, html("tr", {}, ...heads, weightHead)),
    html("tbody", {}, ...rows.map(({ node }) => node)),
  );
  add(page.stage, table);
  return ({ kind }, { scores, weights }) => {
    test.textContent = kind === "exact" ? "equal?" : "score";
    rows.forEach(({ node, score, weight }, j) => {
      const share = weights[kind][j];
      node.style.setProperty("--w", String(share));
      node.toggleAttribute("data-lit", share > 0);
      score.textContent = kind === "exact" ? (share ? "yes" : "no") : fixed(scores[j]);
      weight.textContent = kind === "soft" ? small(share) : short(share);
    });
  };
}

// Text with SQL's own words in bold, and the query's numbers in the query's colour.
const coloured = (parts) =>
  parts.flatMap((part) =>
    typeof part === "string"
      ? part.split(KEYWORDS).map((text) => (KEYWORDS.test(text) ? html("strong", { text }) : text))
      : [html("span", { class: `attn-${part[0]}`, text: part[1] })],
  );

function build(page, state) {
  const answers = answerButtons(page, state);
  const rows = notebook(page, state);
  const sql = add(page.stage, html("pre", { class: "attn-sql", "aria-label": "SQL" }));
  page.slider("query_angle", {
    label: "wind from",
    role: "query",
    format: (angle) =>
      angle % 45 ? degree(angle) : `${nameOf(angle, state.spec.compass)}, ${degree(angle)}`,
  });
  return (state, result) => {
    answers(state, result);
    rows(state, result);
    sql.replaceChildren(...coloured(statement(state, result)));
  };
}

export default figure({
  name: "TableLookup",
  title: "Three lookups, one query",
  lead: "Turn the wind; press a lookup to light its rows and read its SQL.",
  compute,
  build,
  words: sentence,
  rebuildKey: ({ key_vectors, values, labels }) => [key_vectors, values, labels],
});
