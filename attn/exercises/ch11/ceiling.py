"""How often the best answer without positions is right, when a sequence is to be reversed."""

from itertools import product

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(n, vocab):
    return Probe.of(f"{n} places, {vocab} digits", n=n, vocab=vocab)


PROBES = (
    _probe(4, 2).advise(
        "The other three digits are 000, 001, …, 111: the most common occurs 3 times in two of "
        "these eight, and twice in six."
    ),
    _probe(2, 3).advise("There is one other digit, and it is the answer: what share is that?"),
    _probe(4, 5).advise(
        "125 triples of other digits: 5 have three alike, 60 have two alike, 60 are all different."
    ),
    _probe(6, 3).advise("Go through all 3⁵ possible lists of the other five digits."),
    _probe(8, 2).advise("Go through all 2⁷ possible lists of the other seven digits."),
    _probe(6, 4).advise("Go through all 4⁵ possible lists of the other five digits."),
)


def _mean_share(n, vocab, value):
    """The mean of `value` over every list of n digits."""
    return np.mean([value(np.bincount(row, minlength=vocab)) for row in _all_lists(n, vocab)])


def _all_lists(n, vocab):
    return product(range(vocab), repeat=n)


def _ceiling(n, vocab):
    return _mean_share(n - 1, vocab, lambda counts: counts.max() / (n - 1))


MISTAKES = (
    Mistake(
        "takes-chance",
        "You return 1/vocab, which is guessing without looking.",
        lambda n, vocab: 1 / vocab,
        hint="A query sees which digits occur, and how often. It can name a likely one.",
    ),
    Mistake(
        "counts-its-own-digit",
        "You name the most common of all n digits, the place's own included. But the answer stands "
        "at another place.",
        lambda n, vocab: _mean_share(n, vocab, lambda counts: counts.max() / n),
        variants=(lambda n, vocab: _mean_share(n, vocab, lambda c: c.max() / (n - 1)),),
        hint="Look at the n - 1 others: which of them occurs most often?",
    ),
    Mistake(
        "divides-by-n",
        "You divide by n, but the answer is one of n - 1 other digits.",
        lambda n, vocab: _ceiling(n, vocab) * (n - 1) / n,
        hint="All n - 1 other places are equally likely: divide by n - 1.",
    ),
    Mistake(
        "copies-some-place",
        "You copy one of the other places at random: right if you hit the place, and sometimes "
        "by luck.",
        lambda n, vocab: 1 / (n - 1) + (n - 2) / (n - 1) / vocab,
        hint="Better than one digit at random is the one that occurs most often.",
    ),
    Mistake(
        "hits-the-place",
        "You return how often one hits the right place by guessing; a wrong place may hold the same"
        " digit.",
        lambda n, vocab: 1 / (n - 1),
        variants=(lambda n, vocab: 1 / n,),
        hint="Count digits, not places: how many of the others are the most common one?",
    ),
    Mistake(
        "returns-a-count",
        "You return how often the most common digit occurs, not the share of places where it "
        "stands.",
        lambda n, vocab: _ceiling(n, vocab) * (n - 1),
        hint="Divide by the number of the other places.",
    ),
    Mistake(
        "rounds-up-the-average",
        "You take the average count of a digit, but the most common digit occurs more often than "
        "the average one.",
        lambda n, vocab: np.ceil((n - 1) / vocab) / (n - 1),
        hint="Average the largest count over all lists of digits.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="What counting alone can reach",
    difficulty=2,
    minutes=10,
    hints=(
        "Put yourself at one place. You know your own digit and how often every digit occurs; the "
        "answer is one of the n - 1 others, each equally likely. Decide which digit you "
        "would name.",
        "itertools.product(range(vocab), repeat=n - 1) goes through every list of the others, all "
        "equally likely. np.bincount(list).max() is how often the most common digit occurs.",
    ),
    mistakes=MISTAKES,
    section="sec-11-reverse",
    passed=(
        "That is the ceiling: a model without positions that reaches it has learned all there is to"
        " learn, and more training cannot help. For 12 places and 10 digits there are 10¹¹ lists: "
        "count those alike together, and the chapter's 0.266 comes out."
    ),
    task=Task("ceiling", _ceiling, PROBES, coarse=True),
)
