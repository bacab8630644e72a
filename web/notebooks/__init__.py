"""Notebooks of the chapters, to download."""
