/** The names that modules of the kit export. */
export async function exportedNames(files) {
  const load = (file) => import(new URL(`_static/attn/kit/${file}`, location.href));
  const modules = await Promise.all(files.map(load));
  return modules.flatMap((module) => Object.keys(module));
}
