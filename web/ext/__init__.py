"""The Sphinx side of the book: one extension a file."""
