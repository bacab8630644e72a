"""Do what pages do up to their first verdicts, in Pyodide, and list the stdlib modules it took.

/job holds the wheels and the modules of ``page_tasks``; ``/job/used.json`` is the answer.
"""

import importlib
import json
import sys
import zipfile
from pathlib import Path

JOB = Path("/job")
SITE = "/site"

for wheel in JOB.glob("*.whl"):
    zipfile.ZipFile(wheel).extractall(SITE)
sys.path.insert(0, SITE)

tasks = Path(SITE, "page_tasks")
tasks.mkdir()
for source in JOB.glob("*.py"):
    (tasks / source.name).write_text(source.read_text())
exercise = importlib.import_module("page_tasks.exercise")
for cell in (
    "from attn.exercises import catalog, check\nfor e in catalog(): check(e.id, lambda *x: 1)",
    "import numpy as np\n1 / 0",
):
    exercise.run({"code": cell, "exercise": ""}, lambda kind, text: None)

(stdlib,) = [path for path in sys.path if path.endswith(".zip")]
origins = [getattr(module.__spec__, "origin", None) for module in list(sys.modules.values())]
used = [o.removeprefix(f"{stdlib}/") for o in origins if o and o.startswith(stdlib)]
(JOB / "used.json").write_text(json.dumps({"stdlib": stdlib, "used": sorted(set(used))}))
