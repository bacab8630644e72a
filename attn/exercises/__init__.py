"""Checks for the exercises: each one names the mistake, not only that there is one."""

from attn.exercises.catalog import catalog, check
from attn.exercises.checking import Exercise, Mistake, Verdict

__all__ = ["Exercise", "Mistake", "Verdict", "catalog", "check"]
