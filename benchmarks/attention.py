"""Blockwise attention in NumPy against torch's fused kernel, on one thread.

Run ``python -m benchmarks.attention``. The two sides take turns, so that a busy machine slows
both alike; each time is process CPU time, and a ratio compares the medians.
"""

# Thread pools are sized on import, so their size is set before any other import.
# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import math
import statistics
import time
import tracemalloc

import numpy as np
import torch
import torch.nn.functional as F

from attn import attention, blockwise_attention

HEADS, D_HEAD = 8, 64


def cpu_seconds(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def side_by_side(ours, theirs, seconds):
    """Median CPU times of two functions that take turns for about `seconds`, 5 turns at least."""
    ours(), theirs()
    times = []
    while len(times) < 5 or sum(map(sum, times)) < seconds:
        times.append((cpu_seconds(ours), cpu_seconds(theirs)))
    return [statistics.median(side) for side in zip(*times, strict=True)]


def compare(n, causal, seconds):
    rng = np.random.default_rng(n)
    arrays = [rng.standard_normal((HEADS, n, D_HEAD), dtype=np.float32) for _ in range(3)]
    # torch takes its fused kernel for four axes only.
    tensors = [torch.from_numpy(a)[None] for a in arrays]

    def ours():
        return blockwise_attention(*arrays, causal=causal)

    def theirs():
        return F.scaled_dot_product_attention(*tensors, is_causal=causal)

    gap = float(np.abs(ours() - theirs()[0].numpy()).max())
    a, b = side_by_side(ours, theirs, seconds)
    kind = "causal" if causal else "full"
    print(f"n={n:5d}  {kind:6s}  attn {1e3 * a:7.1f} ms  torch {1e3 * b:7.1f} ms", end="  ")
    print(f"ratio {a / b:.2f}  largest difference {gap:.0e}", flush=True)
    return a / b


def peak_megabytes(function):
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def report_memory(n):
    rng = np.random.default_rng(n)
    arrays = [rng.standard_normal((n, D_HEAD), dtype=np.float32) for _ in range(3)]
    full = peak_megabytes(lambda: attention(*arrays))
    blocked = peak_megabytes(lambda: blockwise_attention(*arrays))
    print(f"n={n:5d}  one head, peak memory with the answer: ", end="")
    print(f"attention {full:.1f} MiB, blockwise_attention (block=128) {blocked:.1f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="CPU time for each row")
    parser.add_argument("--sizes", type=int, nargs="+", default=[512, 1024, 2048])
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{HEADS} heads, d = {D_HEAD}, float32, one thread, process CPU time")
    ratios = [compare(n, c, options.seconds) for n in options.sizes for c in (False, True)]
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    print(f"geometric mean of the ratios: {mean:.2f} (goal: at most 1.6)")
    report_memory(max(options.sizes))


if __name__ == "__main__":
    main()
