// Scripts and styles without what only their authors read, by the esbuild whose folder is given: a list of
// {name, text} on standard input, a list of texts on standard output.
const { readFileSync } = require("node:fs");
const { extname, join } = require("node:path");

const LOADERS = { ".js": "js", ".mjs": "js", ".css": "css" };
const { transform } = require(join(process.argv[2], "lib", "main.js"));

const minify = async ({ name, text }) => {
  const loader = LOADERS[extname(name)];
  const options = { loader, sourcefile: name, minify: true, target: "es2022", charset: "utf8" };
  const { code } = await transform(text, options);
  return code;
};

Promise.all(JSON.parse(readFileSync(0, "utf8")).map(minify)).then(
  (texts) => process.stdout.write(JSON.stringify(texts)),
  (error) => {
    process.stderr.write(error.message);
    process.exitCode = 1;
  },
);
