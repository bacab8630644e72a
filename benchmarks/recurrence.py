"""Forward time of one attention layer against one GRU layer, as ratios, on one thread.

Run ``python -m benchmarks.recurrence``; with ``--write`` the ratios go to
attn/data/forward_time.json, which chapter 9 shows. The three layers take turns, so that a busy
machine slows all alike; each time is process CPU time, and a ratio compares medians.
"""

# Thread pools are sized on import, so their size is set before any other import.
# ruff: noqa: E402
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import statistics
import time

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from attn.data import save

D, HEADS, SIZES, TURNS = 64, 4, (128, 256, 512, 1024, 2048, 4096, 8192), 9
LARGEST_TABLE = 4096  # beyond, the scores alone take a gigabyte


class Attention(nn.Module):
    """Four projections and causal heads; the scores as one table, or torch's fused kernel."""

    def __init__(self, *, fused):
        super().__init__()
        self.into, self.out, self.fused = nn.Linear(D, 3 * D), nn.Linear(D, D), fused

    def forward(self, X):
        """(1, n, d) to (1, n, d)."""
        n = X.shape[1]
        Q, K, V = self.into(X).view(1, n, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        if self.fused:
            Y = scaled_dot_product_attention(Q, K, V, is_causal=True)
        else:
            scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            Y = torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1) @ V
        return self.out(Y.transpose(1, 2).reshape(1, n, D))


def cpu_seconds(layer, X):
    """Process CPU time of one call."""
    start = time.process_time()
    layer(X)
    return time.process_time() - start


def ratios(n, turns):
    """CPU time of the fused kernel and of the table of scores, each divided by that of nn.GRU."""
    torch.manual_seed(n)
    X = torch.randn(1, n, D)
    layers = [nn.GRU(D, D, batch_first=True), Attention(fused=True)]
    if n <= LARGEST_TABLE:
        layers.append(Attention(fused=False))
    with torch.no_grad():
        for layer in layers:
            layer(X)
        times = [[cpu_seconds(layer, X) for layer in layers] for _ in range(turns)]
    gru, *others = (statistics.median(column) for column in zip(*times, strict=True))
    return [other / gru for other in others]


def main():
    """Print the ratios, and write them if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="rewrite attn/data/forward_time.json")
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"forward, batch 1, d = {D}, {HEADS} causal heads, float32, one thread; nn.GRU is 1")
    found = []
    for n in SIZES:
        found.append([round(x, 3) for x in ratios(n, options.turns)])
        named = zip(("fused", "table of scores"), found[-1], strict=False)
        print(f"n={n:5d}", *(f" {name} {x:6.2f}" for name, x in named), flush=True)
    if options.write:
        table = {
            "command": "python -m benchmarks.recurrence --write",
            "torch": torch.__version__.split("+")[0],
            "d": D,
            "heads": HEADS,
            "n": SIZES,
            "fused": [row[0] for row in found],
            "table": [row[1] for row in found if len(row) > 1],
        }
        save("forward_time", table)


if __name__ == "__main__":
    main()
