"""Two layouts of the same pairs: a permutation of columns takes one to the other."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, rows, d_k, seed):
    return Probe.random(label, seed, W=(rows, d_k))


PROBES = (
    _probe("a matrix with two pairs of columns", rows=3, d_k=4, seed=74).advise(
        "Columns 0, 1, 2, 3 become 0, 2, 1, 3: the first of each pair, then the second."
    ),
    _probe("a matrix with three pairs of columns", rows=5, d_k=6, seed=75).advise(
        "Columns 0 to 5 become 0, 2, 4, 1, 3, 5."
    ),
    _probe("a square matrix with four pairs", rows=8, d_k=8, seed=76).advise(
        "Queries are x @ W: their entries are the columns of W. Leave the rows alone."
    ),
    _probe("a matrix with one pair", rows=3, d_k=2, seed=77).advise(
        "One pair needs no reordering at all."
    ),
)


def _half_split(W):
    return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)


def _interleave(W):
    half = W.shape[1] // 2
    return np.stack([W[:, :half], W[:, half:]], axis=-1).reshape(W.shape)


MISTAKES = (
    Mistake(
        "goes-the-other-way",
        "Your order leads from halves to pairs, but the task goes from pairs side by side to "
        "halves.",
        _interleave,
        hint="Column 1 of the result must be column 2 of W.",
    ),
    Mistake(
        "second-entries-first",
        "You put the second entries of the pairs first, so x0 and x1 change places and the other "
        "library would turn backwards.",
        lambda W: np.concatenate([W[:, 1::2], W[:, 0::2]], axis=1),
        hint="First entries first: W[:, 0::2].",
    ),
    Mistake(
        "reorders-the-rows",
        "You reorder the rows of W, which belong to the entries of the token.",
        lambda W: np.concatenate([W[0::2], W[1::2]]),
        hint="The entries of a query are the columns.",
    ),
    Mistake(
        "changes-nothing",
        "You return W as it is, so the other library would pair entries that turn at different "
        "speeds here.",
        lambda W: W.copy(),
        hint="Collect every second column: W[:, 0::2], then W[:, 1::2].",
    ),
    Mistake(
        "swaps-the-halves",
        "You exchange the two halves of the columns, but pairs that stood side by side still do.",
        lambda W: np.roll(W, W.shape[1] // 2, axis=1),
        hint="Collect every second column instead: W[:, 0::2], then W[:, 1::2].",
    ),
    Mistake(
        "swaps-within-pairs",
        "You exchange the two columns of each pair, and they still stand side by side.",
        lambda W: W[:, np.arange(W.shape[1]) ^ 1],
        hint="Collect the first ones in one half and the second ones in the other.",
    ),
    Mistake(
        "stacks-the-parts",
        "You stack the two parts below each other, which gives half as many columns.",
        lambda W: np.concatenate([W[:, 0::2], W[:, 1::2]]),
        hint="Put them side by side, with axis=1.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The same pairs in another layout",
    difficulty=2,
    minutes=8,
    hints=(
        "Ask which column of W makes entry 0 of a query, and which one makes the entry it is "
        "paired with.",
        "W[:, 0::2] holds the first entries of all the pairs, W[:, 1::2] the second ones.",
    ),
    mistakes=MISTAKES,
    section="sec-07-layouts",
    passed=(
        "The same model runs in both layouts once its columns have moved. Do the same to the keys' "
        "matrix and compare the scores: they agree to the last digits."
    ),
    task=Task("to_half_split", _half_split, PROBES),
)
