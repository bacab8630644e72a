"""How much of the first token reaches each state of a plain recurrence."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _net(label, n, d, d_h, seed, advice, size=0.8):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2)
    W_x, W_h = (np.round(size * rng.normal(size=(rows, d_h)), 2) for rows in (d, d_h))
    return Probe(label, {"X": X, "W_x": W_x, "W_h": W_h}, advice)


PROBES = (
    _net(
        "one token",
        1,
        3,
        2,
        96,
        "∂h₁/∂x₁ is W_x, each column times the slope of the tanh, 1 - h².",
    ),
    _net(
        "two tokens",
        2,
        3,
        4,
        97,
        "To reach h₂ the change goes through W_h, then through the second tanh.",
    ),
    _net("six tokens", 6, 2, 3, 98, "Each step multiplies by W_h and by the slope at that step."),
    _net(
        "seven tokens and large weights",
        7,
        4,
        3,
        99,
        "Large weights push a tanh to where it is flat: its slope is nearly 0 there.",
        size=1.6,
    ),
)


def _walk(X, W_x, W_h, slope=lambda h: 1 - h * h, measure=np.linalg.norm, through=None):
    h, J, found = np.zeros(len(W_h)), W_x, []
    through = W_h if through is None else through
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        J = J * slope(h)
        found.append(measure(J))
        J = J @ through
    return np.array(found)


def _first_word(X, W_x, W_h):
    return _walk(X, W_x, W_h)


def _no_state(X, W_x, W_h):
    """The slopes of a net whose states do not carry over."""
    J, found = W_x, []
    for x in X:
        h = np.tanh(x @ W_x)
        J = J * (1 - h * h)
        found.append(np.linalg.norm(J))
        J = J @ W_h
    return np.array(found)


def _slopes(X, W_x, W_h):
    h, found = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        found.append(1 - h * h)
    return found


def _rows(X, W_x, W_h):
    """The slope multiplies the rows of W_h, which is before it is gone through, not after."""
    slopes = _slopes(X, W_x, W_h)
    J = W_x * slopes[0]
    found = [np.linalg.norm(J)]
    for slope in slopes[1:]:
        J = (J * slope) @ W_h
        found.append(np.linalg.norm(J))
    return np.array(found)


def _late(X, W_x, W_h):
    """Each step uses the slope of the state before it."""
    slopes = [np.ones(len(W_h)), *_slopes(X, W_x, W_h)[:-1]]
    J, found = W_x, []
    for slope in slopes:
        J = J * slope
        found.append(np.linalg.norm(J))
        J = J @ W_h
    return np.array(found)


def _linear(X, W_x, W_h):
    return _walk(X, W_x, W_h, slope=np.ones_like)


def _own_token(X, W_x, W_h):
    """∂h_t/∂x_t: what each state owes to its own token."""
    h, found = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        found.append(np.linalg.norm(W_x * (1 - h * h)))
    return np.array(found)


def _last(X, W_x, W_h):
    return _walk(X, W_x, W_h)[-1]


def _matrices_only(X, W_x, W_h):
    """Powers of a norm: an upper bound without the slopes."""
    powers = np.arange(len(X))
    return np.linalg.norm(W_x) * np.linalg.norm(W_h) ** powers


MISTAKES = (
    Mistake(
        "forgets-the-tanh",
        "You multiply the matrices but not the slopes of the tanh, 1 - h². Each step has both.",
        _linear,
    ),
    Mistake(
        "uses-h-for-its-slope",
        "You multiply by h = tanh(…); the slope of tanh is 1 - h².",
        lambda X, W_x, W_h: _walk(X, W_x, W_h, slope=lambda h: h),
    ),
    Mistake(
        "forgets-the-square",
        "You use 1 - h for the slope; for tanh it is 1 - h².",
        lambda X, W_x, W_h: _walk(X, W_x, W_h, slope=lambda h: 1 - h),
    ),
    Mistake(
        "uses-the-slope-of-a-sigmoid",
        "h (1 - h) is the slope of a sigmoid; that of tanh is 1 - h².",
        lambda X, W_x, W_h: _walk(X, W_x, W_h, slope=lambda h: h * (1 - h)),
    ),
    Mistake(
        "transposes-W_h",
        "You go through W_h transposed. With rows as vectors, h W_h changes by J W_h when h "
        "changes by J.",
        lambda X, W_x, W_h: _walk(X, W_x, W_h, through=W_h.T),
    ),
    Mistake(
        "slopes-before-W_h",
        "You multiply by a step's slopes before you go through W_h; the tanh comes after it, so "
        "they belong to the columns of J @ W_h.",
        _rows,
    ),
    Mistake(
        "uses-the-slope-before",
        "You use the slopes of the state before. First make the new state, then multiply by its "
        "own slopes.",
        _late,
    ),
    Mistake(
        "forgets-the-state",
        "Your states do not carry over: h must enter the next tanh, because the slope depends on "
        "it.",
        _no_state,
    ),
    Mistake(
        "asks-for-its-own-token",
        "You differentiate each state by its own token, x_t. Asked for is the first, x₁, for "
        "every t.",
        _own_token,
    ),
    Mistake(
        "multiplies-norms",
        "You multiply norms; the norm of a product is at most the product of the norms. Multiply "
        "the matrices, then take the norm.",
        _matrices_only,
    ),
    Mistake(
        "squares-the-norm",
        "You return the sum of the squares; the norm is its root.",
        lambda X, W_x, W_h: _walk(X, W_x, W_h) ** 2,
    ),
    Mistake(
        "returns-the-largest-stretch",
        "You return the largest singular value (ord=2). Asked for is the Frobenius norm, the root "
        "of the sum of the squares: np.linalg.norm(J).",
        lambda X, W_x, W_h: _walk(X, W_x, W_h, measure=lambda J: np.linalg.norm(J, ord=2)),
    ),
    Mistake(
        "returns-the-last-only",
        "You return the norm for the last state; one for each state was asked for, (n,).",
        _last,
    ),
)

EXERCISE = Exercise(
    "09-first-word",
    "What is left of the first word",
    9,
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
