"""The encoder block of 2017, post-norm, out of its three parts."""

from attn import encoder_block, feed_forward, layer_norm, multi_head_attention
from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, d_ff, heads, seed):
    hidden = {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d), "b_2": (d,)}
    return Probe.random(label, seed, X=(n, d), W=(4, d, d), **hidden, heads=heads)


PROBES = (
    _probe("one token", n=1, d=3, d_ff=5, heads=1, seed=121).advise(
        "Alone, a token attends to itself with weight 1. Then add it, norm, feed forward, add, "
        "norm."
    ),
    _probe("three tokens, two heads", n=3, d=4, d_ff=7, heads=2, seed=122).advise(
        "middle = layer_norm(X + attended). The second sum adds middle, not X."
    ),
    _probe(
        "five tokens, three heads, a narrow hidden layer", n=5, d=6, d_ff=2, heads=3, seed=123
    ).advise("Each part's answer is added to that part's own input, and each sum is normed."),
)


def _attend(X, W, heads):
    return multi_head_attention(X, *W, heads=heads)


def _middle(X, W, W_1, b_1, W_2, b_2, heads):
    return layer_norm(X + _attend(X, W, heads))


def _block(X, W, W_1, b_1, W_2, b_2, heads):
    middle = _middle(X, W, W_1, b_1, W_2, b_2, heads)
    return layer_norm(middle + feed_forward(middle, W_1, b_1, W_2, b_2))


def _pre(X, W, W_1, b_1, W_2, b_2, heads):
    X = X + _attend(layer_norm(X), W, heads)
    return X + feed_forward(layer_norm(X), W_1, b_1, W_2, b_2)


def _pre_and_last(X, W, W_1, b_1, W_2, b_2, heads):
    return layer_norm(_pre(X, W, W_1, b_1, W_2, b_2, heads))


def _from_the_start(X, W, W_1, b_1, W_2, b_2, heads):
    middle = _middle(X, W, W_1, b_1, W_2, b_2, heads)
    return layer_norm(X + feed_forward(middle, W_1, b_1, W_2, b_2))


def _side_by_side(X, W, W_1, b_1, W_2, b_2, heads):
    return layer_norm(
        _middle(X, W, W_1, b_1, W_2, b_2, heads) + feed_forward(X, W_1, b_1, W_2, b_2)
    )


def _no_residual(X, W, W_1, b_1, W_2, b_2, heads):
    return layer_norm(feed_forward(layer_norm(_attend(X, W, heads)), W_1, b_1, W_2, b_2))


def _first_residual_only(X, W, W_1, b_1, W_2, b_2, heads):
    return layer_norm(feed_forward(_middle(X, W, W_1, b_1, W_2, b_2, heads), W_1, b_1, W_2, b_2))


def _second_residual_only(X, W, W_1, b_1, W_2, b_2, heads):
    middle = layer_norm(_attend(X, W, heads))
    return layer_norm(middle + feed_forward(middle, W_1, b_1, W_2, b_2))


def _norms_answers(X, W, W_1, b_1, W_2, b_2, heads):
    middle = X + layer_norm(_attend(X, W, heads))
    return middle + layer_norm(feed_forward(middle, W_1, b_1, W_2, b_2))


def _no_last_norm(X, W, W_1, b_1, W_2, b_2, heads):
    middle = _middle(X, W, W_1, b_1, W_2, b_2, heads)
    return middle + feed_forward(middle, W_1, b_1, W_2, b_2)


def _one_norm(X, W, W_1, b_1, W_2, b_2, heads):
    middle = X + _attend(X, W, heads)
    return layer_norm(middle + feed_forward(middle, W_1, b_1, W_2, b_2))


def _no_norm(X, W, W_1, b_1, W_2, b_2, heads):
    middle = X + _attend(X, W, heads)
    return middle + feed_forward(middle, W_1, b_1, W_2, b_2)


def _think_first(X, W, W_1, b_1, W_2, b_2, heads):
    middle = layer_norm(X + feed_forward(X, W_1, b_1, W_2, b_2))
    return layer_norm(middle + _attend(middle, W, heads))


MISTAKES = (
    Mistake(
        "writes-the-pre-norm-block",
        "You norm what enters each part, which is the pre-norm block; the task asks for the one "
        "that norms each sum.",
        _pre,
        variants=(_pre_and_last,),
        hint="layer_norm goes around the sum: layer_norm(X + attended).",
    ),
    Mistake(
        "adds-the-first-input-twice",
        "Your second sum adds X, the block's input, instead of what entered the feed-forward.",
        _from_the_start,
        hint="A residual connection goes around one part: add middle to the feed-forward's answer.",
    ),
    Mistake(
        "runs-both-parts-side-by-side",
        "Your feed-forward reads X, so it does not see what attention brought.",
        _side_by_side,
        hint="Feed middle forward, the result of the first add and norm.",
    ),
    Mistake(
        "forgets-a-residual",
        "In your block an answer replaces its input; at least one of the two sums is missing.",
        _no_residual,
        variants=(_first_residual_only, _second_residual_only),
        hint="Add X to attention's answer, and middle to the feed-forward's answer.",
    ),
    Mistake(
        "norms-the-answer-and-then-adds",
        "You norm each part's answer and add afterwards, so the sum itself is not normed.",
        _norms_answers,
        hint="Add first, then norm: Add & Norm, in this order.",
    ),
    Mistake(
        "forgets-the-last-norm",
        "Your first sum is normed, but the sum that leaves the block is not.",
        _no_last_norm,
        hint="Both sums are normed.",
    ),
    Mistake(
        "forgets-the-middle-norm",
        "You norm at the end only; the sum after attention goes on without a norm.",
        _one_norm,
        hint="Both sums are normed.",
    ),
    Mistake(
        "never-norms",
        "You add twice, as you should, but nothing in your block is normed.",
        _no_norm,
        hint="Put layer_norm around each sum.",
    ),
    Mistake(
        "thinks-before-it-attends",
        "In your block the feed-forward comes first, and attention reads what it made.",
        _think_first,
        hint="Attention first: the small network works on what attention has gathered.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The block, from its parts",
    difficulty=2,
    minutes=12,
    hints=(
        "Two parts, the same three moves for each: run it, add what went in, norm the sum.",
        "attended = multi_head_attention(X, *W, heads=heads), middle = layer_norm(X + attended).",
        "Then do the same with feed_forward, on middle.",
    ),
    mistakes=MISTAKES,
    section="sec-10-block",
    passed=(
        "This is torch.nn.TransformerEncoderLayer as it comes, with gains of 1 and no dropout. "
        'Compare it with attn.encoder_block, norm="post".'
    ),
    task=Task(
        "block",
        _block,
        PROBES,
        steps={
            "attended": (lambda X, W, W_1, b_1, W_2, b_2, heads: _attend(X, W, heads),),
            "middle": (_middle,),
        },
        without=(encoder_block,),
    ),
)
