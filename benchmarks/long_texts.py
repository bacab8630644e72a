"""Memory and time of exact attention against the length of the text, in three ways, on one thread.

Run ``python -m benchmarks.long_texts``; with ``--write`` the table goes to
attn/data/long_texts.json, which chapter 13 shows. One head of size 64, float32: `attn.attention`
makes the whole table of scores, `attn.blockwise_attention` 128 rows of it at a time, and torch's
kernel smaller pieces still. Memory is what a call needs beyond its inputs and its output: for NumPy
the peak that tracemalloc counts, for torch how far the process's high-water mark rises (Linux).
Times are medians of process CPU time, taken in turns; the table's smallest is 1.
"""

# Thread pools are sized on import, so their size is set before any other import.
# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import gc
import re
import statistics
import time
import tracemalloc
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from attn import attention, blockwise_attention
from attn.data import save

D, BLOCK, SIZES, TURNS = 64, 128, (512, 1024, 2048, 4096, 8192), 9


def inputs(n):
    """Queries, keys and values of one head, (n, 64) each."""
    rng = np.random.default_rng(n)
    return [rng.standard_normal((n, D), dtype=np.float32) for _ in range(3)]


def fused(Q, K, V):
    """Torch's kernel on NumPy arrays; it is taken for four axes only."""
    tensors = [torch.from_numpy(a)[None, None] for a in (Q, K, V)]
    return scaled_dot_product_attention(*tensors)[0, 0].numpy()


WAYS = {
    "table": attention,
    "blocks": lambda Q, K, V: blockwise_attention(Q, K, V, block=BLOCK),
    "fused": fused,
}


def traced_bytes(function, n):
    """What a NumPy function needs at its peak, beyond its inputs and its output."""
    given = inputs(n)
    tracemalloc.start()
    out = function(*given)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - out.nbytes


def resident_bytes(function, n):
    """How far a call lifts the most memory that this process has held, beyond its output."""
    given = inputs(n)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmHWM")
    out = function(*given)
    return max(0, _status("VmHWM") - before - out.nbytes)


def _status(name):
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.search(rf"{name}:\s+(\d+) kB", text)[1])


def cpu_seconds(function, given):
    """Process CPU time of one call."""
    start = time.process_time()
    function(*given)
    return time.process_time() - start


def times(n, turns):
    """Median seconds of each way, the ways taking turns."""
    given = inputs(n)
    for function in WAYS.values():
        function(*given)
    rows = [[cpu_seconds(f, given) for f in WAYS.values()] for _ in range(turns)]
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def main():
    """Print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="rewrite attn/data/long_texts.json")
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    fused(*inputs(SIZES[0]))  # what the first call alone allocates is not counted
    memory = {name: [] for name in WAYS}
    seconds = {name: [] for name in WAYS}
    for n in SIZES:
        memory["fused"].append(resident_bytes(fused, n))
        for name in ("table", "blocks"):
            memory[name].append(traced_bytes(WAYS[name], n))
    for n in SIZES:
        for name, taken in zip(WAYS, times(n, options.turns), strict=True):
            seconds[name].append(taken)
    least = min(map(min, seconds.values()))
    ratios = {name: [round(x / least, 2) for x in column] for name, column in seconds.items()}
    print(f"one head, d = {D}, float32, one thread; blocks of {BLOCK} rows")
    for i, n in enumerate(SIZES):
        row = [f"{name} {memory[name][i] / 2**20:8.2f} MiB {ratios[name][i]:8.2f}" for name in WAYS]
        print(f"n={n:5d}", *row, sep="  ", flush=True)
    if options.write:
        table = {
            "command": "python -m benchmarks.long_texts --write",
            "numpy": np.__version__,
            "torch": torch.__version__.split("+")[0],
            "d": D,
            "block": BLOCK,
            "n": SIZES,
            "bytes": memory,
            "time": ratios,
        }
        save("long_texts", table)


if __name__ == "__main__":
    main()
