// Commands to the page of a running JupyterLab, and what it shows of them.
// What may take long is begun here and asked after: a promise that never settles is waited for
// without end, and nothing tells what it is waiting for.

export function openNotebook(path) {
  const opened = { path, kernel: null, step: "document" };
  window.opened = opened;
  const open = async () => {
    const panel = await window.jupyterapp.commands.execute("docmanager:open", { path });
    opened.step = "content";
    await panel.context.ready;
    opened.step = "place on the screen";
    await panel.revealed;
    opened.step = "kernel";
    await panel.sessionContext.ready;
    opened.kernel = panel.sessionContext.session.kernel.id;
  };
  open().catch((error) => {
    opened.step = String(error);
  });
}

export function runAllCells() {
  window.ran = false;
  window.jupyterapp.commands.execute("notebook:run-all-cells").then(() => {
    window.ran = true;
  });
}

/** JupyterLab draws cells that are out of sight, and outputs, a little later. */
export function progressOf(panel) {
  const prompts = [...panel.querySelectorAll(".jp-CodeCell .jp-InputPrompt")];
  return {
    ran: window.ran,
    cells: prompts.length,
    waiting: prompts.filter((prompt) => prompt.textContent.includes("*")).length,
    unread: panel.querySelectorAll(".jp-MarkdownCell:not(:has(.myst *))").length,
  };
}
