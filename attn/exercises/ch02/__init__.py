"""Chapter 2, Self-attention: one token, all tokens, a rival, a test of order, a tag each."""

EXERCISES = ("one-token", "matrix-form", "rival", "equivariance", "tag")
