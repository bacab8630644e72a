"""How many numbers a layer of several heads has to learn."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "one head",
        d_model=5,
        heads=1,
        d_k=2,
        d_v=3,
        d_out=11,
        advice="W_q and W_k hold 5 · 2 numbers each, W_v 5 · 3, W_o 3 · 11.",
    ),
    Probe.of(
        "four heads",
        d_model=12,
        heads=4,
        d_k=3,
        d_v=5,
        d_out=7,
        advice=(
            "Each head has its own W_q, W_k and W_v. The heads' values stand side by side, 20 "
            "numbers, and W_o takes them to 7."
        ),
    ),
    Probe.of(
        "eight heads and a large output",
        d_model=48,
        heads=8,
        d_k=6,
        d_v=10,
        d_out=100,
        advice="W_o has as many rows as all heads together have values, and d_out columns.",
    ),
    Probe.of(
        "the base model of 2017",
        d_model=512,
        heads=8,
        d_k=64,
        d_v=64,
        d_out=512,
        advice="Here d_k = d_v = d_model / heads, so the count must be 4 · 512².",
    ),
)


def _count(d_model, heads, d_k, d_v, d_out):
    return heads * (d_model * (2 * d_k + d_v) + d_v * d_out)


MISTAKES = (
    Mistake(
        "counts-one-head",
        "You count one head. Each head has its own W_q, W_k and W_v, and its own rows of W_o.",
        lambda d_model, heads, d_k, d_v, d_out: d_model * (2 * d_k + d_v) + d_v * d_out,
    ),
    Mistake(
        "forgets-W_o",
        "You count W_q, W_k and W_v of all heads; W_o, which mixes their answers, is missing.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v),
    ),
    Mistake(
        "gives-W_o-one-head-s-rows",
        "Your W_o reads one head's values; it reads those of all heads, side by side. It has "
        "heads * d_v rows.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v) + d_v * d_out,
    ),
    Mistake(
        "gives-W_o-the-model-s-rows",
        "Your W_o has d_model rows; it multiplies the heads' values, and has heads * d_v rows.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v) + d_model * d_out,
        variants=(
            lambda d_model, heads, d_k, d_v, d_out: (
                heads * d_model * (2 * d_k + d_v) + d_model * d_model
            ),
        ),
    ),
    Mistake(
        "gives-W_o-the-keys-rows",
        "Your W_o has heads * d_k rows; it multiplies the heads' values, and has heads * d_v rows.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (2 * d_k + d_v) + d_k * d_out),
    ),
    Mistake(
        "ends-at-the-model-size",
        "Your W_o goes back to d_model; here its outputs have d_out entries.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (2 * d_k + d_v) + d_v * d_model),
    ),
    Mistake(
        "gives-values-the-size-of-keys",
        "You count W_v like W_q and W_k; a value has d_v entries, not d_k.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (3 * d_model * d_k + d_v * d_out),
        variants=(
            lambda d_model, heads, d_k, d_v, d_out: heads * (3 * d_model * d_k + d_k * d_out),
        ),
    ),
    Mistake(
        "counts-queries-or-keys-once",
        "You count queries and keys by one matrix; W_q and W_k are two, of d_model * d_k numbers "
        "each.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (d_k + d_v) + d_v * d_out),
    ),
    Mistake(
        "uses-the-usual-sizes",
        "4 d² holds if d_k = d_v = d_model / heads and d_out = d_model. Count with the sizes that "
        "are given.",
        lambda d_model, heads, d_k, d_v, d_out: 4 * d_model**2,
    ),
    Mistake(
        "adds-biases",
        "You count biases too; the task leaves them out. Count the entries of the four matrices "
        "and nothing else.",
        lambda d_model, heads, d_k, d_v, d_out: (
            heads * ((d_model + 1) * (2 * d_k + d_v) + d_v * d_out) + d_out
        ),
        variants=(
            lambda d_model, heads, d_k, d_v, d_out: (
                heads * ((d_model + 1) * (2 * d_k + d_v) + d_v * d_out)
            ),
            lambda d_model, heads, d_k, d_v, d_out: (
                heads * (d_model * (2 * d_k + d_v) + d_v * d_out) + d_out
            ),
        ),
    ),
)

EXERCISE = Exercise(
    "05-parameters",
    title="Count the parameters",
    chapter=5,
    difficulty=1,
    minutes=5,
    hints=(
        "Write down the shape of each of the four matrices, for one head. Then ask which of them "
        "exist once for each head.",
        "W_q and W_k are (d_model, d_k) for each head, W_v is (d_model, d_v). W_o exists once: "
        "(heads * d_v, d_out).",
    ),
    mistakes=MISTAKES,
    section="sec-05-parameters",
    task=Task("count", _count, PROBES),
)
