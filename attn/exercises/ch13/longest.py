"""How long a text may get before its cache no longer fits."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task

PROBES = (
    Probe.of(
        "one layer, each head its own keys",
        budget=1000,
        layers=1,
        d_model=12,
        heads=3,
        shared_by=1,
        each=4,
    ).advise("One word takes 12 numbers of keys and 12 of values, 4 bytes each: 96 bytes."),
    Probe.of(
        "five layers, every 3 heads share",
        budget=100_300,  # 227.95 words: to the nearest would be 228
        layers=5,
        d_model=66,
        heads=6,
        shared_by=3,
        each=2,
    ).advise("2 heads of keys with 11 numbers each, the same for values, in 5 layers."),
    Probe.of(
        "a gigabyte, 28 layers, every 7 heads share",
        budget=10**9,
        layers=28,
        d_model=1792,
        heads=14,
        shared_by=7,
        each=2,
    ).advise("2 heads of 128 numbers, keys and values, 28 layers, 2 bytes each."),
    Probe.of(
        "too little for one word", budget=100, layers=3, d_model=40, heads=5, shared_by=5, each=4
    ).advise("A word takes 192 bytes here. No word fits: 0."),
)


def _bytes(layers=True, both=True, shared=True, each=True, whole=False, query=False):
    """Bytes of one word in the cache, some part of the bill left out or counted too often."""

    def one_word(layer_count, d_model, heads, shared_by, size):
        width = d_model if whole else d_model // heads
        rows = heads // shared_by if shared else heads
        copies = (2 if both else 1) * rows * width + (d_model if query else 0)
        return copies * (layer_count if layers else 1) * (size if each else 1)

    return one_word


def _longest(one_word, fit=lambda budget, size: budget // size):
    return lambda budget, layers, d_model, heads, shared_by, each: fit(
        budget, one_word(layers, d_model, heads, shared_by, each)
    )


MISTAKES = (
    Mistake(
        "keys-alone",
        "You count the keys but not the values, or vice versa.",
        _longest(_bytes(both=False)),
        hint="A word leaves a key and a value in every layer.",
    ),
    Mistake(
        "queries-too",
        "You store the queries as well, but an old query is never used again.",
        _longest(_bytes(query=True)),
        hint="Keys and values only.",
    ),
    Mistake(
        "every-head-its-own",
        "You give every head its own keys and values, but here groups of heads share them.",
        _longest(_bytes(shared=False)),
        hint="There are heads // shared_by heads of keys.",
    ),
    Mistake(
        "whole-size-for-each-head",
        "You give each head of keys d_model numbers.",
        _longest(_bytes(whole=True)),
        hint="A head is d_model // heads wide.",
    ),
    Mistake(
        "one-layer",
        "You count one layer, but each layer has its own cache.",
        _longest(_bytes(layers=False)),
        hint="Multiply by the number of layers.",
    ),
    Mistake(
        "counts-numbers",
        "You compare bytes with a count of numbers.",
        _longest(_bytes(each=False)),
        hint="Multiply by the bytes of each number.",
    ),
    Mistake(
        "rounds-up",
        "You round up, or to the nearest: the last word does not fit entirely.",
        _longest(_bytes(), lambda budget, size: -(-budget // size)),
        variants=(_longest(_bytes(), lambda budget, size: round(budget / size)),),
        hint="Use //, which rounds down.",
    ),
    Mistake(
        "part-of-a-word",
        "You return a fraction of a word.",
        _longest(_bytes(), lambda budget, size: budget / size),
        hint="Use //, which rounds down.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="How long may the text get?",
    difficulty=1,
    minutes=6,
    hints=(
        "First the bytes of one word: keys and values, in every layer.",
        "A head is d_model // heads wide, and there are heads // shared_by heads of keys.",
        "Then divide the budget by it, rounding down.",
    ),
    mistakes=MISTAKES,
    section="sec-13-grouped",
    passed=(
        "Sharing keys among g heads makes the text that fits g times as long. Try the sizes of a "
        "model whose description you can find, and compare with the figure's cache."
    ),
    task=Task(
        "longest_text",
        _longest(_bytes()),
        PROBES,
        tolerance=(0, 1e-9),
        steps={
            "one_word": (
                lambda budget, layers, d_model, heads, shared_by, each: _bytes()(
                    layers, d_model, heads, shared_by, each
                ),
            ),
        },
    ),
)
