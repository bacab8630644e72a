"""The shape of every matrix, from five sizes."""

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _shapes(n, m, d_model, d_k, d_v, **other):
    """The eight shapes in the order asked for, with some replaced."""
    right = {
        "W_q": (d_model, d_k),
        "W_k": (d_model, d_k),
        "W_v": (d_model, d_v),
        "Q": (n, d_k),
        "K": (m, d_k),
        "V": (m, d_v),
        "A": (n, m),
        "Y": (n, d_v),
    }
    return list((right | other).values())


def _torch_order(n, m, d_model, d_k, d_v):
    turned = {"W_q": (d_k, d_model), "W_k": (d_k, d_model), "W_v": (d_v, d_model)}
    return _shapes(n, m, d_model, d_k, d_v, **turned)


def _values_like_keys(n, m, d_model, d_k, d_v):
    return _shapes(n, m, d_model, d_k, d_k)


def _keys_like_queries(n, m, d_model, d_k, d_v):
    return _shapes(n, n, d_model, d_k, d_v)


PROBES = (
    Probe.of("five sizes that all differ", n=3, m=5, d_model=8, d_k=4, d_v=6).advise(
        "Write each product with its shapes below it: the two inner numbers must be equal."
    ),
    Probe.of(
        "a model of width 512 with 64 for keys and 32 for values",
        n=10,
        m=12,
        d_model=512,
        d_k=64,
        d_v=32,
    ).advise("Use the names of the sizes, not numbers that you worked out for one case."),
    Probe.of("one query and one key", n=1, m=1, d_model=2, d_k=3, d_v=5).advise(
        "Nothing changes for one token: it is a matrix with one row."
    ),
)

MISTAKES = (
    Mistake(
        "stores-projections-as-torch-does",
        "Your projections are (out, in), as torch stores them. Here a token is a row on the left "
        "of its matrix.",
        _torch_order,
        hint="A projection is (in, out): swap the two numbers of W_q, W_k and W_v.",
    ),
    Mistake(
        "transposes-the-weights",
        "Your A is (m, n), but its rows are queries and its columns keys, so that each row can sum"
        " to 1 over the keys.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, A=(m, n)),
        hint="Put n first.",
    ),
    Mistake(
        "gives-values-the-size-of-keys",
        "You give the values d_k columns. Keys are compared with queries, but values are only "
        "averaged, and they have a size of their own.",
        _values_like_keys,
        hint="W_v, V and Y have d_v columns.",
    ),
    Mistake(
        "counts-keys-as-queries",
        "You use n for the keys too, which holds only if a sequence asks itself.",
        _keys_like_queries,
        hint="Here n queries look at m keys: K and V have m rows, and A has m columns.",
    ),
    Mistake(
        "returns-to-the-model-size",
        "Your Y has d_model columns, but a blend of values has the size of a value.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, Y=(n, d_model)),
        hint="Going back to d_model would take one more matrix. Give Y the columns of V.",
    ),
    Mistake(
        "gives-every-key-an-output",
        "Your Y has a row for each key, but it is the queries that ask and get an answer.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, Y=(m, d_v)),
        hint="Give Y the rows of Q.",
    ),
    Mistake(
        "compares-coordinates",
        "Your A is (d_k, d_k), which is what Qᵀ K would give, but a weight belongs to a pair of "
        "tokens.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, A=(d_k, d_k)),
        hint="Q Kᵀ sums over d_k, and (n, m) is left.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The shape of every matrix",
    difficulty=1,
    minutes=6,
    hints=(
        "A projection takes d_model numbers and gives d_k or d_v of them: its shape is (in, out).",
        "Q has one row per query, K and V one per key. A has a row for each query and a column for"
        " each key.",
        "A V is (n, m) times (m, d_v): the m cancels.",
    ),
    mistakes=MISTAKES,
    section="sec-03-matrix",
    passed=(
        "You can now read off every product in this chapter. Change the sizes in the figure of "
        "shapes and see where each of them appears."
    ),
    task=Task(
        "shapes",
        _shapes,
        PROBES,
        row_names=("W_q", "W_k", "W_v", "Q", "K", "V", "A", "Y"),
    ),
)
