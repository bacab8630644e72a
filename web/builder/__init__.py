"""Building the site: set-up, execution, third-party files, the order of extensions, a server."""
