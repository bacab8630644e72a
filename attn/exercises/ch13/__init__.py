"""Chapter 13, Making it cheap: two blocks merged, a window, a cache, a lookup, a budget."""

IDS = (
    "13-merge",
    "13-window",
    "13-decode",
    "13-needle",
    "13-longest",
)
