"""Chapter 6, Masks: the past, padding, polarity, attention that obeys, and a cache."""

from attn.exercises.ch06 import cached, causal, masked_attention, padding, polarity

EXERCISES = (
    causal.EXERCISE,
    padding.EXERCISE,
    polarity.EXERCISE,
    masked_attention.EXERCISE,
    cached.EXERCISE,
)
