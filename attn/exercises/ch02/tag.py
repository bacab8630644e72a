"""One number for each token, read off the attended vectors."""

from attn import self_attention, softmax
from attn.exercises.ch02.sequences import FIVE, SQUARE, THREE, WIDE
from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("three tokens, no shift", X=THREE, w=[0.0, 1.0], c=0.0).advise(
        "With w = (0, 1) the tags are the second column of the outputs: 0.733, 1.851, 1.267."
    ),
    Probe.of("five tokens in three dimensions", X=FIVE, w=[1.0, -2.0, 0.5], c=0.7).advise(
        "Follow the shapes: outputs (5, 3), then @ w gives (5,), one number for each token."
    ),
    Probe.of("as many tokens as dimensions", X=SQUARE, w=[1.0, -2.0, 0.5], c=-0.3).advise(
        "Here n = d. w goes with the entries of a token, the last axis."
    ),
    Probe.of("a single token", X=WIDE[:1], w=[1.0, 0.0, -1.0, 2.0], c=0.1).advise(
        "One token, one tag: (1,)."
    ),
)


def _tags(X, w, c):
    return self_attention(X) @ w + c


MISTAKES = (
    Mistake(
        "tags-without-context",
        "You tag the inputs, so a word gets the same tag in every sentence.",
        lambda X, w, c: X @ w + c,
        hint="Let the tokens attend first: self_attention(X).",
    ),
    Mistake(
        "one-tag-for-the-sentence",
        "You average over the tokens and return one number, but each of the n tokens has its own "
        "tag.",
        lambda X, w, c: self_attention(X).mean(axis=0) @ w + c,
        hint="Leave the average out.",
    ),
    Mistake(
        "forgets-the-shift",
        "You leave c out, so a token whose output is 0 always gets the tag 0.",
        lambda X, w, c: self_attention(X) @ w,
        hint="Add c to every tag.",
    ),
    Mistake(
        "shares-the-tags-out",
        "You pass the tags through a softmax, so they sum to 1, but a tag may be any number.",
        lambda X, w, c: softmax(self_attention(X) @ w + c),
        hint="Return the numbers as they are.",
    ),
    Mistake(
        "shifts-the-tokens",
        "You add c to the tokens before they attend, which changes who looks at whom.",
        lambda X, w, c: self_attention(X + c) @ w,
        hint="Add it to the tags, at the end.",
    ),
    Mistake(
        "attends-twice",
        "You let the tokens attend twice. Real models stack layers, but here only one is asked "
        "for.",
        lambda X, w, c: self_attention(self_attention(X)) @ w + c,
        hint="Call self_attention once.",
    ),
    Mistake(
        "weighs-the-tokens",
        "You sum over the tokens, with one entry of w for each of them.",
        lambda X, w, c: w @ self_attention(X) + c,
        hint="w has d entries, one per dimension: put it on the right, outputs @ w.",
    ),
    Mistake(
        "returns-a-table",
        "You return a table of shape (n, d), not one number per token.",
        lambda X, w, c: self_attention(X) * w + c,
        hint="Sum over the entries of each token: @ does that, * does not.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="One number for each word",
    difficulty=1,
    minutes=6,
    hints=(
        "First let the tokens attend: self_attention(X) has shape (n, d).",
        "A tag is the dot product of an output with w, plus c. One product gives all n of them.",
    ),
    mistakes=MISTAKES,
    section="sec-02-task",
    passed=(
        "One number per word, each informed by the whole sentence: that is what a tagger reads off "
        "a layer. Compare it with X @ w + c, the tags without attention."
    ),
    task=Task("tags", _tags, PROBES),
)
