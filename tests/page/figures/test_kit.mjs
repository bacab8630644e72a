/** The names that modules of the kit export. */
export async function exportedNames(files) {
  const load = (file) => import(new URL(`_static/attn/kit/${file}`, location.href));
  const modules = await Promise.all(files.map(load));
  return modules.flatMap((module) => Object.keys(module));
}

/** What a figure with the traits `first` and `words` says to a slider for the trait `name`. */
export async function refusalOfSlider(name) {
  const { figure } = await import(new URL("_static/attn/kit/figure.js", location.href));
  const values = { _spec: { traits: ["first", "words"], controls: {} }, first: 0, words: "" };
  const model = { get: (trait) => values[trait], on() {}, off() {} };
  const build = (page) => page.slider(name, { label: name });
  const parts = { name: "Any", title: "any", compute: () => null, words: () => "" };
  try {
    figure({ ...parts, build }).render({ model, el: document.createElement("div") });
    return "nothing";
  } catch (error) {
    return error.message;
  }
}
