"""The watch over threads sees one that loops, and ends with it."""

import pytest
from engines.leash import Leashed, running_threads, wait_until_idle
from waiting import eventually


def test_a_loop_is_seen_until_it_ends():
    loop = Leashed("sh", "-c", "while :; do :; done")
    eventually("the loop to run", running_threads)
    with pytest.raises(AssertionError, match="these still run"):
        wait_until_idle(timeout=0)
    loop.end()
    wait_until_idle()
