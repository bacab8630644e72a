"""Python for the page: the archives that a reader's first run downloads, compiled ahead."""
