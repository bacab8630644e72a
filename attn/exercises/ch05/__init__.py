"""Chapter 5, Many heads: cut, attend, count, read another layout, switch off."""

from attn.exercises.ch05 import ablate, multi_head, parameters, split_heads, torch_layout

EXERCISES = (
    split_heads.EXERCISE,
    multi_head.EXERCISE,
    parameters.EXERCISE,
    torch_layout.EXERCISE,
    ablate.EXERCISE,
)
