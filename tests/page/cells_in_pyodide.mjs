// Run cells as the page does, in the Pyodide that the site serves: node cells_in_pyodide.mjs '{"python": …, …}'
// python: the site's folder; tasks: the folder of page_tasks; chapters: {name: [source of each cell]}
// Prints {name: [[[kind, content], …] of each cell]} as JSON. A cell that fails sends an "error".
import { readdirSync, readFileSync } from "node:fs";
import { loadOptional } from "../../web/page_python/optional-packages.mjs";

const given = JSON.parse(readFileSync(process.argv[2]));
const runtime = JSON.parse(readFileSync(`${given.python}/runtime.json`));
const index = `${given.python}/${runtime.pyodide}`;
const { loadPyodide } = await import(`${index}pyodide.mjs`);
const pyodide = await loadPyodide({
  indexURL: index,
  stdLibURL: `${given.python}/${runtime.stdlib}`,
  lockFileURL: `${given.python}/${runtime.lock}`,
  packageBaseUrl: `${given.python}/`,
  packages: runtime.packages,
  env: { MPLBACKEND: "module://page_backend" },
});
const silent = { isAtHand: async () => true, onLoading() {}, onDownload() {} };
pyodide.FS.mkdirTree("/lib/page/page_tasks");
for (const name of readdirSync(given.tasks).filter((name) => name.endsWith(".py")))
  pyodide.FS.writeFile(`/lib/page/page_tasks/${name}`, readFileSync(`${given.tasks}/${name}`));
pyodide.runPython('import sys; sys.path.append("/lib/page")');
const { packages_for } = pyodide.pyimport("page_tasks.display");
const run = pyodide.runPython(`
import json
from page_tasks.display import show, show_open_plots
from page_tasks.running import Output, captured, error_outcome, execute, fresh_namespace

namespaces = {}

def run(chapter, code):
    sent = []
    output = Output(lambda *one: sent.append(one), limit=10**9)
    send = lambda *one: sent.append(one)
    namespace = namespaces.setdefault(chapter, fresh_namespace())
    try:
        with captured(output):
            value = execute(code, "cell", namespace)
            show(value, send)
            show_open_plots(send)
    except BaseException as error:
        error_outcome(error, "cell", output)
    return json.dumps(sent)
run
`);
const sent = {};
for (const [name, cells] of Object.entries(given.chapters)) {
  sent[name] = [];
  for (const code of cells) {
    await loadOptional(pyodide, runtime.optional, packages_for(code).toJs(), silent);
    sent[name].push(JSON.parse(run(name, code)));
  }
}
process.stdout.write(JSON.stringify(sent));
