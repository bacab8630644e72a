"""Chapters 2 to 7 and 10: one layer whole, every number of it, as it stands at each stage."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attn import sentence
from attn.core import attention_weights, causal_mask, layer_norm, merge_heads, split_heads
from attn.core import sinusoidal_positions as sinusoids
from attn.widgets.kit import checks
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Real
from attn.widgets.layer_explorer.small_matrix import SmallMatrix, check_shape

STAGES = {
    2: "attention without matrices",
    3: "queries, keys and values",
    4: "scores divided by √d_k",
    5: "several heads",
    6: "a mask",
    7: "positions",
    10: "the encoder block",
}
ALL_HEADS, MASK, POSITIONS, BLOCK = 5, 6, 7, 10  # the stages at which these come
# The matrices of the layer in the order of its flow, each with the stage that brings it.
MATRICES = {
    "positions": POSITIONS,
    "X": 2,
    "tokens": POSITIONS,
    "W_q": 3,
    "W_k": 3,
    "W_v": 3,
    "queries": 3,
    "keys": 2,
    "values": 2,
    "scores": 2,
    "mask": MASK,
    "scaled": 4,
    "weights": 2,
    "blends": ALL_HEADS,
    "joined": ALL_HEADS,
    "W_o": ALL_HEADS,
    "outputs": 2,
    "normed": BLOCK,
    "W_1": BLOCK,
    "hidden": BLOCK,
    "W_2": BLOCK,
    "thought": BLOCK,
    "block": BLOCK,
}
OF_A_HEAD = "W_q W_k W_v queries keys values scores scaled weights blends".split()
SIZED = ("words", "entries", "questions", "X", "W_q", "W_k", "W_v", "W_o", "W_1", "W_2")
LARGEST = 8.0  # of a number that a reader gives: colours have fixed scales


class LayerExplorer(Figure):
    """Follow a word through one layer of attention, and ask of any number where it came from.

    The numbers are the book's, set by hand, unless others are given; what is not given stays the
    book's. A stage uses only the matrices that have come by then.

    Parameters
    ----------
    stage : {2, 3, 4, 5, 6, 7, 10}
        How much of the layer there is: as much as the chapter of that number has built.
    word : int
        Which word is followed, counted from 0.
    head : int
        Which head is in front, counted from 0.
    strength : float
        The entry `strength_at` of W_q, 0 to 8, from stage 3 on: in the book's, how strongly a
        verb asks who.
    feature : float
        The entry `feature_at` of X, 0 to 8, at stage 2: in the book's, how much the cat moves.
    masked : bool
        From stage 6 on: whether a word sees only itself and the words before it.
    trail : list of [name, row, column]
        The traced cells, the last one pinned: each made from the one after it.
    step : int
        How far the followed word's journey is shown; 0 shows the layer at rest.
    folded : bool
        Whether only the followed word's line is drawn.
    words, entries, questions : lists of str
        Names of the rows of X, of its columns, and of the heads.
    X : (n, d), n from 2 to 8 and d from 1 to 8
    W_q, W_k : (d, h d_k), at most 8 columns
    W_v : (d, h d_v)
    W_o : (h d_v, d)
    W_1 : (d, f)
    W_2 : (f, d)

    Examples
    --------
    >>> LayerExplorer(stage=5).weights[0][2].round(2).tolist()
    [0.03, 0.87, 0.03, 0.03, 0.03, 0.03]
    """

    stage = Choice(STAGES)
    word = traitlets.Int().tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    strength = Real(sentence.STRENGTH, 0, LARGEST, step=0.1)
    strength_at = traitlets.List(traitlets.Int(), minlen=2, maxlen=2).tag(sync=True)
    feature = Real(1.0, 0, LARGEST, step=0.1)
    feature_at = traitlets.List(traitlets.Int(), minlen=2, maxlen=2).tag(sync=True)
    masked = traitlets.Bool().tag(sync=True)
    trail = traitlets.List().tag(sync=True)
    step = traitlets.Int(0, min=0, max=10).tag(sync=True)
    folded = traitlets.Bool(False).tag(sync=True)
    words = traitlets.List(traitlets.Unicode(), list(sentence.WORDS)).tag(sync=True)
    entries = traitlets.List(traitlets.Unicode()).tag(sync=True)
    questions = traitlets.List(traitlets.Unicode()).tag(sync=True)
    X = SmallMatrix(sentence.X, LARGEST, least_rows=2)
    W_q = SmallMatrix(sentence.W_q, LARGEST)
    W_k = SmallMatrix(sentence.W_k, LARGEST)
    W_v = SmallMatrix(sentence.W_v, LARGEST)
    W_o = SmallMatrix(sentence.W_o, LARGEST)
    W_1 = SmallMatrix(sentence.W_1, LARGEST)
    W_2 = SmallMatrix(sentence.W_2, LARGEST)

    def __init__(self, **traits):
        self._own = set(traits)
        super().__init__(**traits)

    # --- what is not given -------------------------------------------------------------------

    @traitlets.default("stage")
    def _with_heads(self):
        return ALL_HEADS

    @traitlets.default("word")
    def _the_verb(self):
        return self.words.index("walks") if "walks" in self.words else 0

    @traitlets.default("masked")
    def _where_the_mask_is_new(self):
        return self.stage == MASK

    @traitlets.default("entries")
    def _named_entries(self):
        return _names(sentence.ENTRIES, "X" in self._own, "entry", len(self.X[0]))

    @traitlets.default("questions")
    def _named_heads(self):
        return ["head 1"] if "W_q" in self._own else list(sentence.QUESTIONS)

    @traitlets.default("strength_at")
    def _the_slider_s_question(self):
        if "W_q" not in self._own:
            return [sentence.ENTRIES.index("verb"), sentence.ASKED.index("who?")]
        return _largest(np.array(self.W_q)[:, self._columns(self.W_q, 0)])

    @traitlets.default("feature_at")
    def _the_slider_s_feature(self):
        if "X" not in self._own:
            return [sentence.WORDS.index("cat"), sentence.ENTRIES.index("moves")]
        return _largest(np.array(self.X))

    @traitlets.default("strength")
    def _the_question_s_strength(self):
        return self._given("W_q", "strength_at")

    @traitlets.default("feature")
    def _the_feature_s_size(self):
        return self._given("X", "feature_at")

    def _given(self, name, at):
        row, column = getattr(self, at)
        number = getattr(self, name)[row][column]
        checks.within(f"the entry of {name} under the slider, {at},", number, 0, LARGEST)
        return number

    @property
    def constants(self):
        """What the page is told beside the traits: the matrices in order, and columns' names."""
        return {
            "matrices": [list(one) for one in MATRICES.items()],  # a page sorts a mapping
            "of_a_head": OF_A_HEAD,
            "page_stage": self.stage,  # a link to an earlier one takes parts away, it adds none
            "labels": self._labels,
            "position_scale": sentence.POSITION_SCALE,
            "asked": _names(sentence.ASKED, "W_q" in self._own, "question", len(self.W_q[0])),
            "carried": _names(sentence.CARRIED, "W_v" in self._own, "value", len(self.W_v[0])),
            "units": _names(sentence.UNITS, "W_1" in self._own, "unit", len(self.W_1[0])),
        }

    @property
    def _labels(self):
        """What the slider is called, at stage 2 and later."""
        (word, entry), (asker, question) = self.feature_at, self.strength_at
        own = f"X[{word}, {entry}]", f"W_q[{asker}, {question}]"
        book = "how much the cat moves", "how strongly a verb asks who?"
        given = "X" in self._own, "W_q" in self._own
        feature, strength = np.where(given, own, book).tolist()
        return {"feature": feature, "strength": strength}

    # --- rules ---------------------------------------------------------------------------------

    @traitlets.validate("stage", *SIZED)
    def _check_shapes(self, proposal):
        """Each matrix that the stage uses fits those it meets."""
        own = SimpleNamespace(**self._as_proposed(proposal, "stage", *SIZED))
        d, h = len(own.X[0]), len(own.questions)
        columns = (
            f"a multiple of {h}",
            "one row for each column of X, as many columns for each head",
        )
        checks.one_each("each row of X must have a word", words=own.words, rows=own.X)
        checks.one_each("each column of X must have a name", entries=own.entries, columns=own.X[0])
        if own.stage >= 3:
            check_shape("W_q", own.W_q, d, *columns)
            check_shape("W_k", own.W_k, d, len(own.W_q[0]), "the shape of W_q")
            check_shape("W_v", own.W_v, d, *columns)
        if own.stage >= ALL_HEADS:
            check_shape("W_o", own.W_o, len(own.W_v[0]), d, "from W_v's columns back to X's")
        if own.stage >= POSITIONS and d % 2:
            raise traitlets.TraitError(
                f"from stage 7 on X must have an even number of columns (positions come in pairs),"
                f" not {d}"
            )
        if own.stage >= BLOCK:
            check_shape("W_1", own.W_1, d, "any number of", "one row for each column of X")
            check_shape("W_2", own.W_2, len(own.W_1[0]), d, "from W_1's columns back to X's")
        return proposal["value"]

    @traitlets.validate("word", "head")
    def _check_count(self, proposal):
        name = proposal["trait"].name
        most = len(self.words if name == "word" else self.questions) - 1
        return checks.within(name, proposal["value"], 0, most)

    @traitlets.validate("strength_at", "feature_at")
    def _check_slider(self, proposal):
        name, place = proposal["trait"].name, proposal["value"]
        shape = np.shape(self.W_q if name == "strength_at" else self.X)
        return _inside(f"{name} must be a row and a column", place, shape)

    @traitlets.validate("trail")
    def _check_trail(self, proposal):
        names = self.matrices
        for cell in proposal["value"]:
            if not (isinstance(cell, list | tuple) and len(cell) == 3 and cell[0] in names):
                raise traitlets.TraitError(
                    f"a cell of trail must be [name, row, column] with a name of stage "
                    f"{self.stage} ({', '.join(names)}), not {cell!r}"
                )
            name, *place = cell
            _inside(f"a cell of {name} must be a row and a column", place, self.matrix(name).shape)
        return proposal["value"]

    # --- the layer, step by step ---------------------------------------------------------------

    @property
    def heads(self):
        """How many heads there are: one for each question."""
        return len(self.questions)

    @property
    def matrices(self):
        """The names of the matrices that the stage has, in the order of its flow."""
        return [name for name, stage in MATRICES.items() if stage <= self.stage]

    def matrix(self, name):
        """One matrix as it is drawn, of the head in front where each head has its own."""
        read = {"keys": "key_vectors", "X": "_words"}.get(name, name)
        found = self._projection(name) if name.startswith("W_") else getattr(self, read)
        if name in ("W_q", "W_k", "W_v"):
            return found[:, self._columns(found, self.head)]
        found = np.asarray(found, dtype=float)
        return found[self._front] if found.ndim == 3 else found

    @property
    def _front(self):
        return self.head if self.stage >= ALL_HEADS else 0

    def _columns(self, W, head):
        size = len(W[0]) // self.heads
        return slice(head * size, (head + 1) * size)

    def _projection(self, name):
        """A matrix as the slider has it."""
        W = np.array(getattr(self, name))
        if name == "W_q" and self.stage >= 3:
            W[tuple(self.strength_at)] = self.strength
        return W

    def _project(self, name):
        """The tokens by one of W_q, W_k, W_v: (h, n, d_k), or the tokens themselves at stage 2."""
        if self.stage == 2:
            return self.tokens[None]
        parts = split_heads(self.tokens @ self._projection(name), self.heads)
        return parts if self.stage >= ALL_HEADS else parts[self.head : self.head + 1]

    @property
    def positions(self):
        """What each place adds to its word, (n, d)."""
        return sentence.POSITION_SCALE * sinusoids(len(self.X), len(self.X[0]))

    @property
    def _words(self):
        """X as the slider has it."""
        X = np.array(self.X)
        if self.stage == 2:
            X[tuple(self.feature_at)] = self.feature
        return X

    @property
    def tokens(self):
        """What enters the layer, (n, d): the words, and from stage 7 their positions."""
        return self._words + self.positions if self.stage >= POSITIONS else self._words

    @property
    def queries(self):
        """(h, n, d_k)"""
        return self._project("W_q")

    @property
    def key_vectors(self):
        """(h, n, d_k); `keys` is what a widget calls the names of its traits."""
        return self._project("W_k")

    @property
    def values(self):
        """(h, n, d_v)"""
        return self._project("W_v")

    @property
    def scores(self):
        """(h, n, n)"""
        return self.queries @ self.key_vectors.swapaxes(-1, -2)

    @property
    def mask(self):
        """What is added to the scores, (n, n): 0 where a word may look, -inf where it may not."""
        hidden = self.stage >= MASK and self.masked
        looks = causal_mask(len(self.X)) if hidden else np.ones((len(self.X),) * 2, dtype=bool)
        return np.where(looks, 0.0, -np.inf)

    @property
    def scaled(self):
        """The scores divided by √d_k from stage 4, with the mask from stage 6: (h, n, n)."""
        return self._scale * self.scores + self.mask

    @property
    def _scale(self):
        return 1 / np.sqrt(self.queries.shape[-1]) if self.stage >= 4 else 1.0

    @property
    def weights(self):
        """(h, n, n), each row summing to 1."""
        return attention_weights(
            self.queries, self.key_vectors, scale=self._scale, mask=np.isfinite(self.mask)
        )

    @property
    def blends(self):
        """What each word takes home from each head, (h, n, d_v)."""
        return self.weights @ self.values

    @property
    def joined(self):
        """The heads' blends side by side, (n, h d_v)."""
        return merge_heads(self.blends)

    @property
    def outputs(self):
        """What attention makes of each word: the joined heads times W_o, from stage 5."""
        return self.joined @ np.array(self.W_o) if self.stage >= ALL_HEADS else self.joined

    @property
    def normed(self):
        """What attention gave, added to what was there, each row brought to mean 0 and spread 1."""
        return layer_norm(self.tokens + self.outputs)

    @property
    def hidden(self):
        """The small network's units for each word, (n, f), none below 0."""
        return np.maximum(self.normed @ np.array(self.W_1), 0)

    @property
    def thought(self):
        """What the small network adds to each word, (n, d)."""
        return self.hidden @ np.array(self.W_2)

    @property
    def block(self):
        """What leaves the encoder block, (n, d)."""
        return layer_norm(self.normed + self.thought)


def _names(book, given, stem, count):
    return [f"{stem} {i + 1}" for i in range(count)] if given else list(book)


def _inside(rule, place, shape):
    """`place` itself, if it is a row and a column of `shape`."""
    if not all(0 <= at < size for at, size in zip(place, shape, strict=True)):
        raise traitlets.TraitError(f"{rule} of shape {shape}, not {list(place)}")
    return place


def _largest(M):
    return [int(at) for at in np.unravel_index(M.argmax(), M.shape)]
