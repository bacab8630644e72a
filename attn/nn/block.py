"""The encoder block as a torch module."""

from typing import Self

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attn.nn.multi_head import MultiHeadAttention

_ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


class EncoderBlock(nn.Module):
    """Attention, then a feed-forward network, each added to its input and normed.

    Parameters
    ----------
    d_model : int
    heads : int
    d_ff : int, optional
        Width of the feed-forward layer; 4 * d_model if not given.
    norm : {"pre", "post"}, default "pre"
        Norm before each sublayer, or after each sum.
    activation : {"relu", "gelu"}, default "relu"
    eps : float, default 1e-5
        For both norms.
    bias : bool, default True
        Whether projections, feed-forward and norms add a bias.

    Raises
    ------
    ValueError
        If heads does not divide d_model, or if norm or activation is unknown.

    Examples
    --------
    >>> import torch
    >>> EncoderBlock(8, 2)(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        *,
        d_ff: int | None = None,
        norm: str = "pre",
        activation: str = "relu",
        eps: float = 1e-5,
        bias: bool = True,
    ) -> None:
        super().__init__()
        _check_choice("norm", norm, ("pre", "post"))
        _check_choice("activation", activation, _ACTIVATIONS)
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.norm, self.activation = norm, activation
        self.attention = MultiHeadAttention(d_model, heads, bias=bias)
        self.W_1 = nn.Linear(d_model, d_ff, bias=bias)
        self.W_2 = nn.Linear(d_ff, d_model, bias=bias)
        self.norm_1 = nn.LayerNorm(d_model, eps=eps, bias=bias)
        self.norm_2 = nn.LayerNorm(d_model, eps=eps, bias=bias)

    @classmethod
    def from_torch(cls, source: nn.TransformerEncoderLayer) -> Self:
        """Copy the weights of a torch layer.

        Parameters
        ----------
        source : torch.nn.TransformerEncoderLayer
            Batch first or not; the copy is batch first. Its dropout is not copied, so the two agree
            when the source is in evaluation mode.

        Returns
        -------
        EncoderBlock

        Raises
        ------
        ValueError
            If its activation is neither relu nor the erf form of gelu.
        TypeError
            If the source is another kind of module.
        """
        if not isinstance(source, nn.TransformerEncoderLayer):
            raise TypeError(
                f"source must be a torch.nn.TransformerEncoderLayer, got a {type(source).__name__}"
            )
        d_ff, d_model = source.linear1.weight.shape
        copy = cls(
            d_model,
            source.self_attn.num_heads,
            d_ff=d_ff,
            norm="pre" if source.norm_first else "post",
            activation=_activation_name(source.activation),
            eps=source.norm1.eps,
            bias=source.linear1.bias is not None,
        ).to(source.linear1.weight)
        copy.attention = MultiHeadAttention.from_torch(source.self_attn)
        pairs = (("W_1", "linear1"), ("W_2", "linear2"), ("norm_1", "norm1"), ("norm_2", "norm2"))
        for ours, theirs in pairs:
            getattr(copy, ours).load_state_dict(getattr(source, theirs).state_dict())
        return copy.train(source.training)

    def forward(
        self,
        X: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        bias: Tensor | None = None,
        rotary: bool = False,
    ) -> Tensor:
        """Pass a sequence through the block.

        Parameters
        ----------
        X : (..., n, d_model)
        memory : (..., m, d_model), optional
            What the attention looks at, used as it is; the (normed) sequence if not given.
        mask : (..., n, m) of bool, optional
            True where query i may look at key j.
        bias : (..., h, n, m), optional
            Added to the scaled scores.
        rotary : bool, default False
            Whether to rotate queries and keys by their own index.

        Returns
        -------
        (..., n, d_model)
        """
        if self.norm == "pre":
            X = X + self.attention(self.norm_1(X), memory, mask, bias=bias, rotary=rotary)
            return X + self._feed_forward(self.norm_2(X))
        X = self.norm_1(X + self.attention(X, memory, mask, bias=bias, rotary=rotary))
        return self.norm_2(X + self._feed_forward(X))

    def weights(
        self,
        X: Tensor,
        memory: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        bias: Tensor | None = None,
        rotary: bool = False,
    ) -> Tensor:
        """Return the attention weights, (..., h, n, m); arguments as in `forward`."""
        X = self.norm_1(X) if self.norm == "pre" else X
        return self.attention.weights(X, memory, mask, bias=bias, rotary=rotary)

    def params(self) -> dict[str, np.ndarray]:
        """Return the weights as the mapping that the reference's ``encoder_block`` takes."""
        found = self.attention.params()
        for i in "12":
            linear, norm = getattr(self, f"W_{i}"), getattr(self, f"norm_{i}")
            found[f"W_{i}"] = linear.weight.detach().numpy().T.copy()
            found[f"b_{i}"] = _or_zeros(linear.bias, linear.weight[:, 0])
            found[f"gain_{i}"] = norm.weight.detach().numpy().copy()
            found[f"shift_{i}"] = _or_zeros(norm.bias, norm.weight)
        return found

    def _feed_forward(self, X):
        return self.W_2(_ACTIVATIONS[self.activation](self.W_1(X)))


def _or_zeros(bias, like):
    return (torch.zeros_like(like) if bias is None else bias).detach().numpy().copy()


def _activation_name(activation):
    if activation is F.relu or isinstance(activation, nn.ReLU):
        return "relu"
    if activation is F.gelu or (
        isinstance(activation, nn.GELU) and activation.approximate == "none"
    ):
        return "gelu"
    raise ValueError(f"the activation must be relu or the erf form of gelu, got {activation}")


def _check_choice(name, value, allowed):
    if value not in allowed:
        choices = " or ".join(f'"{a}"' for a in allowed)
        raise ValueError(f"{name} must be {choices}, got {value!r}")
