"""The site: what reads the chapters, builds the pages and serves them. `attn` knows none of it."""
