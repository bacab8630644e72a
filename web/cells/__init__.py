"""Cells of a chapter that run in the page."""
