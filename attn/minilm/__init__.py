"""A real model, all-MiniLM-L6-v2, run by the functions of `attn` alone.

``import attn`` does not load this. The weights are not part of the package: `make book` fetches
them, and `load` says where it looks.
"""

from attn.minilm.encoder import Encoding, encode
from attn.minilm.measures import cosines, entropy, weight_at_offset, weight_on
from attn.minilm.weights import MissingWeights, Weights, find, if_available, load
from attn.minilm.wordpiece import tokenize

__all__ = [
    "Encoding",
    "MissingWeights",
    "Weights",
    "cosines",
    "encode",
    "entropy",
    "find",
    "if_available",
    "load",
    "tokenize",
    "weight_at_offset",
    "weight_on",
]
