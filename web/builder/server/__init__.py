"""Serving the site while it is written: what is saved is built, and open pages reload."""
