"""Waiting for the thing itself: as long as a busy machine needs, and then saying what was seen."""

import time

# Seconds for one step of anything: a machine may be slow, and slow is not wrong.
PATIENCE = 180.0


def eventually(what: str, look, *, until=bool, seconds: float = PATIENCE):
    """Call ``look`` until ``until`` holds of what it gives, and return that.

    >>> eventually("a number that is even", iter([1, 3, 4]).__next__, until=lambda n: n % 2 == 0)
    4
    """
    deadline = time.monotonic() + seconds
    while True:
        seen = look()
        if until(seen):
            return seen
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s for {what}; last seen: {seen!r}")
        time.sleep(0.05)
