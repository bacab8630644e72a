"""Seconds and peak memory of every chapter, each run from top to bottom in a kernel of its own.

``make bench BENCH=chapters``, with ``ARGS=01-lookup`` for some chapters only. The
memory of JupyterLab itself is measured too: a learner's server holds it once, and one kernel for
each open chapter.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
import psutil
from lab import jupyter_lab
from nbclient import NotebookClient

from web.builder.execution import results
from web.builder.paths import TOP
from web.chapters import contents

BOOK = TOP / "book"
MOST_SECONDS, MOST_MEGABYTES = 30, 1000
# The last cell of every run. Linux keeps the peak since the kernel's own start; elsewhere getrusage
# is the nearest (in bytes on macOS).
PEAK = """
import pathlib, re, resource
status = pathlib.Path("/proc/self/status")
if status.exists():
    peak = 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", status.read_text())[1])
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak)
"""


@dataclass(frozen=True)
class Cost:
    name: str
    cells: int
    seconds: float
    megabytes: float

    def warnings(self):
        """What is over the limits of a small server."""
        slow = [f"over {MOST_SECONDS} s"] if self.seconds > MOST_SECONDS else []
        large = [f"over {MOST_MEGABYTES} MB"] if self.megabytes > MOST_MEGABYTES else []
        return ", ".join(slow + large)

    def row(self):
        return (
            f"| {self.name} | {self.cells} | {self.seconds:.1f} | {self.megabytes:.0f} "
            f"| {self.warnings()} |"
        )


def notebooks(names):
    """The chapters with code cells; all of them if no names are given."""
    found = contents.notebooks()
    unknown = set(names) - {path.stem for path in found}
    if unknown:
        known = ", ".join(path.stem for path in found)
        raise SystemExit(f"chapters: no notebook {', '.join(sorted(unknown))}; there are {known}")
    return [path for path in found if not names or path.stem in names]


def run(path):
    """Run a chapter in a new kernel; the clock includes the start of the kernel."""
    notebook = jupytext.read(path)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
    with results.own_sockets() as config:
        client = NotebookClient(
            notebook,
            timeout=600,
            startup_timeout=results.PATIENCE,
            resources={"metadata": {"path": str(BOOK)}},
            extra_arguments=["--log-level=ERROR"],
            config=config,
        )
        started = time.monotonic()
        client.execute()
        seconds = time.monotonic() - started
    return Cost(path.stem, cells, seconds, int(notebook.cells[-1].outputs[0].text) / 1e6)


def lab_megabytes():
    """Memory of a JupyterLab server that has served its first page."""
    with tempfile.TemporaryDirectory() as folder:
        with jupyter_lab.run_lab(Path(folder), root=BOOK) as lab:
            lab.request("lab").close()
            return psutil.Process(lab.process).memory_info().rss / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="CHAPTER", help="such as 01-lookup")
    paths = notebooks(parser.parse_args().names)
    print("| notebook | code cells | seconds | kernel's peak, MB | |\n|---|---|---|---|---|")
    for path in paths:
        print(run(path).row(), flush=True)
    print(f"\nJupyterLab itself: {lab_megabytes():.0f} MB")


if __name__ == "__main__":
    main()
