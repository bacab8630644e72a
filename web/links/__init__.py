"""Links: citations, labels, pages that are not published, the project's repository."""
