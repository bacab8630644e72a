"""Checks for the exercises: each one names the mistake, not only that there is one."""

from attn.exercises.catalogue import catalog, check
from attn.exercises.checking import Exercise, Mistake, Verdict

__all__ = ["Exercise", "Mistake", "Verdict", "catalog", "check"]
