"""Attention, written to be read.

``import attn`` needs NumPy only. torch modules are in ``attn.nn``, live figures in
``attn.widgets``, matplotlib figures in ``attn.plot``, and checks for the exercises in
``attn.exercises``.
"""

from attn.core import (
    KeyValueCache,
    additive_scores,
    alibi_bias,
    attention,
    attention_pool,
    attention_weights,
    blockwise_attention,
    causal_mask,
    conv_as_attention,
    conv_attention_weights,
    encoder_block,
    feed_forward,
    layer_norm,
    linear_attention,
    linear_attention_recurrent,
    merge_heads,
    multi_head_attention,
    online_softmax,
    padding_mask,
    rotate,
    self_attention,
    sinusoidal_positions,
    sliding_window_mask,
    soft_lookup,
    softmax,
    split_heads,
)

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
    "layer_norm",
    "linear_attention",
    "linear_attention_recurrent",
    "merge_heads",
    "multi_head_attention",
    "online_softmax",
    "padding_mask",
    "rotate",
    "self_attention",
    "sinusoidal_positions",
    "sliding_window_mask",
    "soft_lookup",
    "softmax",
    "split_heads",
]
__version__ = "0.1.0"
