"""Chapter 3, Queries, keys, values: shapes, indices, design, cross-attention, gated pooling."""

IDS = (
    "03-shapes",
    "03-swapped-index",
    "03-design",
    "03-cross-attention",
    "03-gated-pool",
)
