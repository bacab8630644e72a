"""Figures that move: their state, their loader, and the links that set them."""
