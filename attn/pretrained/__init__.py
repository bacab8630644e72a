"""What the two real models of this course share: files by hash, parts to exchange, measures."""
