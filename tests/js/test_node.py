"""The tests of the JavaScript, run by Node."""

import subprocess
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_node_passes(file):
    done = subprocess.run(["node", "--test", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
