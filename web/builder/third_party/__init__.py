"""Files that others wrote and the site serves: fetched, verified, bundled, cached."""
