"""Chapter 3: one word in two sentences leaves with two vectors; who asks is a switch."""

import numpy as np
import traitlets

from attn.core import attention_weights
from attn.widgets import checks
from attn.widgets.figure import Figure

KINDS = ("self", "cross", "pooling")


class TwoContexts(Figure):
    """Put the same word into two sentences, and ask them in three ways.

    Parameters
    ----------
    word : str
        The word both sentences share, each exactly once.
    sentences : two lists of words
    vectors : mapping of every other word to (2,)
    word_angle : float
        Direction of the shared word's vector in degrees, 0 to 90; its length is √2.
    beta : float
        What multiplies the scores on top of 1/√d_k, 0 to 4.
    kind : {"self", "cross", "pooling"}
        Who asks: the sentence's own words, the words of `askers`, or one learned query.
    askers, asker_vectors : n names and (n, 2)
        The queries of cross-attention, in the order of their rows.
    query_angle : float
        Direction of the learned query of pooling in degrees, -180 to 180.

    Examples
    --------
    >>> [y.round(2).tolist() for y in TwoContexts().outputs]
    [[1.34, 0.45], [0.34, 1.38]]
    """

    word = traitlets.Unicode("monitor").tag(sync=True)
    sentences = traitlets.List(
        [["the", "monitor", "flickers"], ["nurses", "monitor", "the", "patients"]]
    ).tag(sync=True)
    vectors = traitlets.Dict(
        {
            "the": [0.0, 0.0],
            "flickers": [2.0, 0.0],
            "nurses": [0.0, 2.0],
            "patients": [0.0, 1.5],
        }
    ).tag(sync=True)
    askers = traitlets.List(["which thing?", "which act?"]).tag(sync=True)
    asker_vectors = traitlets.List([[1.5, -0.5], [-0.5, 1.5]]).tag(sync=True)
    word_angle = traitlets.Float(45.0).tag(sync=True)
    query_angle = traitlets.Float(90.0).tag(sync=True)
    beta = traitlets.Float(1.0).tag(sync=True)
    kind = traitlets.Enum(list(KINDS), "self").tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        self._check_words()

    def embed(self, name):
        """The vector with which a word enters, shape (2,), the same in every sentence."""
        if name == self.word:
            return np.sqrt(2) * _direction(self.word_angle)
        return np.array(self.vectors[name])

    def queries(self, sentence):
        """Who asks this sentence, shape (n, 2)."""
        if self.kind == "self":
            return np.stack([self.embed(name) for name in sentence])
        if self.kind == "cross":
            return np.array(self.asker_vectors)
        return np.sqrt(2) * _direction(self.query_angle)[None]

    @property
    def weights(self):
        """One matrix (n, m) for each sentence."""
        return [
            attention_weights(self.queries(s), self._embeddings(s), scale=self.beta / np.sqrt(2))
            for s in self.sentences
        ]

    @property
    def outputs(self):
        """What leaves each sentence, (2,): the shared word's row, or the first query's."""
        pairs = zip(self.sentences, self.weights, strict=True)
        rows = [(A[s.index(self.word) if self.kind == "self" else 0], s) for s, A in pairs]
        return [a @ self._embeddings(s) for a, s in rows]

    def _embeddings(self, sentence):
        return np.stack([self.embed(name) for name in sentence])

    @traitlets.validate("word_angle")
    def _quarter_turn(self, proposal):
        return checks.within("word_angle (degrees)", proposal["value"], 0, 90)

    @traitlets.validate("query_angle")
    def _half_turn(self, proposal):
        return checks.within("query_angle (degrees)", proposal["value"], -180, 180)

    @traitlets.validate("beta")
    def _sharpness(self, proposal):
        return checks.within("beta", proposal["value"], 0, 4)

    @traitlets.validate("vectors")
    def _in_the_plane(self, proposal):
        vectors = proposal["value"].items()
        return {word: checks.table(f"vectors[{word!r}]", [v], 2)[0] for word, v in vectors}

    @traitlets.validate("asker_vectors")
    def _rows_in_the_plane(self, proposal):
        return checks.table("asker_vectors", proposal["value"], 2)

    def _check_words(self):
        counts = [s.count(self.word) for s in self.sentences]
        if counts != [1, 1]:
            raise traitlets.TraitError(
                f"there are two sentences, each with {self.word!r} exactly once: counts {counts}"
            )
        unknown = sorted({w for s in self.sentences for w in s} - {self.word, *self.vectors})
        if unknown or len(self.askers) != len(self.asker_vectors):
            raise traitlets.TraitError(
                f"each word and each asker needs one vector: none for {unknown}, "
                f"{len(self.askers)} askers, {len(self.asker_vectors)} asker_vectors"
            )


def _direction(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
