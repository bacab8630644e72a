"""Chapter 2: words as vectors, two entries of each in the plane, each asking all the others."""

import numpy as np
import traitlets

from attn import sentence as world
from attn.core import self_attention, softmax
from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Place

SENTENCES = [" ".join(world.WORDS), " ".join(world.WORDS).replace("cat", "robot")]
# The layer's own words, and a robot: a noun that moves and does not live.
EMBEDDING = dict(zip(world.WORDS, world.X.tolist(), strict=True)) | {
    "robot": [float(entry in ("noun", "moves")) for entry in world.ENTRIES]
}
AXES = [world.ENTRIES.index(entry) for entry in ("moves", "living")]


class TokenPlane(Figure):
    """Drag words in the plane; scores, weights and outputs of raw self-attention follow.

    Parameters
    ----------
    sentences : list of str
        The choices, words separated by spaces.
    sentence : str
        The one shown; the first if not given.
    embedding : mapping of word to (d,)
        One vector for each word, however often it occurs. It goes before that of a course.
    entries : list of d names
        What the entries of a vector are called; none if they have no names.
    axes : two positions
        Which entries the plane shows, to the right and upwards. All d count in a score.
    order : list of n positions
        The order in which the tokens of the sentence stand; empty as they are written.
    query : int
        Which token of the written sentence asks, from 0.
    courses : mapping of task to {"asks", "words", "steps" (t,), "vectors" (t, words, 2)}
        Trainings to scrub through, none if not given; "asks" is the task in words. With "tag",
        {"w" (2,), "at", "no", "yes"}, the output of token "at" answers it: yes if w · y > 0.
    task : str
        The course shown.
    moment : int
        Which of its t moments, from 0.
    tab : {0, 1, 2}
        Which table is open: weights, scores, outputs.

    Examples
    --------
    >>> TokenPlane().weights[2].round(2)
    array([0.07, 0.19, 0.52, 0.07, 0.07, 0.07])
    >>> own = {"mi": [1.0, 0.0], "fa": [0.0, 2.0], "sol": [1.0, 1.0]}
    >>> TokenPlane(sentences=["mi fa sol"], embedding=own).outputs.round(3)
    array([[0.845, 0.733],
           [0.133, 1.851],
           [0.578, 1.267]])
    """

    sentences = traitlets.List(SENTENCES).tag(sync=True)
    sentence = traitlets.Unicode(SENTENCES[0]).tag(sync=True)
    embedding = traitlets.Dict(EMBEDDING).tag(sync=True)
    entries = traitlets.List(traitlets.Unicode(), list(world.ENTRIES)).tag(sync=True)
    axes = traitlets.List(traitlets.Int(), AXES, minlen=2, maxlen=2).tag(sync=True)
    order = traitlets.List([]).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    courses = traitlets.Dict({}).tag(sync=True)
    task = traitlets.Unicode("").tag(sync=True)
    moment = traitlets.Int(0).tag(sync=True)
    tab = Place(["weights", "scores", "outputs"])

    def __init__(self, **traits):
        """Show the first sentence and the first course unless told otherwise."""
        if traits.get("courses"):
            traits = {"task": next(iter(traits["courses"])), "embedding": {}} | traits
        if "embedding" in traits:
            traits = {"entries": [], "axes": [0, 1]} | traits
        if traits.get("sentences"):
            traits.setdefault("sentence", traits["sentences"][0])
        super().__init__(**traits)

    @property
    def words(self):
        """The tokens in the order in which they stand."""
        written = self.sentence.split()
        return [written[i] for i in self.order] if self.order else written

    @property
    def vectors(self):
        """Each word's vector: where its course has brought it, or where it was put."""
        return _words_at(self.courses, self.task, self.moment) | self.embedding

    @property
    def X(self):
        """One vector for each token, shape (n, d)."""
        return np.array([self.vectors[word] for word in self.words])

    @property
    def weights(self):
        """softmax(X Xᵀ), shape (n, n)."""
        return softmax(self.X @ self.X.T)

    @property
    def outputs(self):
        """softmax(X Xᵀ) X, shape (n, d)."""
        return self_attention(self.X)

    @traitlets.validate("sentences", "sentence", "order", "query")
    def _tokens(self, proposal):
        new = self._as_proposed(proposal, "sentences", "sentence", "order", "query")
        if not new["sentences"] or not all(text.split() for text in new["sentences"]):
            raise traitlets.TraitError(f"sentences must hold words: {new['sentences']!r}")
        if new["sentence"] not in new["sentences"]:
            raise traitlets.TraitError(
                f"sentence must be one of {new['sentences']}, not {new['sentence']!r}"
            )
        _check_order(new["order"], len(new["sentence"].split()))
        checks.within("query", new["query"], 0, len(new["sentence"].split()) - 1)
        _check_words(new["sentences"], self.vectors)
        return proposal["value"]

    @traitlets.validate("embedding", "entries", "axes", "courses", "task", "moment")
    def _a_vector_for_each_word(self, proposal):
        names = ("embedding", "entries", "axes", "courses", "task", "moment")
        new = self._as_proposed(proposal, *names)
        known = _words_at(new["courses"], new["task"], new["moment"]) | new["embedding"]
        _check_words(self.sentences, known)
        size = len(next(iter(known.values())))
        for word, vector in new["embedding"].items():
            checks.table(f"embedding[{word!r}]", [vector], size)
        if new["entries"]:
            checks.within("the number of entries", len(new["entries"]), size, size)
        for axis in new["axes"]:
            checks.within("each of axes", axis, 0, size - 1)
        return proposal["value"]


def _check_order(order, n):
    if order and sorted(order) != list(range(n)):
        raise traitlets.TraitError(
            f"order must be empty or hold each of 0 to {n - 1} once, not {order}"
        )


def _check_words(sentences, vectors):
    needed = dict.fromkeys(word for text in sentences for word in text.split())
    missing = [word for word in needed if word not in vectors]
    if missing:
        raise traitlets.TraitError(f"embedding has no vector for {', '.join(missing)}")


def _words_at(courses, task, moment):
    """The vectors of a course's words at one of its moments; of no words without courses."""
    if not courses and not task:
        checks.within("moment (without courses)", moment, 0, 0)
        return {}
    if task not in courses:
        raise traitlets.TraitError(f"task must be one of {list(courses)}, not {task!r}")
    course = courses[task]
    checks.within("moment", moment, 0, len(course["steps"]) - 1)
    return dict(zip(course["words"], course["vectors"][moment], strict=True))
