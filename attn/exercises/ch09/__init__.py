"""Chapter 9, Against recurrence: steps in turn, a look-up in a gate, gradients, costs, a state."""

from attn.exercises.ch09 import crossover, first_word, gated_step, recurrent_form, steps_in_turn

EXERCISES = (
    steps_in_turn.EXERCISE,
    gated_step.EXERCISE,
    first_word.EXERCISE,
    crossover.EXERCISE,
    recurrent_form.EXERCISE,
)
