// TeX to MathML Core, by the MathJax whose folder is given: a list of {tex, display} on standard
// input, a list of {mathml} or {error} on standard output.
//
// MathJax's own MathML leaves spaces to the browser's table of operators, which is not TeX's. Here
// they are written out: between two neighbours stands the space that TeX puts there. What browsers
// draw differently is written in the one way that all of them draw; what is unknown is an error.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const EM = { "": 1, em: 1, pt: 1 / 10, thinmathspace: 1 / 6, mediummathspace: 2 / 9, thickmathspace: 5 / 18 };
// Browsers stretch these of their own accord.
const STRETCHES = /^[()[\]{}|‖∥⟨⟩⏞⏟←→]$/u;
const SCRIPTS = new Set(["mfrac", "msub", "msup", "msubsup", "munder", "mover", "munderover"]);
const ROWS = new Set(["mrow", "TeXAtom", "msqrt", "mstyle"]);
const TALL = new Set(["mfrac", "munder", "mover", "munderover", "mtable"]);
const TOKENS = new Set(["mi", "mn", "mtext"]);
const ROLES = /^[qkvay]$/; // classes of role_colours.py
const AIR = 0.06; // em beside a tall bracket, whose glyph in this typeface has less than TeX's
const WIDE_GAP = 0.5; // em between columns: more than what an alignment leaves

const escape = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
const em = (number) => (Math.abs(number) < 1e-3 ? "0" : `${Number(number.toFixed(3))}em`);
const given = (node, name) => node.attributes.getExplicit(name);

function element(name, attributes, content) {
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return `<${name}${set.map(([key, value]) => ` ${key}="${value}"`).join("")}>${content}</${name}>`;
}

/** In em: "0.167em", "3pt", "thinmathspace". */
function length(text) {
  const [, number = "1", unit] = /^(-?[\d.]+)?([a-z]*)$/.exec(text) ?? [];
  if (!(unit in EM)) throw Error(`${text} is no length that is known here`);
  return Number(number) * EM[unit];
}

/** A space of the author's, such as \, or \qquad, which MathJax may wrap in a style. */
function authorsSpace(node) {
  if (node.isKind("mstyle") && node.childNodes[0].childNodes.length === 1) {
    return authorsSpace(node.childNodes[0].childNodes[0]);
  }
  return node.isKind("mspace") ? node.attributes.get("width") : undefined;
}

const isBracket = (node) =>
  node.isKind("inferredMrow") || (node.isKind("TeXAtom") && !given(node, "class"));

// TeX puts nothing where a bracket has no partner, or an alignment begins.
const isEmpty = (node) => (TOKENS.has(node.kind) || node.isKind("mo")) && !node.getText();

/** Neighbours, with the spaces between them on an operator's side or as elements. */
function neighbours(nodes) {
  const parts = [];
  let space = 0;
  const put = (part) => {
    const last = parts.at(-1);
    if (space < -1e-3) throw Error(`a space of ${em(space)}: MathML has no negative ones`);
    if (space < 1e-3) space = 0;
    else if (last?.node?.isKind("mo")) last.right += space;
    else if (part?.node.isKind("mo")) part.left += space;
    else parts.push({ left: space });
    space = 0;
    if (part) parts.push(part);
  };
  const walk = (node) => {
    space += length(node.texSpacing() || "0");
    const width = authorsSpace(node);
    if (width) space += length(width);
    else if (isBracket(node)) node.childNodes.forEach(walk);
    else if (!isEmpty(node)) put({ node, left: 0, right: 0 });
  };
  nodes.forEach(walk);
  put();
  return parts.map(({ node, left, right }) =>
    node ? convert(node, left, right) : element("mspace", { width: em(left) }, ""),
  );
}

const row = (node) => neighbours(node.childNodes).join("");

/** A node where MathML wants one element. */
function single(node) {
  const written = neighbours([node]);
  return written.length === 1 ? written[0] : element("mrow", {}, written.join(""));
}

function operator(node, left, right) {
  const text = node.getText();
  const stretchy = STRETCHES.test(text) ? Boolean(node.attributes.get("stretchy")) : undefined;
  const air = stretchy && /[()[\]{}]/.test(text) ? AIR : 0;
  const size = (name) => given(node, name) && em(length(given(node, name)));
  const attributes = {
    class: given(node, "class"),
    lspace: em(left + air),
    rspace: em(right + air),
    stretchy,
    minsize: size("minsize"),
    maxsize: size("maxsize"),
    largeop: text === "⊙" ? false : undefined, // large in Firefox
  };
  return element("mo", attributes, escape(text));
}

/** A letter with a role is bold: a character of its own, since Firefox makes no letter of a formula bold. */
function withRole(letter) {
  const start = /[A-Z]/.test(letter) ? "𝑨".codePointAt() - 65 : "𝒂".codePointAt() - 97;
  return String.fromCodePoint(start + letter.codePointAt());
}

function token(node) {
  const text = node.getText();
  const upright = given(node, "mathvariant") === "normal" && [...text].length === 1;
  if (!upright && ![undefined, "normal", "italic"].includes(given(node, "mathvariant"))) {
    throw Error(`${text} in ${given(node, "mathvariant")}: there is one typeface for formulas`);
  }
  const attributes = { class: given(node, "class"), mathvariant: upright ? "normal" : undefined };
  const isRole = ROLES.test(attributes.class) && /^[A-Za-z]$/.test(text);
  return element(node.kind, attributes, isRole ? withRole(text) : escape(text));
}

/** Columns by class: MathML Core has no attribute for them. */
function table(node) {
  const at = (list, place) => list[Math.min(place, list.length - 1)];
  const sides = node.attributes.get("columnalign").split(" ");
  const gaps = ["0", ...node.attributes.get("columnspacing").split(" ")].map(length);
  const cell = (it, place) => {
    const apart = place > 0 && at(gaps, place) > WIDE_GAP;
    return element("mtd", { class: at(sides, place) + (apart ? " apart" : "") }, row(it));
  };
  if (node.childNodes.length === 1 && node.childNodes[0].childNodes.length === 1) {
    return element("mrow", {}, row(node.childNodes[0].childNodes[0])); // a cell is no table
  }
  const rows = node.childNodes.map((it) => element("mtr", {}, it.childNodes.map(cell).join("")));
  const attributes = { displaystyle: node.attributes.get("displaystyle") || undefined };
  return element("mtable", attributes, rows.join(""));
}

/** The typeface has one root (math_font.py says why): what stands under it is a line of text high. */
function checkRoot(node) {
  node.walkTree((inner) => {
    if (TALL.has(inner.kind)) throw Error(`${inner.kind} under a root is too tall for it`);
  });
}

function convert(node, left, right) {
  const { kind } = node;
  if (kind === "msqrt") checkRoot(node);
  if (kind === "mo") return operator(node, left, right);
  if (TOKENS.has(kind)) return token(node);
  if (kind === "mtable") return table(node);
  if (ROWS.has(kind)) {
    const [displaystyle, scriptlevel] = ["displaystyle", "scriptlevel"].map((it) => given(node, it));
    const attributes = { class: given(node, "class"), displaystyle, scriptlevel };
    return element(kind === "TeXAtom" ? "mrow" : kind, attributes, row(node));
  }
  if (kind === "merror") throw Error(given(node, "data-mjx-error"));
  if (!SCRIPTS.has(kind)) throw Error(`no way is known to write ${kind}`);
  const isBrace = kind === "munder" && node.childNodes[1].isKind("mo");
  const attributes = { class: given(node, "class"), accentunder: isBrace || undefined };
  return element(kind, attributes, node.childNodes.map(single).join(""));
}

const load = ["input/tex", "[tex]/html", "adaptors/liteDOM"];
const tex = { packages: { "[+]": ["html"], "[-]": ["noundefined"] } };

require(join(process.argv[2], "node-main.js"))
  .init({ loader: { load, versionWarnings: false }, tex, startup: { typeset: false } })
  .then((MathJax) => {
    const { CONVERT } = MathJax._.core.MathItem.STATE;
    const answer = ({ tex, display }) => {
      const root = MathJax.startup.document.convert(tex, { display, end: CONVERT });
      root.setTeXclass(null);
      try {
        return { mathml: row(root) };
      } catch (error) {
        return { error: error.message };
      }
    };
    process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
  });
