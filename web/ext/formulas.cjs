// TeX to MathML, by the MathJax whose folder is given: a list of {tex, display} on standard input,
// a list of MathML texts on standard output.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const load = ["input/tex", "[tex]/html", "adaptors/liteDOM"];
const tex = { packages: { "[+]": ["html"] } };

require(join(process.argv[2], "node-main.js"))
  .init({ loader: { load, versionWarnings: false }, tex, startup: { typeset: false } })
  .then((MathJax) => {
    const formulas = JSON.parse(readFileSync(0, "utf8"));
    const made = formulas.map(({ tex, display }) => MathJax.tex2mml(tex, { display }));
    process.stdout.write(JSON.stringify(made));
  });
