"""Executing the chapters, and knowing when their results are out of date."""
