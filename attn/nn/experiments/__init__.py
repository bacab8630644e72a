"""The small experiments that the chapters cite: seeded, with plain arrays as results."""

from importlib import import_module

# Which module knows each public name. They are imported when first used, so that
# `python -m attn.nn.experiments.<module>` runs its module once.
MODULES = {
    "tiny_world": "embeddings",
    "train_embeddings": "embeddings",
    "train_reader": "recurrence",
    "train_translator": "alignment",
    "train_retrieval": "scaling",
    "train_two_keys": "heads",
    "train_next_word": "next_word",
    "reading_loss": "next_word",
    "writing_loss": "next_word",
    "write": "next_word",
    "train_order": "order",
    "train_deep": "depth",
    "train_digits": "pictures",
    "bars": "pictures",
    "train_reverse": "reverse",
    "train_induction": "induction",
    "train_language_model": "agreement",
    "accepted": "agreement",
    "WORDS": "agreement",
    "train_dates": "dates",
}

__all__ = list(MODULES)


def __getattr__(name):
    if name not in MODULES:
        raise AttributeError(f"attn.nn.experiments has {', '.join(MODULES)}, not {name!r}")
    return getattr(import_module(f"attn.nn.experiments.{MODULES[name]}"), name)
