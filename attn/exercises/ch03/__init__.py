"""Chapter 3, Queries, keys, values: shapes, indices, design, cross-attention, gated pooling."""

from attn.exercises.ch03 import cross_attention, design, gated_pool, shapes, swapped_index

EXERCISES = (
    shapes.EXERCISE,
    swapped_index.EXERCISE,
    design.EXERCISE,
    cross_attention.EXERCISE,
    gated_pool.EXERCISE,
)
