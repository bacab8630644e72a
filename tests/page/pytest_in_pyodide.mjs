// Run pytest inside the Pyodide that the site serves: node pytest_in_pyodide.mjs '{"python": …, …}'
// python: the site's folder; repository; pure: pure Python packages and modules; wheels; arguments of pytest
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const given = JSON.parse(process.argv[2]);
const manifest = JSON.parse(readFileSync(`${given.python}/runtime.json`));
const index = `${given.python}/${manifest.pyodide}`;
const { loadPyodide } = await import(`${index}pyodide.mjs`);
const pyodide = await loadPyodide({
  indexURL: index,
  stdLibURL: `${given.python}/${manifest.stdlib}`,
  lockFileURL: `${given.python}/${manifest.lock}`,
  packageBaseUrl: `${given.python}/`,
  packages: manifest.packages,
  env: { HOME: "/tmp", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" },
});
for (const wheel of given.wheels) await pyodide.loadPackage(wheel, { checkIntegrity: false });
// The package itself comes from the wheel; of the repository there are its tests, and the parts
// of the site that they read.
pyodide.FS.mkdir("/packages");
for (const path of given.pure) {
  const inside = `/packages/${basename(path)}`;
  if (path.endsWith(".py")) pyodide.FS.writeFile(inside, readFileSync(path));
  else pyodide.mountNodeFS(inside, path);
}
for (const part of ["tests", "web", "_build/html/book"]) {
  pyodide.mountNodeFS(`/repository/${part}`, `${given.repository}/${part}`);
}
pyodide.FS.writeFile(
  "/repository/pyproject.toml",
  readFileSync(`${given.repository}/pyproject.toml`),
);
pyodide.globals.set("arguments", pyodide.toPy(given.arguments));
process.exitCode = pyodide.runPython(`
import os, sys
sys.path.append("/packages")
os.chdir("/repository")
import pytest
int(pytest.main(arguments))
`);
