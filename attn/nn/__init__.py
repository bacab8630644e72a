"""The same attention in torch, to train: equal to the NumPy reference by test."""

from attn.nn.block import EncoderBlock
from attn.nn.multi_head import MultiHeadAttention
from attn.nn.tiny import TinyTransformer

__all__ = ["EncoderBlock", "MultiHeadAttention", "TinyTransformer"]
