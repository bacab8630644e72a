"""Questions that are answered without code."""
