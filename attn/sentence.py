"""One small world: a sentence, its words' entries, and matrices that were set by hand.

Every number has a name, so that a reader can tell what a layer does from what it makes of it: a
column of W_q and W_k is a question, a column of W_v carries one entry, W_o puts it back.
"""

import numpy as np

WORDS = ("the", "cat", "walks", "on", "the", "street")
ENTRIES = ("article", "noun", "verb", "preposition", "living", "place", "moves", "ground")
_FEATURES = {
    "the": ("article",),
    "cat": ("noun", "living", "moves"),
    "walks": ("verb", "moves"),
    "on": ("preposition", "ground"),
    "street": ("noun", "place", "ground"),
}
# Two columns of W_q and W_k for each head, with the question that each asks: a word that has the
# first entry asks for words that have the second.
_COLUMNS = {
    "who?": {"who?": ("verb", "living"), "doing what?": ("living", "verb")},
    "where?": {"where?": ("verb", "place"), "reached how?": ("place", "preposition")},
    "which noun?": {"which other noun?": ("noun", "noun"), "which noun?": ("article", "noun")},
    "on what?": {"on what?": ("preposition", "place"), "doing what?": ("preposition", "verb")},
}
QUESTIONS = tuple(_COLUMNS)
ASKED = tuple(name for columns in _COLUMNS.values() for name in columns)
ASKS = tuple(pair for columns in _COLUMNS.values() for pair in columns.values())
CARRIED = ("living", "moves", "place", "ground", "noun", "article", "preposition", "verb")
# What a hidden unit reads, and what it writes.
_UNITS = {
    "an action": (
        {"verb": 0.5, "moves": 0.5, "noun": -0.5},
        {"living": 0.5, "place": 0.5},
    ),
    "a mover": ({"noun": 0.5, "moves": 0.5, "ground": -0.5}, {"living": 1.0}),
    "a site": ({"place": 0.5, "ground": 0.5, "moves": -0.5}, {"place": 1.0}),
    "a noun phrase": ({"article": 0.5, "noun": 0.5, "verb": -0.5}, {"noun": 0.5}),
}
UNITS = tuple(_UNITS)
STRENGTH = 5.0
POSITION_SCALE = 0.2  # at full strength, positions would drown entries of 0 and 1


def _questions(which, strength):
    """Column c reads the entry that question c names: (8, 8)."""
    W = np.zeros((len(ENTRIES), len(ASKED)))
    for c, pair in enumerate(ASKS):
        W[ENTRIES.index(pair[which]), c] = strength
    return W


def _put_back():
    """Each value to its own entry, (8, 8); "moves" is half of what moves, half of the ground."""
    W = np.zeros((len(CARRIED), len(ENTRIES)))
    for c, entry in enumerate(CARRIED):
        W[c, ENTRIES.index(entry)] = 1
    W[CARRIED.index("moves"), ENTRIES.index("moves")] = 0.5
    W[CARRIED.index("ground"), ENTRIES.index("moves")] = 0.5
    return W


def _units(which):
    """One row for each unit: what it reads (0) or writes (1), (4, 8)."""
    return np.array([[unit[which].get(e, 0.0) for e in ENTRIES] for unit in _UNITS.values()])


X = np.array([[float(e in _FEATURES[word]) for e in ENTRIES] for word in WORDS])
W_q, W_k = _questions(0, STRENGTH), _questions(1, 1.0)
W_v = np.array([[float(e == carried) for carried in CARRIED] for e in ENTRIES])
W_o = _put_back()
W_1, W_2 = _units(0).T, _units(1)
