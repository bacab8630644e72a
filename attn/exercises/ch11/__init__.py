"""Chapter 11, Train one: a loss, a ceiling, a lag that explains too much, a head, a step."""

IDS = (
    "11-next-word-loss",
    "11-ceiling",
    "11-fixed-lag",
    "11-swap-heads",
    "11-adam-step",
)
