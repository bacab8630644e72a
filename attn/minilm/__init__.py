"""A real model, all-MiniLM-L6-v2, run by the functions of `attn` alone.

``import attn`` does not load this. The weights are not part of the package: `make book` fetches
them, and `find` says where they are looked for.
"""

from attn.minilm.encoder import Encoding, encode
from attn.minilm.measures import cosines, entropy, weight_at_offset, weight_on
from attn.minilm.weights import Weights, find, if_available, load
from attn.minilm.wordpiece import tokenize
from attn.pretrained.files import MissingWeights

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
