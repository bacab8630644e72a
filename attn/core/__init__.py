"""The reference: attention in NumPy, one module per idea."""

from attn.core.additive import additive_scores
from attn.core.block import encoder_block
from attn.core.blockwise import blockwise_attention
from attn.core.cache import KeyValueCache
from attn.core.convolution import conv_as_attention, conv_attention_weights
from attn.core.dot_product import attention, attention_weights, self_attention
from attn.core.feed_forward import feed_forward, gated_feed_forward
from attn.core.grouped import grouped_attention
from attn.core.linear import linear_attention, linear_attention_recurrent
from attn.core.lookup import soft_lookup
from attn.core.masks import causal_mask, padding_mask, sliding_window_mask
from attn.core.multi_head import merge_heads, multi_head_attention, split_heads
from attn.core.norms import layer_norm, rms_norm
from attn.core.online import online_softmax
from attn.core.pooling import attention_pool
from attn.core.positions import alibi_bias, rotate, sinusoidal_positions
from attn.core.softmax import softmax

__all__ = [
    "KeyValueCache",
    "additive_scores",
    "alibi_bias",
    "attention",
    "attention_pool",
    "attention_weights",
    "blockwise_attention",
    "causal_mask",
    "conv_as_attention",
    "conv_attention_weights",
    "encoder_block",
    "feed_forward",
    "gated_feed_forward",
    "grouped_attention",
    "layer_norm",
    "linear_attention",
    "linear_attention_recurrent",
    "merge_heads",
    "multi_head_attention",
    "online_softmax",
    "padding_mask",
    "rms_norm",
    "rotate",
    "self_attention",
    "sinusoidal_positions",
    "sliding_window_mask",
    "soft_lookup",
    "softmax",
    "split_heads",
]
