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
    Probe.of(
        "five sizes that all differ",
        n=3,
        m=5,
        d_model=8,
        d_k=4,
        d_v=6,
        advice="Write each product with its shapes below it: the two inner numbers must be equal.",
    ),
    Probe.of(
        "a model of width 512 with 64 for keys and 32 for values",
        n=10,
        m=12,
        d_model=512,
        d_k=64,
        d_v=32,
        advice="Return the names of the sizes, not numbers that you worked out for one case.",
    ),
    Probe.of(
        "one query and one key",
        n=1,
        m=1,
        d_model=2,
        d_k=3,
        d_v=5,
        advice="Nothing changes for one token: it is a matrix with one row.",
    ),
)

MISTAKES = (
    Mistake(
        "stores-projections-as-torch-does",
        "Your projections are (out, in), as torch stores them; here a token is a row and "
        "stands on the left of its matrix, so a projection is (in, out). Swap the two numbers.",
        _torch_order,
    ),
    Mistake(
        "transposes-the-weights",
        "Your A is (m, n); rows are queries and columns are keys, so that each row can sum "
        "to 1 over the keys. Put n first.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, A=(m, n)),
    ),
    Mistake(
        "gives-values-the-size-of-keys",
        "You give values d_k columns; keys are compared with queries, values are only "
        "averaged, and they have a size of their own. Use d_v in W_v, V and Y.",
        _values_like_keys,
    ),
    Mistake(
        "counts-keys-as-queries",
        "You use n for the keys too, which holds only if a sequence asks itself. Here n "
        "queries look at m keys: K and V have m rows, and A has m columns.",
        _keys_like_queries,
    ),
    Mistake(
        "returns-to-the-model-size",
        "Your Y has d_model columns, but a blend of values has the size of a value; going back "
        "to d_model takes one more matrix. Give Y the columns of V.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, Y=(n, d_model)),
    ),
    Mistake(
        "gives-every-key-an-output",
        "Your Y has a row for each key; the queries ask, so each query gets one answer. Give Y "
        "the rows of Q.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, Y=(m, d_v)),
    ),
    Mistake(
        "compares-coordinates",
        "Your A is (d_k, d_k), which is what Qᵀ K would give; a weight belongs to a pair of "
        "tokens. Q Kᵀ sums over d_k, and (n, m) is left.",
        lambda n, m, d_model, d_k, d_v: _shapes(n, m, d_model, d_k, d_v, A=(d_k, d_k)),
    ),
)

EXERCISE = Exercise(
    "03-shapes",
    title="The shape of every matrix",
    chapter=3,
    difficulty=1,
    minutes=6,
    hints=(
        "A projection takes d_model numbers and gives d_k or d_v of them: its shape is (in, out).",
        "Q has one row for each query, K and V one for each key. A has a row for each query and a "
        "column for each key.",
        "A V is (n, m) times (m, d_v): the m cancels.",
    ),
    mistakes=MISTAKES,
    section="sec-03-matrix",
    task=Task(
        "shapes",
        _shapes,
        PROBES,
    ),
)
