"""A real language model, SmolLM2-135M-Instruct, run by the functions of `attn` alone.

``import attn`` does not load this. The weights are not part of the package: `make book` fetches
them, and `find` says where they are looked for.
"""

from attn.pretrained.files import MissingWeights
from attn.smollm.decoder import Cache, Reading, read
from attn.smollm.sampling import choose, probabilities
from attn.smollm.weights import Model, find, if_available, load
from attn.smollm.writing import (
    attention,
    chat,
    conversation,
    decode,
    next_token,
    tokenize,
    write,
)

__all__ = [
    "Cache",
    "MissingWeights",
    "Model",
    "Reading",
    "attention",
    "chat",
    "choose",
    "conversation",
    "decode",
    "find",
    "if_available",
    "load",
    "next_token",
    "probabilities",
    "read",
    "tokenize",
    "write",
]
