"""Compile the sources in /job, in Pyodide: what its interpreter would otherwise do at every start.

``/job/sources.json`` maps the name of a file in /job to the path that its tracebacks show.
"""

import json
import py_compile
from pathlib import Path

JOB = Path("/job")
# The page never changes a source, so the interpreter need not look at it again.
MODE = py_compile.PycInvalidationMode.UNCHECKED_HASH

for name, shown in json.loads((JOB / "sources.json").read_text()).items():
    py_compile.compile(
        str(JOB / name), str(JOB / f"{name}c"), shown, doraise=True, invalidation_mode=MODE
    )
