"""Everything that a stack of encoder blocks learns, biases and norms included."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of("one small block", d_model=6, heads=2, d_ff=11, layers=1).advise(
        "Attention 4 · (36 + 6), feed-forward 66 + 11 + 66 + 6, two norms of 2 · 6 each."
    ),
    Probe.of("three blocks", d_model=15, heads=5, d_ff=7, layers=3).advise(
        "Each block has its own numbers: count one, then multiply."
    ),
    Probe.of("the encoder of 2017", d_model=512, heads=8, d_ff=2048, layers=6).advise(
        "Four (512, 512) matrices with biases, 512 → 2048 → 512 with biases, two norms with "
        "gain and shift; six times."
    ),
)


def _counted(attention=4, biases=True, norms=2, hidden=None, heads_too=False, out=1):
    """A way to count, with something left out or put in."""

    def count(d_model, heads, d_ff, layers):
        d, f = d_model, d_ff if hidden is None else hidden * d_model
        own = attention * (d * d + biases * d) * (heads if heads_too else 1)
        network = 2 * d * f + biases * (f + d)
        return (layers if out else 1) * (own + network + norms * 2 * d)

    return count


_count = _counted()


def _square_network(d_model, heads, d_ff, layers):
    d = d_model
    return layers * (4 * (d * d + d) + 2 * (d * d + d) + 4 * d)


def _one_way(d_model, heads, d_ff, layers):
    d = d_model
    return layers * (4 * (d * d + d) + d * d_ff + d_ff + 4 * d)


def _equal_biases(size):
    def count(d_model, heads, d_ff, layers):
        d, f = d_model, d_ff
        return layers * (4 * (d * d + d) + 2 * d * f + 2 * size(d, f) + 4 * d)

    return count


MISTAKES = (
    Mistake(
        "counts-one-block",
        "You count a single block, whatever the number of layers.",
        _counted(out=0),
        hint="Multiply by layers: each block has its own numbers.",
    ),
    Mistake(
        "forgets-the-biases",
        "You count matrices and norms, but no biases, and here every matrix has one.",
        _counted(biases=False),
        hint="A matrix (a, b) comes with a bias of b numbers.",
    ),
    Mistake(
        "forgets-the-norms",
        "4 · d_model numbers are missing in each block: what the two norms learn, or the biases of "
        "attention's four matrices.",
        _counted(norms=0),
        hint="Each norm has a gain and a shift of d_model numbers; W_q, W_k, W_v and W_o have a "
        "bias each.",
    ),
    Mistake(
        "counts-matrices-only",
        "You count the six matrices, but neither the biases nor the norms.",
        _counted(biases=False, norms=0),
        hint="Add a bias for each matrix, and a gain and a shift for each norm.",
    ),
    Mistake(
        "counts-half-of-the-norms",
        "You count 2 d_model numbers for the norms: one norm of two, or gains without shifts.",
        _counted(norms=1),
        hint="There are two norms, and each has a gain and a shift of d_model numbers.",
    ),
    Mistake(
        "forgets-W_o",
        "You count W_q, W_k and W_v, but not W_o.",
        _counted(attention=3),
        hint="Attention has four matrices.",
    ),
    Mistake(
        "multiplies-attention-by-the-heads",
        "You count the projections once for each head, but the heads divide the columns.",
        _counted(heads_too=True),
        hint="All heads together have four (d_model, d_model) matrices, however many they are.",
    ),
    Mistake(
        "takes-four-times-the-size",
        "You count 4 · d_model hidden units, but here their number is d_ff.",
        _counted(hidden=4),
        hint="W_1 is (d_model, d_ff).",
    ),
    Mistake(
        "keeps-the-hidden-layer-at-the-model-size",
        "You count the feed-forward as two (d_model, d_model) matrices.",
        _square_network,
        hint="It goes from d_model to d_ff and back.",
    ),
    Mistake(
        "does-not-come-back",
        "You count the way to the hidden units, but not the way back to d_model.",
        _one_way,
        hint="W_2 is (d_ff, d_model), with a bias of d_model.",
    ),
    Mistake(
        "gives-both-biases-one-size",
        "You give both biases of the feed-forward the same size.",
        _equal_biases(lambda d, f: f),
        variants=(_equal_biases(lambda d, f: d),),
        hint="b_1 belongs to the hidden units, d_ff of them, b_2 to the output, d_model.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Count everything a stack learns",
    difficulty=1,
    minutes=6,
    hints=(
        "Write down the shape of every array of one block: four projections, two matrices of the "
        "feed-forward, a bias for each of the six, a gain and a shift for each of the two norms.",
        "A block has 4 (d² + d) in attention, 2 d f + f + d in the feed-forward, 4 d in its norms.",
    ),
    mistakes=MISTAKES,
    section="sec-10-cost",
    passed=(
        "torch counts the same: sum(p.numel() for p in layer.parameters()) of a "
        "TransformerEncoderLayer, times the layers. Biases and norms are under half a per cent at "
        "the size of 2017."
    ),
    task=Task("count", _count, PROBES),
)
