"""Chapter 2: words as vectors in the plane, each asking all the others."""

import numpy as np
import traitlets

from attn.core import self_attention, softmax
from attn.widgets import checks
from attn.widgets.figure import Figure

SENTENCES = ["the cat walks on the street", "the cat walks on the grass", "a b c"]
EMBEDDING = {
    "the": [-0.7, -0.6],
    "cat": [1.2, 1.1],
    "walks": [1.1, 0.2],
    "on": [-0.2, -1.1],
    "street": [0.6, -1.2],
    "grass": [-1.1, 0.9],
    "a": [1.0, 0.0],
    "b": [0.0, 2.0],
    "c": [1.0, 1.0],
}


class TokenPlane(Figure):
    """Drag words in the plane; scores, weights and outputs of raw self-attention follow.

    Parameters
    ----------
    sentences : list of str
        The choices, words separated by spaces.
    sentence : str
        The one shown; the first if not given.
    embedding : mapping of word to (2,)
        One vector for each word, however often it occurs.
    order : list of n positions
        The order in which the tokens of the sentence stand; as written if not given.
    query : int
        Which token of the written sentence asks, from 0.
    courses : mapping of task to {"asks", "words", "steps" (t,), "vectors" (t, words, 2)}
        Trainings to scrub through, none if not given; "asks" is the task in words.
    task : str
        The course shown.
    moment : int
        Which of its t moments, from 0.
    tab : {0, 1, 2}
        Which table is open: weights, scores, outputs.

    Examples
    --------
    >>> TokenPlane(sentence="a b c").outputs.round(3)
    array([[0.845, 0.733],
           [0.133, 1.851],
           [0.578, 1.267]])
    """

    sentences = traitlets.List(SENTENCES).tag(sync=True)
    sentence = traitlets.Unicode(SENTENCES[0]).tag(sync=True)
    embedding = traitlets.Dict(EMBEDDING).tag(sync=True)
    order = traitlets.List(list(range(6))).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    courses = traitlets.Dict({}).tag(sync=True)
    task = traitlets.Unicode("").tag(sync=True)
    moment = traitlets.Int(0).tag(sync=True)
    tab = traitlets.Int(0).tag(sync=True)

    def __init__(self, **traits):
        """Show the first sentence and the first course unless told otherwise."""
        courses = traits.get("courses")
        if courses:
            traits.setdefault("task", next(iter(courses)))
            at = _words_at(courses, traits["task"], traits.get("moment", 0))
            traits["embedding"] = {**traits.get("embedding", {}), **at}
        if traits.get("sentences"):
            traits.setdefault("sentence", traits["sentences"][0])
        written = traits.get("sentence", SENTENCES[0]).split()
        traits.setdefault("order", list(range(len(written))))
        super().__init__(**traits)
        self._check_words(self.embedding)

    @property
    def words(self):
        """The tokens in the order in which they stand."""
        written = self.sentence.split()
        return [written[i] for i in self.order]

    @property
    def X(self):
        """One vector for each token, shape (n, 2)."""
        return np.array([self.embedding[word] for word in self.words])

    @property
    def weights(self):
        """softmax(X Xᵀ), shape (n, n)."""
        return softmax(self.X @ self.X.T)

    @property
    def outputs(self):
        """softmax(X Xᵀ) X, shape (n, 2)."""
        return self_attention(self.X)

    @traitlets.observe("sentence")
    def _as_written(self, change):
        n = len(change["new"].split())
        if sorted(self.order) != list(range(n)):
            self.order = list(range(n))
        self.query = min(self.query, n - 1)

    @traitlets.validate("sentences")
    def _some_words(self, proposal):
        if not proposal["value"] or not all(str(s).split() for s in proposal["value"]):
            raise traitlets.TraitError(f"sentences must hold words: {proposal['value']!r}")
        return proposal["value"]

    @traitlets.validate("sentence")
    def _one_of_the_choices(self, proposal):
        if proposal["value"] not in self.sentences:
            raise traitlets.TraitError(
                f"sentence must be one of {self.sentences}, not {proposal['value']!r}"
            )
        return proposal["value"]

    @traitlets.validate("embedding")
    def _a_vector_for_each_word(self, proposal):
        table = proposal["value"]
        self._check_words(table)
        vectors = checks.table("embedding", list(table.values()), 2)
        return dict(zip(table, vectors, strict=True))

    def _check_words(self, table):
        needed = dict.fromkeys(word for text in self.sentences for word in text.split())
        missing = [word for word in needed if word not in table]
        if missing:
            raise traitlets.TraitError(f"embedding has no vector for {', '.join(missing)}")

    @traitlets.validate("order")
    def _a_permutation(self, proposal):
        n = len(self.sentence.split())
        if sorted(proposal["value"]) != list(range(n)):
            raise traitlets.TraitError(
                f"order must hold each of 0 to {n - 1} once, not {proposal['value']}"
            )
        return proposal["value"]

    @traitlets.validate("query")
    def _a_token(self, proposal):
        return checks.within("query", proposal["value"], 0, len(self.sentence.split()) - 1)

    @traitlets.validate("tab")
    def _a_table(self, proposal):
        return checks.within("tab", proposal["value"], 0, 2)

    @traitlets.validate("task")
    def _a_course(self, proposal):
        if self.courses or proposal["value"]:
            _words_at(self.courses, proposal["value"], self.moment)
        return proposal["value"]

    @traitlets.validate("moment")
    def _a_moment(self, proposal):
        if self.courses:
            _words_at(self.courses, self.task, proposal["value"])
            return proposal["value"]
        return checks.within("moment (without courses)", proposal["value"], 0, 0)

    @traitlets.observe("task", "moment")
    def _at_that_moment(self, change):
        if self.courses:
            now = _words_at(self.courses, self.task, self.moment)
            self.embedding = {**self.embedding, **now}


def _words_at(courses, task, moment):
    """The embedding of a course's words at one of its moments."""
    if task not in courses:
        raise traitlets.TraitError(f"task must be one of {list(courses)}, not {task!r}")
    course = courses[task]
    checks.within("moment", moment, 0, len(course["steps"]) - 1)
    return dict(zip(course["words"], course["vectors"][moment], strict=True))
