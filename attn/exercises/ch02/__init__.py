"""Chapter 2, Self-attention: one token, all tokens, a rival, a test of order, a tag each."""

IDS = (
    "02-one-token",
    "02-matrix-form",
    "02-rival",
    "02-equivariance",
    "02-tag",
)
