"""The page's own training in Node: steps a second and, with --save, ten seeds of each setting.

The table is plain Float64 arithmetic in V8: the same numbers on every processor. Another engine's
exp and log may differ in the last bit, which a long run at a high rate can make visible.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attn.data import save
from attn.widgets.train_live import LAST_STEP, RATES, TrainLive

SCRIPT = Path(__file__).with_suffix(".mjs")
SEEDS = range(1, 11)


def settings():
    """Every notch of the rate; who and whom by the number of heads; no positions."""
    rates = [{"rate": rate} for rate in RATES]
    heads = [{"task": "whom", "rate": 0.01, "heads": heads} for heads in (1, 2)]
    return [*rates, {"positions": False}, *heads]


def run(choices):
    """One record per choice of traits, and the seconds that it took, as Node finishes them."""
    states = []
    for choice in choices:
        synced = TrainLive(**choice).get_state()
        spec = synced["_spec"]
        states.append({name: synced[name] for name in spec["traits"]} | {"spec": spec})
    command = ["node", str(SCRIPT)]
    done = subprocess.run(
        command, input=json.dumps(states), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(*options):
    """Print steps a second; with --save, write the table."""
    for task, heads in (("reverse", 1), ("reverse", 2), ("whom", 1), ("whom", 2)):
        (measured,) = run([{"task": task, "heads": heads, "step": 400}])
        print(f"{task}, {heads} heads: {400 / measured['seconds']:.0f} steps per CPU second")
    if "--save" in options:
        command = "python -m benchmarks.train_live --save"
        arms = [[{**arm, "seed": seed, "step": LAST_STEP} for seed in SEEDS] for arm in settings()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            measured = [one for arm in pool.map(run, arms) for one in arm]
        save("train_live", {"command": command, "runs": [one["record"] for one in measured]})


if __name__ == "__main__":
    main(*sys.argv[1:])
