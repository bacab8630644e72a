"""Chapter 13, Making it cheap: two blocks merged, a window, a cache, a lookup, a budget."""

EXERCISES = ("merge", "window", "decode", "needle", "longest")
