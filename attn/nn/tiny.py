"""A transformer small enough to train while you watch."""

from typing import Any

import torch
from torch import Tensor, nn

from attn.nn.block import EncoderBlock
from attn.nn.dot_product import causal_mask, check_mask
from attn.nn.positions import alibi_bias, sinusoidal_positions

POSITIONS = ("learned", "sinusoidal", "rotary", "alibi", "none")


class TinyTransformer(nn.Module):
    """Token embeddings, a few pre-norm encoder blocks, and one score per word of the vocabulary.

    Parameters
    ----------
    vocab : int
        Number of distinct tokens.
    n_max : int
        Longest sequence.
    d_model : int, default 48
    heads : int, default 1
    layers : int, default 1
    positions : {"learned", "sinusoidal", "rotary", "alibi", "none"}, default "learned"
        How a token's place enters.
    causal : bool, default False
        Whether each token sees only itself and those before it.

    Raises
    ------
    ValueError
        If positions is unknown, if heads does not divide d_model, or if sinusoidal or rotary
        positions meet an odd size.

    Examples
    --------
    >>> import torch
    >>> TinyTransformer(10, 12)(torch.zeros(2, 5, dtype=torch.long)).shape
    torch.Size([2, 5, 10])
    """

    def __init__(
        self,
        vocab: int,
        n_max: int,
        *,
        d_model: int = 48,
        heads: int = 1,
        layers: int = 1,
        positions: str = "learned",
        causal: bool = False,
    ) -> None:
        super().__init__()
        if positions not in POSITIONS:
            choices = ", ".join(f'"{p}"' for p in POSITIONS)
            raise ValueError(f"positions must be one of {choices}: got {positions!r}")
        self.n_max, self.heads, self.positions, self.causal = n_max, heads, positions, causal
        self.tokens = nn.Embedding(vocab, d_model)
        if positions == "learned":
            self.places = nn.Embedding(n_max, d_model)
        if positions == "sinusoidal":
            table = sinusoidal_positions(n_max, d_model)
            self.register_buffer("places", table, persistent=False)
        self.blocks: Any = nn.ModuleList(EncoderBlock(d_model, heads) for _ in range(layers))
        if positions == "rotary" and (d_model // heads) % 2:
            raise ValueError(
                f"rotary positions need an even d_model / heads: got {d_model} / {heads}"
            )
        self.norm = nn.LayerNorm(d_model)
        self.readout = nn.Linear(d_model, vocab)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """Score every word of the vocabulary at each place.

        Parameters
        ----------
        tokens : (b, n) of int
            n at most n_max.
        mask : (..., n, n) of bool, optional
            True where query i may look at key j; combined with the causal mask if there is one.

        Returns
        -------
        (b, n, vocab)
            Logits.

        Raises
        ------
        ValueError
            If n > n_max, or if a query may look at nothing.
        """
        X, options = self._embed(tokens, mask)
        for block in self.blocks:
            X = block(X, **options)
        return self.readout(self.norm(X))

    def weights(self, tokens: Tensor, mask: Tensor | None = None) -> list[Tensor]:
        """Return the attention weights of each layer, a list of (b, h, n, n)."""
        X, options = self._embed(tokens, mask)
        found = []
        for block in self.blocks:
            found.append(block.weights(X, **options))
            X = block(X, **options)
        return found

    def _embed(self, tokens, mask):
        """Return the embedded tokens, and what each block is told about places and masks."""
        if tokens.is_floating_point() or tokens.dtype == torch.bool:
            raise TypeError(f"tokens must be integers, got dtype {tokens.dtype}")
        n = tokens.shape[-1]
        if n > self.n_max:
            raise ValueError(f"a sequence may have at most n_max={self.n_max} tokens, got {n}")
        X = self.tokens(tokens)
        if self.positions == "learned":
            X = X + self.places.weight[:n]
        if self.positions == "sinusoidal":
            X = X + self.places[:n].to(X.dtype)
        bias = alibi_bias(n, self.heads).to(X) if self.positions == "alibi" else None
        options = {"mask": self._mask(mask, n, X.device), "bias": bias}
        return X, {**options, "rotary": self.positions == "rotary"}

    def _mask(self, mask, n, device):
        if not self.causal:
            return mask
        past = causal_mask(n, n, device)
        if mask is None:
            return past
        check_mask(mask, n, n)
        return mask & past
