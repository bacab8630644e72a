"""Pictures next to each other, to be compared; one below the other where there is no room."""

from collections.abc import Mapping
from html import escape

from attn.plot.picture import Picture


class SideBySide:
    """What ``side_by_side`` returns: a notebook or a page displays it."""

    def __init__(self, pictures: Mapping[str, Picture]) -> None:
        self.pictures = pictures

    def _repr_html_(self):
        row = "display: flex; flex-wrap: wrap; gap: 0 1.5rem"
        columns = "".join(
            f'<div style="flex: 1 1 17rem; min-width: 0"><p><strong>{escape(name)}</strong></p>'
            f"{picture._repr_html_()}</div>"
            for name, picture in self.pictures.items()
        )
        return f'<div class="attn-side-by-side" style="{row}">{columns}</div>'


def side_by_side(pictures: Mapping[str, Picture]) -> SideBySide:
    """Show pictures side by side, each below its name.

    Parameters
    ----------
    pictures : mapping of name to Picture, two or more

    >>> from attn.plot import heatmap
    >>> one, half = (heatmap([[A]], "q", "k", alt="one weight") for A in (1.0, 0.5))
    >>> side_by_side({"one": one, "half": half}).pictures.keys()
    dict_keys(['one', 'half'])
    """
    if len(pictures) < 2:
        raise ValueError(f"pictures to compare are two or more, got {len(pictures)}")
    return SideBySide(dict(pictures))
