"""Multi-head attention as a torch module."""

from typing import Self

import numpy as np
from torch import Tensor, nn

from attn.nn.dot_product import attention_weights, blend, check_mask, hidden_keys
from attn.nn.positions import rotate


class MultiHeadAttention(nn.Module):
    """Multi-head attention with learned projections, batch first.

    Parameters
    ----------
    d_model : int
    heads : int
        It must divide d_model; each head has d_model / heads entries.
    bias : bool, default True
        Whether the projections add a bias.

    Raises
    ------
    ValueError
        If heads does not divide d_model.

    Examples
    --------
    >>> import torch
    >>> MultiHeadAttention(8, 2)(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    rotary_speeds = None  # how far rotary=True turns each pair a position; None: by base 10000

    def __init__(self, d_model: int, heads: int, *, bias: bool = True) -> None:
        super().__init__()
        if heads < 1 or d_model % heads:
            raise ValueError(f"heads must divide d_model: {heads} heads, d_model is {d_model}")
        self.d_model, self.heads = d_model, heads
        self.W_q = nn.Linear(d_model, d_model, bias=bias)
        self.W_k = nn.Linear(d_model, d_model, bias=bias)
        self.W_v = nn.Linear(d_model, d_model, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)

    @classmethod
    def from_torch(cls, source: nn.MultiheadAttention) -> Self:
        """Copy the weights of a torch module.

        Parameters
        ----------
        source : torch.nn.MultiheadAttention
            Batch first or not; the copy is batch first. Its dropout is not copied.

        Returns
        -------
        MultiHeadAttention

        Raises
        ------
        ValueError
            If the source has kdim or vdim of its own, add_bias_kv or add_zero_attn.
        TypeError
            If the source is another kind of module.
        """
        if not isinstance(source, nn.MultiheadAttention):
            raise TypeError(
                f"source must be a torch.nn.MultiheadAttention, got a {type(source).__name__}"
            )
        if source.in_proj_weight is None:
            raise ValueError(
                f"kdim and vdim must equal embed_dim={source.embed_dim}: "
                f"kdim is {source.kdim}, vdim is {source.vdim}"
            )
        if source.bias_k is not None or source.add_zero_attn:
            raise ValueError("add_bias_kv and add_zero_attn must be off: they add extra keys")
        copy = cls(source.embed_dim, source.num_heads, bias=source.in_proj_bias is not None)
        copy.to(source.in_proj_weight)
        state = source.out_proj.state_dict(prefix="W_o.")
        for kind in ("weight", "bias"):
            packed = getattr(source, f"in_proj_{kind}")
            if packed is not None:
                names = [f"W_{role}.{kind}" for role in "qkv"]
                state.update(zip(names, packed.detach().chunk(3), strict=True))
        copy.load_state_dict(state)
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
        """Let each token of X look at the memory.

        Parameters
        ----------
        X : (..., n, d_model)
        memory : (..., m, d_model), optional
            X itself if not given.
        mask : (..., n, m) of bool, optional
            True where query i may look at key j. What is hidden takes no part in the answer,
            whatever it holds: a token that no query sees may be NaN or infinite.
        bias : (..., h, n, m), optional
            Numbers added to the scaled scores; -inf hides a key as a mask does.
        rotary : bool, default False
            Whether to rotate queries and keys by their own index.

        Returns
        -------
        (..., n, d_model)
        """
        A, hidden = self._weights_and_hidden(X, memory, mask, bias, rotary)
        V = self._split(self.W_v(X if memory is None else memory))
        return self.W_o(blend(A, V, hidden).transpose(-2, -3).flatten(-2))

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
        return self._weights_and_hidden(X, memory, mask, bias, rotary)[0]

    def _weights_and_hidden(self, X, memory, mask, bias, rotary):
        """Return the weights, and where keys are hidden (None if nowhere)."""
        memory = X if memory is None else memory
        for name, tokens in (("X", X), ("memory", memory)):
            if tokens.ndim < 2 or tokens.shape[-1] != self.d_model:
                raise ValueError(
                    f"{name} must be (..., n, {self.d_model}): {name} is {tuple(tokens.shape)}"
                )
        if mask is not None:
            check_mask(mask, X.shape[-2], memory.shape[-2])
            mask = mask.unsqueeze(-3)
        Q, K = self._split(self.W_q(X)), self._split(self.W_k(memory))
        if rotary:
            Q, K = (rotate(part, speeds=self.rotary_speeds) for part in (Q, K))
        hidden = hidden_keys(mask, bias)
        return attention_weights(Q, K, hidden=hidden, bias=bias), hidden

    def params(self) -> dict[str, np.ndarray]:
        """Return the weights as NumPy arrays named and shaped as in the reference, (in, out)."""
        found = {}
        for role in "qkvo":
            linear = getattr(self, f"W_{role}")
            found[f"W_{role}"] = linear.weight.detach().numpy().T.copy()
            if linear.bias is not None:
                found[f"b_{role}"] = linear.bias.detach().numpy().copy()
        return found

    def _split(self, X):
        return X.unflatten(-1, (self.heads, -1)).transpose(-2, -3)
