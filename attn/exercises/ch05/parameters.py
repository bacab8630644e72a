"""How many numbers a layer of several heads has to learn."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("three heads", d_model=13, heads=3, d_k=4, d_v=6, d_out=11).advise(
        "For each head W_q and W_k hold 13 · 4 numbers and W_v 13 · 6. W_o holds 18 · 11."
    ),
    Probe.of("four heads", d_model=12, heads=4, d_k=3, d_v=5, d_out=7).advise(
        "Each head has its own W_q, W_k and W_v. The heads' values stand side by side, 20 "
        "numbers, and W_o takes them to 7."
    ),
    Probe.of(
        "eight heads and a large output", d_model=48, heads=8, d_k=6, d_v=10, d_out=100
    ).advise("W_o has as many rows as all heads together have values, and d_out columns."),
    Probe.of("the base model of 2017", d_model=512, heads=8, d_k=64, d_v=64, d_out=512).advise(
        "Here d_k = d_v = d_model / heads, so the count must be 4 · 512²."
    ),
)


def _count(d_model, heads, d_k, d_v, d_out):
    return heads * (d_model * (2 * d_k + d_v) + d_v * d_out)


MISTAKES = (
    Mistake(
        "counts-one-head",
        "You count the matrices of a single head.",
        lambda d_model, heads, d_k, d_v, d_out: d_model * (2 * d_k + d_v) + d_v * d_out,
        hint="Each head has its own W_q, W_k and W_v, and its own rows of W_o.",
    ),
    Mistake(
        "forgets-W_o",
        "You count W_q, W_k and W_v of all the heads, but not W_o, which mixes their answers.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v),
        hint="W_o is (heads * d_v, d_out).",
    ),
    Mistake(
        "gives-W_o-one-head-s-rows",
        "Your W_o reads the values of one head only, not of all the heads side by side.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v) + d_v * d_out,
        hint="It has heads * d_v rows.",
    ),
    Mistake(
        "gives-W_o-the-model-s-rows",
        "Your W_o has d_model rows, but it multiplies the heads' values.",
        lambda d_model, heads, d_k, d_v, d_out: heads * d_model * (2 * d_k + d_v) + d_model * d_out,
        variants=(
            lambda d_model, heads, d_k, d_v, d_out: (
                heads * d_model * (2 * d_k + d_v) + d_model * d_model
            ),
        ),
        hint="It has heads * d_v rows.",
    ),
    Mistake(
        "gives-W_o-the-keys-rows",
        "Your W_o has heads * d_k rows, but it multiplies values, not keys.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (2 * d_k + d_v) + d_k * d_out),
        hint="It has heads * d_v rows.",
    ),
    Mistake(
        "ends-at-the-model-size",
        "Your W_o goes back to d_model, but here an output has d_out entries.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (2 * d_k + d_v) + d_v * d_model),
        hint="It has d_out columns.",
    ),
    Mistake(
        "gives-values-the-size-of-keys",
        "You count W_v like W_q and W_k, but a value has d_v entries, not d_k.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (3 * d_model * d_k + d_v * d_out),
        variants=(
            lambda d_model, heads, d_k, d_v, d_out: heads * (3 * d_model * d_k + d_k * d_out),
        ),
        hint="W_v is (d_model, d_v) for each head.",
    ),
    Mistake(
        "counts-queries-or-keys-once",
        "You count one matrix for queries and keys together, but W_q and W_k are two.",
        lambda d_model, heads, d_k, d_v, d_out: heads * (d_model * (d_k + d_v) + d_v * d_out),
        hint="Each holds d_model * d_k numbers per head.",
    ),
    Mistake(
        "uses-the-usual-sizes",
        "You return 4 d², which holds only if d_k = d_v = d_model / heads and d_out = d_model.",
        lambda d_model, heads, d_k, d_v, d_out: 4 * d_model**2,
        hint="Count with the sizes that are given.",
    ),
    Mistake(
        "adds-biases",
        "You count biases too, and the task leaves them out.",
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
        hint="Count the entries of the four matrices and nothing else.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Count the parameters",
    difficulty=1,
    minutes=5,
    hints=(
        "Write down the shape of each of the four matrices for one head. Then ask which of them "
        "exist once per head.",
        "W_q and W_k are (d_model, d_k) for each head, W_v is (d_model, d_v). W_o exists once: "
        "(heads * d_v, d_out).",
    ),
    mistakes=MISTAKES,
    section="sec-05-parameters",
    passed=(
        "With d_k = d_v = d_model / heads the number of heads cancels: more heads cost no more "
        "parameters. Check that with two values of heads."
    ),
    task=Task("count", _count, PROBES),
)
