"""Chapter 9, Against recurrence: steps in turn, a lookup in a gate, gradients, costs, a state."""

IDS = (
    "09-steps-in-turn",
    "09-gated-step",
    "09-first-word",
    "09-crossover",
    "09-recurrent-form",
)
