"""How much of the first token reaches each state of a plain recurrence."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, n, d, d_h, seed, size=0.8):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 2)
    W_x, W_h = (np.round(size * rng.normal(size=(rows, d_h)), 2) for rows in (d, d_h))
    return Probe.of(label, X=X, W_x=W_x, W_h=W_h)


PROBES = (
    _probe("one token", n=1, d=3, d_h=2, seed=96).advise(
        "∂h₁/∂x₁ is W_x, each column times the slope of the tanh, 1 - h²."
    ),
    _probe("two tokens", n=2, d=3, d_h=4, seed=97).advise(
        "To reach h₂ the change goes through W_h, then through the second tanh."
    ),
    _probe("six tokens", n=6, d=2, d_h=3, seed=98).advise(
        "Each step multiplies by W_h and by the slope at that step."
    ),
    _probe("seven tokens and large weights", n=7, d=4, d_h=3, seed=99, size=1.6).advise(
        "Large weights push a tanh to where it is flat: its slope is nearly 0 there."
    ),
)


def _states(X, W_x, W_h):
    h, states = np.zeros(len(W_h)), []
    for x in X:
        h = np.tanh(x @ W_x + h @ W_h)
        states.append(h)
    return np.array(states)


def _slopes(X, W_x, W_h):
    return 1 - _states(X, W_x, W_h) ** 2


def _norms(slopes, W_x, W_h, measure=np.linalg.norm):
    """Norms of ∂h_t/∂x₁: each step multiplies by a slope, then by W_h."""
    J, norms = W_x, []
    for slope in slopes:
        J = J * slope
        norms.append(measure(J))
        J = J @ W_h
    return np.array(norms)


def _first_word(X, W_x, W_h):
    return _norms(_slopes(X, W_x, W_h), W_x, W_h)


def _without_state(X, W_x, W_h):
    """The slopes of a net whose states do not carry over."""
    return _norms(1 - np.tanh(X @ W_x) ** 2, W_x, W_h)


def _slope_before_matrix(X, W_x, W_h):
    """The slope multiplies the rows of W_h, which is before it is gone through, not after."""
    slopes = _slopes(X, W_x, W_h)
    J = W_x * slopes[0]
    norms = [np.linalg.norm(J)]
    for slope in slopes[1:]:
        J = (J * slope) @ W_h
        norms.append(np.linalg.norm(J))
    return np.array(norms)


def _slope_one_step_late(X, W_x, W_h):
    """Each step uses the slope of the state before it."""
    slopes = _slopes(X, W_x, W_h)[:-1]
    return _norms([np.ones(len(W_h)), *slopes], W_x, W_h)


def _own_token(X, W_x, W_h):
    """∂h_t/∂x_t: what each state owes to its own token."""
    return np.array([np.linalg.norm(W_x * slope) for slope in _slopes(X, W_x, W_h)])


def _norm_products(X, W_x, W_h):
    """Powers of a norm: an upper bound without the slopes."""
    powers = np.arange(len(X))
    return np.linalg.norm(W_x) * np.linalg.norm(W_h) ** powers


def _with_slope(slope):
    """The slope of the tanh computed from a state in another way."""
    return lambda X, W_x, W_h: _norms(slope(_states(X, W_x, W_h)), W_x, W_h)


MISTAKES = (
    Mistake(
        "forgets-the-tanh",
        "You multiply the matrices but leave out the slope of the tanh, which each step has as "
        "well.",
        _with_slope(np.ones_like),
        hint="Its slope is 1 - h².",
    ),
    Mistake(
        "uses-h-for-its-slope",
        "You multiply by h = tanh(...) itself, not by the slope of the tanh.",
        _with_slope(lambda h: h),
        hint="Its slope is 1 - h².",
    ),
    Mistake(
        "forgets-the-square",
        "You use 1 - h for the slope of the tanh.",
        _with_slope(lambda h: 1 - h),
        hint="Its slope is 1 - h².",
    ),
    Mistake(
        "uses-the-slope-of-a-sigmoid",
        "You use h (1 - h), which is the slope of a sigmoid, not of tanh.",
        _with_slope(lambda h: h * (1 - h)),
        hint="The slope of tanh is 1 - h².",
    ),
    Mistake(
        "transposes-W_h",
        "You go through the transpose of W_h, which sends each change to other entries.",
        lambda X, W_x, W_h: _norms(_slopes(X, W_x, W_h), W_x, W_h.T),
        hint="With rows as vectors, h @ W_h changes by J @ W_h when h changes by J.",
    ),
    Mistake(
        "slopes-before-W_h",
        "You multiply by a step's slopes before you go through W_h, but the tanh comes after it.",
        _slope_before_matrix,
        hint="They belong to the columns of J @ W_h.",
    ),
    Mistake(
        "uses-the-slope-before",
        "You use the slopes of the previous state.",
        _slope_one_step_late,
        hint="First make the new state, then multiply by its own slopes.",
    ),
    Mistake(
        "forgets-the-state",
        "Your states do not carry over: h never enters the next tanh.",
        _without_state,
        hint="The slope depends on it, so keep h from step to step.",
    ),
    Mistake(
        "asks-for-its-own-token",
        "You differentiate each state by its own token, x_t, instead of by the first.",
        _own_token,
        hint="x₁ was asked for, at every t.",
    ),
    Mistake(
        "multiplies-norms",
        "You multiply norms, and the norm of a product can be smaller than the product of the "
        "norms.",
        _norm_products,
        hint="Multiply the matrices, then take the norm.",
    ),
    Mistake(
        "squares-the-norm",
        "You return the sum of the squares, not the norm.",
        lambda X, W_x, W_h: _first_word(X, W_x, W_h) ** 2,
        hint="The norm is its square root.",
    ),
    Mistake(
        "returns-the-largest-stretch",
        "You return the largest singular value (ord=2), not the Frobenius norm.",
        lambda X, W_x, W_h: _norms(
            _slopes(X, W_x, W_h), W_x, W_h, measure=lambda J: np.linalg.norm(J, ord=2)
        ),
        hint="The root of the sum of the squares is np.linalg.norm(J).",
    ),
    Mistake(
        "returns-the-last-only",
        "You return the norm for the last state only, but one per state was asked for, (n,).",
        lambda X, W_x, W_h: _first_word(X, W_x, W_h)[-1],
        hint="Collect the norms in a list as you go.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="What is left of the first word",
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
    passed=(
        "You have measured a vanishing gradient, or an exploding one. Run it on 100 words, then "
        "multiply W_h by 2, and watch what is left of the first."
    ),
    task=Task("first_word", _first_word, PROBES),
)
