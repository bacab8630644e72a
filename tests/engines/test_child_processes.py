"""The watch over threads sees one that loops, and ends with it."""

import psutil
import pytest
from browsers.child_processes import ProcessGroup, wait_until_idle
from browsers.polling import eventually


def children(group):
    """What the shell of the group has started."""
    return psutil.Process(group.id).children()


def runs(states):
    return psutil.STATUS_RUNNING in states


def test_a_loop_is_seen_until_it_ends():
    loop = ProcessGroup("sh", "-c", "while :; do :; done")
    eventually("the loop to run", lambda: [child.status() for child in children(loop)], until=runs)
    with pytest.raises(AssertionError, match="these still run"):
        wait_until_idle(timeout=0)
    loop.end()
    wait_until_idle()
