"""Chapter 11, Train one: a loss, a ceiling, a lag that explains too much, a head, a step."""

EXERCISES = ("next-word-loss", "ceiling", "fixed-lag", "swap-heads", "adam-step")
