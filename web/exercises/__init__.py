"""Exercises that are edited, run and checked in the page."""
