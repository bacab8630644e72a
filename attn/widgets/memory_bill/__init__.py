"""Chapter 13: how many bytes attention holds, part by part, at n tokens."""

from typing import ClassVar

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Power

BLOCK = 128  # rows at a time, as in blockwise_attention
NUMBERS = {"4": "4 bytes", "2": "2 bytes", "1": "1 byte"}
SHARING = {
    "1": "1 per head",
    "2": "1 per 2 heads",
    "4": "1 per 4 heads",
    "8": "1 per 8 heads",
    "all": "1 for all",
}


class MemoryBill(Figure):
    """Choose the sizes of a model, and see what its attention must hold.

    Parameters
    ----------
    n, d, heads, layers : int
        Powers of two: n from 64 to 131072, d from 256 to 16384, heads from 8 to 128, layers from
        1 to 128.
    number : {"4", "2", "1"}
        Bytes for one number.
    share : {"1", "2", "4", "8", "all"}
        How many query heads share one head of keys and values.

    Examples
    --------
    >>> MemoryBill(n=8192, heads=8).bytes["table of weights"]
    2147483648
    """

    n = Power(2048, 64, 131072)
    d = Power(512, 256, 16384)
    heads = Power(8, 8, 128)
    layers = Power(8, 1, 128)
    number = Choice(NUMBERS)
    share = Choice(SHARING)
    constants: ClassVar = {"block": BLOCK}

    @property
    def _shared_by(self):
        return self.heads if self.share == "all" else int(self.share)

    @property
    def bytes(self):
        """Bytes of each part: the first three of one layer, the others of all layers."""
        n, d, each = self.n, self.d, int(self.number)
        grouped = d // self._shared_by  # numbers in a word's keys, or in its values
        parts = {
            "Q, K, V and Y": n * (2 * d + 2 * grouped),
            "table of weights": self.heads * n * n,
            "rows at a time": min(BLOCK, n) * n,
            "key–value cache": self.layers * n * 2 * grouped,
            "projections": self.layers * d * (2 * d + 2 * grouped),
        }
        return {name: each * count for name, count in parts.items()}

    @property
    def crossing(self):
        """The n at which the table of weights holds as much as Q, K, V and Y."""
        return (2 * self.d + 2 * self.d / self._shared_by) / self.heads
