"""Checks for the exercises: each one names the mistake, not only that there is one."""

from attn.exercises.catalogue import Exercise, Mistake, catalog, check
from attn.exercises.verdict import Verdict

__all__ = ["Exercise", "Mistake", "Verdict", "catalog", "check"]
