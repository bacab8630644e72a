"""Chapter 12: all 72 heads of a real model on eight sentences, or on the reader's own."""

import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import traitlets

from attn import minilm
from attn.minilm.maps import LONGEST, Sentence, describe, norm_weighted, own_sentences, unpack
from attn.minilm.measures import entropy, weight_on
from attn.minilm.weights import HEADS, LAYERS
from attn.widgets.kit import checks
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
SINK = 0.5  # of all attention, on [CLS], makes a head one


@cache
def _bundled():
    """The eight sentences with what `make_data` wrote of them.

    In the menu each has its name in front: a phone shows no more of it than how it starts.
    """
    path = DATA / "tokens.json"
    tokens = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {
        name: Sentence(
            f"{name.replace('-', ', ')}: {SENTENCES[name]}",
            tuple(words),
            (DATA / f"{name}.bin").read_bytes(),
        )
        for name, words in tokens.items()
    }


@cache
def _maps(content, n):
    return unpack(content, n)


class _SentenceName(Choice):
    """The name of one of the figure's sentences."""

    def validate(self, figure, value):
        if value not in figure.sentences:
            known = ", ".join(figure.sentences)
            raise traitlets.TraitError(f"{self.name} must be one of {known}, not {value}")
        return value


class HeadBrowser(Figure):
    """Look into any head of all-MiniLM-L6-v2, on one of eight sentences or on your own (`of`).

    Parameters
    ----------
    sentence : str
        "tired", "wide", "passive-tired", "passive-wide", "near", "noun", "verb" or "cat"; of your
        own, "own-1", "own-2" and so on.
    layer, head : int
        The head that is drawn, from 1: six layers of twelve.
    query : int
        The token whose row is followed, from 1, which is [CLS]; in a shorter sentence, its last.
    view : str
        "map" or "arcs".
    weighted : bool
        Whether each weight is multiplied by the norm of what it hands over, v W_o; rows again sum
        to 1.
    widest : float
        Heads that look wider than so many bits, on average over the queries, are faded; 2 bits are
        as wide as 4 equal weights.
    sinks : str
        "all" heads, those that are "sinks" (over half of all attention on [CLS]), or the "others".

    Examples
    --------
    >>> figure = HeadBrowser(layer=4, head=2)
    >>> best = figure.weights[figure.query - 1].argmax()
    >>> figure.tokens[figure.query - 1], figure.tokens[best]
    ('it', 'animal')
    """

    sentence = _SentenceName(SENTENCES)
    layer = Whole(1, 1, LAYERS)
    head = Whole(3, 1, HEADS)
    query = Whole(10, 1, LONGEST)
    view = Choice({"map": "map", "arcs": "arcs"})
    weighted = traitlets.Bool(False).tag(sync=True)
    widest = Real(4.0, 0, 6, step=0.1)
    sinks = Choice({"all": "any", "sinks": "over half", "others": "half or less"})
    constants: ClassVar = {"layers": LAYERS, "heads": HEADS, "sink": SINK}

    def __init__(self, *, sentences=None, **traits):
        self.sentences = sentences or _bundled()
        super().__init__(**traits)

    @staticmethod
    def bundled(name):
        """The tokens of one of the eight sentences, and all its weights, (6, 12, n, n).

        Examples
        --------
        >>> tokens, A = HeadBrowser.bundled("tired")
        >>> tokens[A[3, 1, tokens.index("it")].argmax()]
        'animal'
        """
        sentence = _bundled()[name]
        return sentence.tokens, _maps(sentence.content, len(sentence.tokens))[0]

    @classmethod
    def of(cls, *texts, weights=None, **traits):
        """Let the model read sentences of your own, and look into its heads.

        Parameters
        ----------
        texts : str
            One or more, each of at most 64 tokens.
        weights : attn.minilm.Weights, optional
            The model; `attn.minilm.load()` if not given.
        traits
            As for the class.

        Returns
        -------
        HeadBrowser

        Raises
        ------
        attn.minilm.MissingWeights
            If the model is not at hand.
        ValueError
            If there is no text, or one has more than 64 tokens.
        """
        if not texts:
            raise ValueError("HeadBrowser.of needs at least one sentence")
        sentences = own_sentences(texts, [minilm.encode(t, weights=weights) for t in texts])
        widest = float(describe(sentences)["widest"])
        first = {"sentence": next(iter(sentences)), "query": 1, "widest": widest}
        return cls(sentences=sentences, **(first | traits))

    @traitlets.default("_files")
    def _read_files(self):
        return {
            f"data/{name}.bin": b64encode(one.content).decode()
            for name, one in self.sentences.items()
        }

    @traitlets.default("_spec")
    def _describe_traits(self):
        spec, own = super()._describe_traits(), describe(self.sentences)
        controls = spec["controls"]
        controls["sentence"] = own["sentence"]
        for name in ("query", "widest"):
            controls[name] |= {"max": own[name]}
        return spec | {"tokens": own["tokens"]}

    @traitlets.validate("query", "widest")
    def _fit_sentences(self, proposal):
        trait = proposal["trait"]
        high = describe(self.sentences)[trait.name]
        return checks.within(trait.name, proposal["value"], trait.low, high)

    @property
    def tokens(self):
        """The sentence as the model reads it."""
        return self.sentences[self.sentence].tokens

    @property
    def attention(self):
        """The weights of every head as they are drawn, (6, 12, n, n)."""
        weights, norms = _maps(self.sentences[self.sentence].content, len(self.tokens))
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
