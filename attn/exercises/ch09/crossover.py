"""The length from which attention costs more multiply-adds than a recurrence."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "an LSTM, four pairs, d = 96",
        d=96,
        pairs=4,
        advice="Set 4nd² + 2n²d equal to 8nd² and divide by nd.",
    ),
    Probe.of(
        "three pairs, d = 70",
        d=70,
        pairs=3,
        advice="Set 4nd² + 2n²d equal to 6nd² and divide by nd.",
    ),
    Probe.of(
        "seven pairs, d = 10",
        d=10,
        pairs=7,
        advice="Each pair has two (d, d) matrices: 14nd² in all.",
    ),
    Probe.of(
        "a plain RNN, one pair, d = 48",
        d=48,
        pairs=1,
        advice=(
            "2nd² is less than the projections alone: attention is never cheaper, so the answer "
            "is 0."
        ),
    ),
    Probe.of(
        "two pairs, d = 33",
        d=33,
        pairs=2,
        advice="4nd² against 4nd² + 2n²d: from the first token on.",
    ),
)


def _crossover(d, pairs):
    return max(0, (2 * pairs * d * d - 4 * d * d) / (2 * d))


MISTAKES = (
    Mistake(
        "compares-as-printed",
        "You compare n²d with nd², as the table is often read, and get n = d. That leaves out the "
        "projections and all but one of the matrices.",
        lambda d, pairs: d,
    ),
    Mistake(
        "forgets-the-projections",
        "You leave out the four projections, 4nd². Attention pays for them at every length.",
        lambda d, pairs: pairs * d,
    ),
    Mistake(
        "forgets-the-blend",
        "You count n²d once, or halve it twice. The scores take n²d, and blending the values takes "
        "n²d again; nothing here is masked.",
        lambda d, pairs: max(0, 2 * (pairs - 2) * d),
    ),
    Mistake(
        "forgets-W_o",
        "You count three projections; W_o, after the heads are merged, is the fourth.",
        lambda d, pairs: max(0, (2 * pairs - 3) * d / 2),
        variants=(lambda d, pairs: (2 * pairs - 3) * d / 2,),
    ),
    Mistake(
        "one-matrix-for-each-pair",
        "You count one matrix for each pair; a pair is two, one for the word, one for the state.",
        lambda d, pairs: max(0, (pairs - 4) * d / 2),
    ),
    Mistake(
        "goes-below-zero",
        "A length cannot be negative. Where attention is never cheaper, return 0.",
        lambda d, pairs: (pairs - 2) * d,
    ),
    Mistake(
        "parts-of-attention",
        "2d is where attention's own two parts cost the same. Compare their sum with the "
        "recurrence.",
        lambda d, pairs: 2 * d,
    ),
)

EXERCISE = Exercise(
    "09-crossover",
    title="Where attention becomes the dearer one",
    chapter=9,
    difficulty=2,
    minutes=8,
    hints=(
        "Write both costs for n tokens. Attention: 4nd² + 2n²d. The recurrence: 2 · pairs · nd².",
        "Divide both by nd. What is left on attention's side is 4d + 2n.",
    ),
    mistakes=MISTAKES,
    section="sec-09-cost",
    task=Task("crossover", _crossover, PROBES),
)
