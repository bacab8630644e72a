"""Chapter 9, Against recurrence: steps in turn, a lookup in a gate, gradients, costs, a state."""

EXERCISES = ("steps-in-turn", "gated-step", "first-word", "crossover", "recurrent-form")
