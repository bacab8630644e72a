"""Chapter 3: one word in two sentences leaves with two vectors; who asks is a switch."""

from typing import ClassVar

import numpy as np
import traitlets

from attn.core import attention_weights
from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Real, Vectors

KINDS = {
    "self": "self: its own words",
    "cross": "cross: another text",
    "pooling": "pooling: one query",
}
NORM = float(np.sqrt(2))  # of the shared word, and of the learned query


class TwoContexts(Figure):
    """Put the same word into two sentences, and ask them in three ways.

    Parameters
    ----------
    word : str
        The word both sentences share, each exactly once.
    sentences : two lists of words
    vectors : mapping of every other word to (2,)
    word_angle : float
        Direction of the shared word's vector in degrees, 0 to 90; its norm is √2.
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
    [[2.02, 0.33], [0.33, 2.02]]
    """

    word = traitlets.Unicode("monitor").tag(sync=True)
    sentences = traitlets.List(
        [["the", "monitor", "flickers", "tonight"], ["nurses", "monitor", "the", "patients"]]
    ).tag(sync=True)
    vectors = traitlets.Dict(
        {
            "the": [0.0, 0.0],
            "flickers": [3.0, 0.0],
            "tonight": [-2.0, 1.0],
            "nurses": [0.0, 3.0],
            "patients": [1.0, -2.0],
        }
    ).tag(sync=True)
    askers = traitlets.List(["thing?", "act?"]).tag(sync=True)
    asker_vectors = Vectors([[1.5, -0.5], [-0.5, 1.5]])
    word_angle = Real(45.0, 0, 90, unit="degrees")
    query_angle = Real(15.0, -180, 180, unit="degrees")
    beta = Real(1.0, 0, 4, step=0.1)
    kind = Choice(KINDS)
    constants: ClassVar = {"norm": NORM}

    def embed(self, name):
        """The vector with which a word enters, shape (2,), the same in every sentence."""
        if name == self.word:
            return NORM * _direction(self.word_angle)
        return np.array(self.vectors[name])

    def queries(self, sentence):
        """Who asks this sentence, shape (n, 2)."""
        if self.kind == "self":
            return np.stack([self.embed(name) for name in sentence])
        if self.kind == "cross":
            return np.array(self.asker_vectors)
        return NORM * _direction(self.query_angle)[None]

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

    @traitlets.validate("word", "sentences", "vectors", "askers", "asker_vectors")
    def _a_vector_for_each(self, proposal):
        new = self._as_proposed(proposal, "word", "sentences", "vectors", "askers", "asker_vectors")
        for name, vector in new["vectors"].items():
            checks.table(f"vectors[{name!r}]", [vector], 2)
        checks.one_each(
            "each asker needs one vector",
            askers=new["askers"],
            asker_vectors=new["asker_vectors"],
        )
        _check_sentences(new["word"], new["sentences"], new["vectors"])
        return proposal["value"]


def _check_sentences(word, sentences, vectors):
    counts = [sentence.count(word) for sentence in sentences]
    if counts != [1, 1]:
        raise traitlets.TraitError(
            f"there are two sentences, each with {word!r} exactly once: counts {counts}"
        )
    unknown = sorted({name for sentence in sentences for name in sentence} - {word, *vectors})
    if unknown:
        raise traitlets.TraitError(f"each word needs one vector: none for {unknown}")


def _direction(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
