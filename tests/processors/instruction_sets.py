"""Older processors than this one: environment variables that make libraries use their instructions.

torch, the two libraries that multiply its matrices, NumPy and the one that multiplies NumPy's: each
chooses its arithmetic by what the processor can do.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch

TOP = Path(__file__).parents[2]
# From old to new, by the name that torch gives them.
CAPABILITIES = ("DEFAULT", "AVX2", "AVX512")
NATIVE = torch.backends.cpu.get_cpu_capability()
NUMPY_NATIVE = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])


def older():
    """The capabilities below this processor's; none where torch names no order of them."""
    return CAPABILITIES[: CAPABILITIES.index(NATIVE)] if NATIVE in CAPABILITIES else ()


def settings(capability):
    """The environment variables for one of the older capabilities."""
    avx512 = [name for name in NUMPY_NATIVE if name.startswith(("X86_V4", "AVX512"))]
    onednn, mkl, openblas, without = {
        "DEFAULT": ("SSE41", "COMPATIBLE", "Prescott", NUMPY_NATIVE),
        "AVX2": ("AVX2", "AVX2", "Haswell", avx512),
    }[capability]
    return {
        "ATEN_CPU_CAPABILITY": capability.lower(),
        "ONEDNN_MAX_CPU_ISA": onednn,
        "MKL_CBWR": mkl,
        "OPENBLAS_CORETYPE": openblas,
        "NPY_DISABLE_CPU_FEATURES": " ".join(without),
    }


def run_python(*arguments, capability=None, **options):
    """Run Python in the project on an older processor, or on this one, on one thread."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    own = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONPATH": str(TOP)}
    chosen = settings(capability) if capability else {}
    return subprocess.run(
        [sys.executable, *arguments],
        env=outer | own | chosen,
        cwd=TOP,
        capture_output=True,
        text=True,
        **options,
    )
