"""The real model, which reads a reader's own sentence in the page."""
