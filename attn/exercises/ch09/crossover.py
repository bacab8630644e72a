"""The length from which attention costs more multiply-adds than a recurrence."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("seven pairs, d = 11", d=11, pairs=7).advise(
        "Each pair has two (d, d) matrices: 14nd² in all."
    ),
    Probe.of("an LSTM, four pairs, d = 96", d=96, pairs=4).advise(
        "Set 4nd² + 2n²d equal to 8nd² and divide by nd."
    ),
    Probe.of("three pairs, d = 35", d=35, pairs=3).advise(
        "Set 4nd² + 2n²d equal to 6nd² and divide by nd."
    ),
    Probe.of("a plain RNN, one pair, d = 48", d=48, pairs=1).advise(
        "2nd² is less than the projections alone: attention is never cheaper, so the answer is 0."
    ),
    Probe.of("two pairs, d = 33", d=33, pairs=2).advise(
        "4nd² against 4nd² + 2n²d: attention costs more from the first token on."
    ),
)


def _crossover(d, pairs):
    return max(0, (2 * pairs * d * d - 4 * d * d) / (2 * d))


MISTAKES = (
    Mistake(
        "compares-as-printed",
        "You compare n²d with nd², as the table is often read, and get n = d.",
        lambda d, pairs: d,
        hint="That leaves out the projections and all but one of the matrices.",
    ),
    Mistake(
        "forgets-the-projections",
        "You leave out the four projections, which attention pays for at every length.",
        lambda d, pairs: pairs * d,
        hint="They cost 4nd².",
    ),
    Mistake(
        "forgets-the-blend",
        "You count n²d once, or halve it twice, but attention needs it for two things.",
        lambda d, pairs: max(0, 2 * (pairs - 2) * d),
        hint=(
            "The scores take n²d, and blending the values takes n²d again; nothing here is masked."
        ),
    ),
    Mistake(
        "forgets-W_o",
        "You count three projections; the fourth comes after the heads are merged.",
        lambda d, pairs: max(0, (2 * pairs - 3) * d / 2),
        variants=(lambda d, pairs: (2 * pairs - 3) * d / 2,),
        hint="W_o costs nd² as well.",
    ),
    Mistake(
        "one-matrix-for-each-pair",
        "You count one matrix for each pair, but a pair is two.",
        lambda d, pairs: max(0, (pairs - 4) * d / 2),
        hint="One is for the word, one for the state.",
    ),
    Mistake(
        "goes-below-zero",
        "You return a negative length where attention is never cheaper.",
        lambda d, pairs: (pairs - 2) * d,
        hint="Return 0 there.",
    ),
    Mistake(
        "parts-of-attention",
        "You return 2d, which is where attention's own two parts cost the same.",
        lambda d, pairs: 2 * d,
        hint="Compare their sum with the recurrence.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Where attention becomes more expensive",
    difficulty=2,
    minutes=8,
    hints=(
        "Write both costs for n tokens. Attention: 4nd² + 2n²d. The recurrence: 2 · pairs · nd².",
        "Divide both by nd. What is left on attention's side is 4d + 2n.",
    ),
    mistakes=MISTAKES,
    section="sec-09-cost",
    passed=(
        "Below this length attention is the cheaper layer, and the length grows with d: the n² "
        "hurts only on long texts. Check it with both formulas at n - 1 and n + 1."
    ),
    task=Task("crossover", _crossover, PROBES),
)
