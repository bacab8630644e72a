"""Chapter 12: all 72 heads of a real model on eight sentences."""

import json
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import traitlets

from attn.minilm.measures import entropy, weight_on
from attn.widgets.head_browser.maps import HEADS, LAYERS, norm_weighted, unpack
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Real, Whole

DATA = Path(__file__).parent / "data"
SENTENCES = {
    "tired": "The animal did not cross the street because it was too tired.",
    "wide": "The animal did not cross the street because it was too wide.",
    "passive-tired": "The street was not crossed by the animal because it was too tired.",
    "passive-wide": "The street was not crossed by the animal because it was too wide.",
    "near": "Near the street, the animal stopped because it was too tired.",
    "noun": "the monitor flickers tonight",
    "verb": "nurses monitor the patients",
    "cat": "the cat walks on the street",
}
LONGEST = 16
SINK = 0.5  # of all attention, on [CLS], makes a head one


def _tokens():
    path = DATA / "tokens.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@cache
def _maps(sentence, n):
    return unpack((DATA / f"{sentence}.bin").read_bytes(), n)


class HeadBrowser(Figure):
    """Look into any head of all-MiniLM-L6-v2, on one of eight sentences.

    Parameters
    ----------
    sentence : str
        "tired", "wide", "passive-tired", "passive-wide", "near", "noun", "verb" or "cat".
    layer, head : int
        The head that is drawn, from 1: six layers of twelve.
    query : int
        The token whose row is followed, from 1, which is [CLS]; in a shorter sentence, its last.
    view : str
        "map" or "arcs".
    weighted : bool
        Whether each weight is multiplied by the norm of what it weighs; rows again sum to 1.
    widest : float
        Heads that look wider than so many bits, on average over the queries, are set back.
    sinks : str
        "all" heads, those that are "sinks" (over half of all attention on [CLS]), or the "others".

    Examples
    --------
    >>> figure = HeadBrowser(layer=4, head=2)
    >>> best = figure.weights[figure.query - 1].argmax()
    >>> figure.tokens[figure.query - 1], figure.tokens[best]
    ('it', 'animal')
    """

    sentence = Choice(SENTENCES)
    layer = Whole(1, 1, LAYERS)
    head = Whole(3, 1, HEADS)
    query = Whole(10, 1, LONGEST)
    view = Choice({"map": "map", "arcs": "arcs"})
    weighted = traitlets.Bool(False).tag(sync=True)
    widest = Real(4.0, 0, 4, step=0.1)
    sinks = Choice({"all": "all heads", "sinks": "sinks only", "others": "all but sinks"})
    constants: ClassVar = {
        "tokens": _tokens(),
        "layers": LAYERS,
        "heads": HEADS,
        "sink": SINK,
    }

    @property
    def tokens(self):
        """The sentence as the model reads it."""
        return tuple(self.constants["tokens"][self.sentence])

    @property
    def attention(self):
        """The weights of every head as they are drawn, (6, 12, n, n)."""
        weights, norms = _maps(self.sentence, len(self.tokens))
        return norm_weighted(weights, norms) if self.weighted else weights

    @property
    def weights(self):
        """The weights of the head that is drawn, (n, n)."""
        return self.attention[self.layer - 1, self.head - 1]

    @property
    def on_cls(self):
        """How much each head gives to [CLS], on average over the queries, (6, 12)."""
        return weight_on(self.attention, 0)

    @property
    def bits(self):
        """How widely each head looks, on average over the queries, (6, 12)."""
        return entropy(self.attention)

    @property
    def chosen(self):
        """Which heads the filters leave in front, (6, 12)."""
        sinks = self.on_cls > SINK
        kinds = {"all": np.ones_like(sinks), "sinks": sinks, "others": ~sinks}
        return kinds[self.sinks] & (self.bits <= self.widest)
