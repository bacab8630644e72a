"""Reading the book: its table of contents, its chapters, their cells, exercises and questions."""
