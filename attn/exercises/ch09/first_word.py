"""How much of the first token reaches each state of a plain recurrence."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, d_h, seed, advice, size=0.8):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2)
    W_x, W_h = (np.round(size * rng.normal(size=(rows, d_h)), 2) for rows in (d, d_h))
    return Probe(label, {"X": X, "W_x": W_x, "W_h": W_h}, advice)


PROBES = (
    _probe(
        "one token",
        n=1,
        d=3,
        d_h=2,
        seed=96,
        advice="∂h₁/∂x₁ is W_x, each column times the slope of the tanh, 1 - h².",
    ),
    _probe(
        "two tokens",
        n=2,
        d=3,
        d_h=4,
        seed=97,
        advice="To reach h₂ the change goes through W_h, then through the second tanh.",
    ),
    _probe(
        "six tokens",
        n=6,
        d=2,
        d_h=3,
        seed=98,
        advice="Each step multiplies by W_h and by the slope at that step.",
    ),
    _probe(
        "seven tokens and large weights",
        n=7,
        d=4,
        d_h=3,
        seed=99,
        advice="Large weights push a tanh to where it is flat: its slope is nearly 0 there.",
        size=1.6,
    ),
)


def _gradient_norms(X, W_x, W_h, slope=lambda h: 1 - h * h, measure=np.linalg.norm, through=None):
    h, J, norms = np.zeros(len(W_h)), W_x, []
    through = W_h if through is None else through
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        J = J * slope(h)
        norms.append(measure(J))
        J = J @ through
    return np.array(norms)


def _first_word(X, W_x, W_h):
    return _gradient_norms(X, W_x, W_h)


def _norms_without_state(X, W_x, W_h):
    """The slopes of a net whose states do not carry over."""
    J, norms = W_x, []
    for x in X:
        h = np.tanh(x @ W_x)
        J = J * (1 - h * h)
        norms.append(np.linalg.norm(J))
        J = J @ W_h
    return np.array(norms)


def _slopes(X, W_x, W_h):
    h, norms = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        norms.append(1 - h * h)
    return norms


def _norms_by_rows(X, W_x, W_h):
    """The slope multiplies the rows of W_h, which is before it is gone through, not after."""
    slopes = _slopes(X, W_x, W_h)
    J = W_x * slopes[0]
    norms = [np.linalg.norm(J)]
    for slope in slopes[1:]:
        J = (J * slope) @ W_h
        norms.append(np.linalg.norm(J))
    return np.array(norms)


def _norms_one_step_late(X, W_x, W_h):
    """Each step uses the slope of the state before it."""
    slopes = [np.ones(len(W_h)), *_slopes(X, W_x, W_h)[:-1]]
    J, norms = W_x, []
    for slope in slopes:
        J = J * slope
        norms.append(np.linalg.norm(J))
        J = J @ W_h
    return np.array(norms)


def _norms_without_tanh(X, W_x, W_h):
    return _gradient_norms(X, W_x, W_h, slope=np.ones_like)


def _own_token_norms(X, W_x, W_h):
    """∂h_t/∂x_t: what each state owes to its own token."""
    h, norms = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        norms.append(np.linalg.norm(W_x * (1 - h * h)))
    return np.array(norms)


def _last_norm(X, W_x, W_h):
    return _gradient_norms(X, W_x, W_h)[-1]


def _norm_products(X, W_x, W_h):
    """Powers of a norm: an upper bound without the slopes."""
    powers = np.arange(len(X))
    return np.linalg.norm(W_x) * np.linalg.norm(W_h) ** powers


MISTAKES = (
    Mistake(
        "forgets-the-tanh",
        "You multiply the matrices but not the slopes of the tanh, 1 - h². Each step has both.",
        _norms_without_tanh,
    ),
    Mistake(
        "uses-h-for-its-slope",
        "You multiply by h = tanh(…); the slope of tanh is 1 - h².",
        lambda X, W_x, W_h: _gradient_norms(X, W_x, W_h, slope=lambda h: h),
    ),
    Mistake(
        "forgets-the-square",
        "You use 1 - h for the slope; for tanh it is 1 - h².",
        lambda X, W_x, W_h: _gradient_norms(X, W_x, W_h, slope=lambda h: 1 - h),
    ),
    Mistake(
        "uses-the-slope-of-a-sigmoid",
        "h (1 - h) is the slope of a sigmoid; that of tanh is 1 - h².",
        lambda X, W_x, W_h: _gradient_norms(X, W_x, W_h, slope=lambda h: h * (1 - h)),
    ),
    Mistake(
        "transposes-W_h",
        "You go through W_h transposed. With rows as vectors, h W_h changes by J W_h when h "
        "changes by J.",
        lambda X, W_x, W_h: _gradient_norms(X, W_x, W_h, through=W_h.T),
    ),
    Mistake(
        "slopes-before-W_h",
        "You multiply by a step's slopes before you go through W_h; the tanh comes after it, so "
        "they belong to the columns of J @ W_h.",
        _norms_by_rows,
    ),
    Mistake(
        "uses-the-slope-before",
        "You use the slopes of the state before. First make the new state, then multiply by its "
        "own slopes.",
        _norms_one_step_late,
    ),
    Mistake(
        "forgets-the-state",
        "Your states do not carry over: h must enter the next tanh, because the slope depends on "
        "it.",
        _norms_without_state,
    ),
    Mistake(
        "asks-for-its-own-token",
        "You differentiate each state by its own token, x_t. Asked for is the first, x₁, for "
        "every t.",
        _own_token_norms,
    ),
    Mistake(
        "multiplies-norms",
        "You multiply norms; the norm of a product is at most the product of the norms. Multiply "
        "the matrices, then take the norm.",
        _norm_products,
    ),
    Mistake(
        "squares-the-norm",
        "You return the sum of the squares; the norm is its root.",
        lambda X, W_x, W_h: _gradient_norms(X, W_x, W_h) ** 2,
    ),
    Mistake(
        "returns-the-largest-stretch",
        "You return the largest singular value (ord=2). Asked for is the Frobenius norm, the root "
        "of the sum of the squares: np.linalg.norm(J).",
        lambda X, W_x, W_h: _gradient_norms(
            X, W_x, W_h, measure=lambda J: np.linalg.norm(J, ord=2)
        ),
    ),
    Mistake(
        "returns-the-last-only",
        "You return the norm for the last state; one for each state was asked for, (n,).",
        _last_norm,
    ),
)

EXERCISE = Exercise(
    "09-first-word",
    title="What is left of the first word",
    chapter=9,
    difficulty=3,
    minutes=15,
    hints=(
        "Carry a matrix J = ∂h_t/∂x₁ along with the state, (d, d_h): entry (i, j) says how h_j "
        "moves with entry i of x₁.",
        "At the first token J is W_x with column j times 1 - h_j². In NumPy: W_x * (1 - h * h).",
        "From one state to the next: J @ W_h, then times the new slopes.",
    ),
    mistakes=MISTAKES,
    section="sec-09-gradient",
    task=Task("first_word", _first_word, PROBES),
)
