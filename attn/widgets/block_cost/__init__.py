"""Chapter 10: what a block learns and what it computes, part by part."""

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Power, Whole


class BlockCost(Figure):
    """Choose the sizes of a stack of blocks, and see where its parameters and its work are.

    Matrices only: biases and norms are a small part of both.

    Parameters
    ----------
    d : int
        Size of a token, a power of two from 64 to 16384.
    ratio : int
        How many times as wide the hidden layer of the feed-forward is, 1 to 8.
    n : int
        Tokens, a power of two from 16 to 131072.
    layers : int
        Blocks, 1 to 96.

    Examples
    --------
    >>> BlockCost().parameters
    {'projections': 1048576, 'scores and blend': 0, 'feed-forward': 2097152}
    """

    d = Power(512, 64, 16384)
    ratio = Whole(4, 1, 8)
    n = Power(512, 16, 131072)
    layers = Whole(6, 1, 96)

    @property
    def parameters(self):
        """Entries of the matrices of one block, by part."""
        d = self.d
        return {
            "projections": 4 * d * d,
            "scores and blend": 0,
            "feed-forward": 2 * self.ratio * d * d,
        }

    @property
    def work(self):
        """Multiply-adds of one block for n tokens, by part."""
        counts = {part: self.n * count for part, count in self.parameters.items()}
        return counts | {"scores and blend": 2 * self.n**2 * self.d}

    @property
    def even(self):
        """The n at which scores and blend take half of the work."""
        return (2 + self.ratio) * self.d
