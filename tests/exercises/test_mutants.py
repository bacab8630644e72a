"""Break each solution in many small ways: the check must notice.

A mutant that still passes is listed in EQUIVALENT with the reason why it is no mistake.
"""

import ast
import copy
import signal
from pathlib import Path

import pytest
from chapter_source import read_chapter

from attn.exercises import check

CHAPTERS = sorted((Path(__file__).parents[2] / "book").glob("[0-9]*.md"))
EXERCISES = [exercise for path in CHAPTERS for exercise in read_chapter(path).exercises]

OPERATORS = {
    ast.Add: [ast.Sub, ast.Mult],
    ast.Sub: [ast.Add, ast.Mult],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult, ast.Sub],
    ast.MatMult: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.Mult],
}
COMPARISONS = {
    ast.Lt: [ast.Gt, ast.LtE],
    ast.LtE: [ast.GtE, ast.Lt],
    ast.Gt: [ast.Lt, ast.GtE],
    ast.GtE: [ast.LtE, ast.Gt],
}
TWINS = {
    "max": ["min", "mean", "sum"],
    "min": ["max"],
    "sum": ["max", "mean", "prod"],
    "mean": ["sum"],
    "cos": ["sin"],
    "sin": ["cos"],
    "all": ["any"],
    "any": ["all"],
    "exp": ["abs", "exp2", "expm1"],
}
# A vector is its own transpose.
VECTORS = {"angles", "furthest", "gaps", "output", "query", "scores", "weights"}


def _variants(node, names):
    """Other nodes to put in the place of this one."""
    if isinstance(node, ast.BinOp):
        yield from (ast.BinOp(node.left, op(), node.right) for op in OPERATORS[type(node.op)])
        yield from (node.left, node.right)
        if not isinstance(node.op, ast.Add | ast.Mult):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Compare):
        for operator in COMPARISONS[type(node.ops[0])]:
            yield ast.Compare(node.left, [operator()], node.comparators)
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, _other_constants(node.value))
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.Attribute):
        yield from (ast.Attribute(node.value, t, node.ctx) for t in TWINS.get(node.attr, []))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        yield from (ast.Name(other, node.ctx) for other in names if other != node.id)
        if node.id not in VECTORS:
            yield ast.Attribute(node, "T", ast.Load())
        yield ast.UnaryOp(ast.USub(), node)


def _other_constants(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        others = [value + 1, value - 1, value * 2, value / 2, -value]
        return [other for other in dict.fromkeys(others) if other != value]
    return []


def _other_calls(node):
    if node.args:
        yield node.args[0]
    elif isinstance(node.func, ast.Attribute):
        yield node.func.value
    if len(node.args) > 1:
        yield ast.Call(node.func, node.args[::-1], node.keywords)
    for index in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])


def _local_names(function):
    bound = [n.id for n in ast.walk(function) if isinstance(n, ast.Name)]
    stored = [
        n.id
        for n in ast.walk(function)
        if isinstance(getattr(n, "ctx", None), ast.Store) and isinstance(n, ast.Name)
    ]
    arguments = [a.arg for a in function.args.args + function.args.kwonlyargs]
    return sorted(set(arguments + [name for name in bound if name in stored]))


def _sites(wanted):
    """Places (parent, field, index) of the nodes inside a function's body."""
    for parent in ast.walk(wanted):
        for name, value in ast.iter_fields(parent):
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.expr) and parent is not wanted:
                    yield parent, name, index if isinstance(value, list) else None


def _put(parent, field, index, node):
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _take(parent, field, index):
    value = getattr(parent, field)
    return value if index is None else value[index]


def _mutants(source, name):
    """(changed line, mutated source) for every single change of the function."""
    tree = ast.parse(source)
    tree.body.pop()
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    function.body = [s for s in function.body if not _is_docstring(s)]
    before = ast.unparse(tree)
    for mutated in dict.fromkeys(_changed_sources(tree, function)):
        if mutated != before:  # a swap of equal operands changes nothing
            yield _difference(before, mutated), mutated


def _changed_sources(tree, function):
    names = _local_names(function)
    for place in list(_sites(function)):
        original = _take(*place)
        for variant in list(_variants(original, names)):
            _put(*place, copy.deepcopy(variant))
            yield ast.unparse(tree)
            _put(*place, original)
    for block in [n for n in ast.walk(function) if isinstance(getattr(n, "body", None), list)]:
        for statements in (block.body, getattr(block, "orelse", [])):
            for index, statement in enumerate(list(statements)):
                statements[index] = ast.Pass()
                yield ast.unparse(tree)
                statements[index] = statement


def _difference(before, after):
    """The first line that differs, as `old => new`."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(f"{a.strip()} => {b.strip()}" for a, b in pairs if a != b)


def _is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _interrupt(signum, frame):
    raise KeyboardInterrupt


def _passes(exercise, source):
    """Whether a mutant passes; one that does not come to an end does not."""
    space = {}
    exec(compile(source, "mutant", "exec"), space)
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
    try:
        return check(exercise.id, space[exercise.function]).passed is True
    except KeyboardInterrupt:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


BETA_START = "low, high = (0.0, 1.0)"
BETA_GROWS = "high = 2 * high"
BETA_LOOP = "while 1 / np.exp(-high * gaps).sum() < 0.99:"
BETA_TEST = "if 1 / np.exp(-middle * gaps).sum() < 0.99:"
BETA_HALVINGS = "for _ in range(50):"
ANGLES = "angles = np.linspace(0, 2 * np.pi, 360)"
DIRECTIONS = "directions = np.stack([np.cos(angles), np.sin(angles)])"
SCORE = "scores[i, j] = Q[i] @ K[j] / np.sqrt(Q.shape[1])"
SCORES = "scores = np.zeros((len(Q), len(K)))"
ASK = "W_q = 20 * one_hot[wants]"
CROSS = "return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"
DECISION = "return bool(np.all(output @ directions <= furthest + 1e-09))"
DOTS = "scores = (Q * K).sum(axis=-1)"
SQUARES = "return (gaps * gaps).mean()"
SCALE_START = "low, high = (0.0, 1000.0)"
SCALE_HALVINGS = "for _ in range(60):"
SCALE_TEST = "if entropies.mean() > target:"
ENTROPIES = "entropies = -(A * np.log(np.maximum(A, 1e-300))).sum(axis=-1)"
SLOPES = "return scale * (np.diag(weights) - products)"
HEAD_SIZE = "d_head = Q.shape[-1]"

LENGTHS = "own, other = (np.linalg.norm(x), np.linalg.norm(direction))"
COSINE = "cosine = x @ direction / (own * other)"
RIVAL = "return own / cosine if cosine > 0 else np.inf"
GAP = "gap = np.abs(Y_shuffled - Y[order])"
AGREE = "return bool(np.all(gap <= 1e-09))"

# Mutants that solve the exercise all the same, with the reason why.
EQUIVALENT = {
    "01-choose-beta": {
        f"{BETA_START} => low, high = (0.0, 2.0)": "any upper end will do: it is doubled or halved",
        f"{BETA_START} => low, high = (0.0, 0.5)": "any upper end will do: it is doubled or halved",
        f"{BETA_LOOP} => {BETA_LOOP.replace('<', '<=')}": "equality at a power of two never occurs",
        f"{BETA_LOOP} => {BETA_LOOP.replace('exp', 'exp2')}": "only asks for a higher upper end",
        f"{BETA_GROWS} => high = 2 + high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = 3 * high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = 4 * high": "the upper end still grows without limit",
        f"{BETA_GROWS} => high = -2 * high": "a negative end is never sharp; its double is tried",
        f"{BETA_GROWS} => high = 2 * -high": "a negative end is never sharp; its double is tried",
        f"{BETA_HALVINGS} => for _ in range(49):": "the interval is below 1e-12 by then",
        f"{BETA_HALVINGS} => for _ in range(51):": "one more halving changes nothing",
        f"{BETA_HALVINGS} => for _ in range(100):": "more halvings change nothing",
        f"{BETA_TEST} => {BETA_TEST.replace('<', '<=')}": "moves one end of an interval of 1e-12",
        "return high => return low": "the two ends differ by less than 1e-12",
        "return high => return middle": "the middle lies between two ends 1e-12 apart",
    },
    "01-inside-the-hull": {
        f"{ANGLES} => {ANGLES.replace('(0', '(-1')}": "goes round once and a little more",
        f"{ANGLES} => {ANGLES.replace('360', '359')}": "still about one direction per degree",
        f"{ANGLES} => {ANGLES.replace('360', '361')}": "still about one direction per degree",
        f"{ANGLES} => {ANGLES.replace('360', '720')}": "more directions than needed",
        f"{ANGLES} => {ANGLES.replace('2 *', '3 *')}": "goes round one and a half times",
        f"{ANGLES} => {ANGLES.replace('2 *', '4 *')}": "goes round twice",
        f"{ANGLES} => {ANGLES.replace('2 *', '-2 *')}": "goes round clockwise",
        f"{DIRECTIONS} => {DIRECTIONS.replace('cos(a', 'cos(-a')}": "the cosine is even",
        f"{DIRECTIONS} => {DIRECTIONS.replace('sin(a', 'sin(-a')}": "goes round clockwise",
        f"{DIRECTIONS} => directions = [np.cos(angles), np.sin(angles)]": "@ reads a list of rows",
        f"{DECISION} => {DECISION.replace('bool(', '', 1)[:-1]}": "NumPy's own bool is a bool too",
        f"{DECISION} => {DECISION.replace('<=', '<')}": "with slack, equality does not matter",
        f"{DECISION} => {DECISION.replace('1e-09', '2e-09')}": "any slack near 1e-9 is allowed",
        f"{DECISION} => {DECISION.replace('1e-09', '5e-10')}": "any slack near 1e-9 is allowed",
    },
    "02-matrix-form": {
        "scores = X @ X.swapaxes(-1, -2) => scores = X @ X.swapaxes(-2, -1)": "a swap",
    },
    "02-rival": {
        f"{LENGTHS} => {LENGTHS.replace('(x)', '(x.T)')}": "a vector is its own transpose",
        f"{LENGTHS} => {LENGTHS.replace('(x)', '(-x)')}": "the opposite vector is as long",
        f"{LENGTHS} => {LENGTHS.replace('direction', 'direction.T')}": "a vector is its transpose",
        f"{LENGTHS} => {LENGTHS.replace('direction', '-direction')}": "the opposite is as long",
        f"{COSINE} => {COSINE.replace('x @ direction', 'direction @ x')}": "a product of vectors",
        f"{COSINE} => {COSINE.replace('x @', 'x.T @')}": "a vector is its own transpose",
        f"{COSINE} => {COSINE.replace('direction', 'direction.T')}": "a vector is its transpose",
        f"{COSINE} => {COSINE.replace('own', 'own.T')}": "a number is its own transpose",
        f"{COSINE} => {COSINE.replace('other', 'other.T')}": "a number is its own transpose",
        f"{RIVAL} => {RIVAL.replace('own', 'own.T')}": "a number is its own transpose",
        f"{RIVAL} => {RIVAL.replace('/ cosine', '/ cosine.T')}": "a number is its own transpose",
        f"{RIVAL} => {RIVAL.replace('cosine >', 'cosine.T >')}": "a number is its own transpose",
        f"{RIVAL} => {RIVAL.replace('>', '>=')}": "a length divided by a cosine of 0 is inf too",
    },
    "02-equivariance": {
        f"{GAP} => gap = np.abs(Y[order] - Y_shuffled)": "the size of a gap has no direction",
        f"{GAP} => {GAP.replace('order', 'order.T')}": "a vector is its own transpose",
        f"{AGREE} => return np.all(gap <= 1e-09)": "NumPy's own bool is a bool too",
        f"{AGREE} => {AGREE.replace('<=', '<')}": "no gap is exactly 1e-9",
        f"{AGREE} => {AGREE.replace('gap', 'gap.T')}": "all entries are looked at, in any order",
        f"{AGREE} => {AGREE.replace('1e-09', '2e-09')}": "any slack near 1e-9 is allowed",
        f"{AGREE} => {AGREE.replace('1e-09', '5e-10')}": "any slack near 1e-9 is allowed",
    },
    "02-tag": {
        "return Y @ w + b => return Y @ w.T + b": "a vector is its own transpose",
    },
    "03-swapped-index": {
        f"{SCORES} => {SCORES.replace('(Q)', '(-Q)')}": "a sign changes no length",
        f"{SCORES} => {SCORES.replace('(K)', '(-K)')}": "a sign changes no length",
        f"{SCORES} => {SCORES.replace('(K)', '(V)')}": "there is one value for each key",
        "for i in range(len(Q)): => for i in range(len(scores)):": "scores has a row a query",
        "for i in range(len(Q)): => for i in range(len(-Q)):": "a sign changes no length",
        "for j in range(len(K)): => for j in range(len(V)):": "there is one value for each key",
        "for j in range(len(K)): => for j in range(len(-K)):": "a sign changes no length",
        f"{SCORE} => {SCORE.replace('Q[i] @ K[j]', 'K[j] @ Q[i]')}": "a dot product commutes",
        f"{SCORE} => {SCORE.replace('[1]', '[-1]')}": "the last of two axes is axis 1",
        f"{SCORE} => {SCORE.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{SCORE} => {SCORE.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
    },
    "03-design": {
        f"{ASK} => {ASK.replace('20', '19')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('20', '21')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('20', '40')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('20', '10.0')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('one_hot', 'one_hot.T')}": "the identity is symmetric",
        f"{ASK} => {ASK.replace('wants', 'wants.T')}": "a vector is its own transpose",
        "W_k = one_hot => W_k = one_hot.T": "the identity is symmetric",
        "return (W_q, W_k) => return (W_q, W_k.T)": "the identity is symmetric",
        "return (W_q, W_k) => return (W_q, one_hot)": "W_k is one_hot",
        "one_hot = np.eye(len(wants)) => one_hot = np.eye(len(wants.T))": "the same length",
        "one_hot = np.eye(len(wants)) => one_hot = np.eye(len(-wants))": "the same length",
    },
    "03-cross-attention": {
        f"{CROSS} => {CROSS.replace('[-1]', '[1]')}": "the last of two axes is axis 1",
        f"{CROSS} => {CROSS.replace('[-1]', '[--1]')}": "the last of two axes is axis 1",
        f"{CROSS} => {CROSS.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{CROSS} => {CROSS.replace('Q.shape', 'W_k.shape')}": "keys have the columns of W_k",
        f"{CROSS} => {CROSS.replace('Q.shape', 'W_q.shape')}": "queries have the columns of W_q",
        f"{CROSS} => {CROSS.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
    },
    "03-gated-pool": {
        "scores = np.tanh(H @ W_tanh) * gate @ w => scores = np.tanh(H @ W_tanh) * gate @ w.T": (
            "a vector is its own transpose"
        ),
    },
    "04-score-variance": {
        "gaps = scores - scores.mean() => gaps = scores.mean() - scores": "gaps are squared",
        f"{DOTS} => {DOTS.replace('-1', '1')}": "the last of two axes is axis 1",
        f"{DOTS} => {DOTS.replace('-1', '--1')}": "the last of two axes is axis 1",
        f"{DOTS} => {DOTS.replace('(Q', '(-Q')}": "a variance does not see a sign",
        f"{DOTS} => {DOTS.replace('* K', '* -K')}": "a variance does not see a sign",
        f"{SQUARES} => return (scores * gaps).mean()": "the gaps sum to 0: a constant adds nothing",
        f"{SQUARES} => return (gaps * scores).mean()": "the gaps sum to 0: a constant adds nothing",
    },
    "04-find-scale": {
        f"{SCALE_START} => low, high = (-1.0, 1000.0)": "the first halvings leave it behind",
        f"{SCALE_START} => low, high = (0.0, 1001.0)": "any upper end that is too sharp will do",
        f"{SCALE_START} => low, high = (0.0, 999.0)": "any upper end that is too sharp will do",
        f"{SCALE_START} => low, high = (0.0, 2000.0)": "any upper end that is too sharp will do",
        f"{SCALE_START} => low, high = (0.0, 500.0)": "any upper end that is too sharp will do",
        f"{SCALE_HALVINGS} => for _ in range(59):": "the interval is below 1e-14 by then",
        f"{SCALE_HALVINGS} => for _ in range(61):": "one more halving changes nothing",
        f"{SCALE_HALVINGS} => for _ in range(120):": "more halvings change nothing",
        f"{SCALE_TEST} => {SCALE_TEST.replace('>', '>=')}": "moves one end of a tiny interval",
        f"{SCALE_TEST} => {SCALE_TEST.replace('.mean', '.T.mean')}": "a vector has no transpose",
        f"{ENTROPIES} => {ENTROPIES.replace('=-1', '=1')}": "the last of two axes is axis 1",
        f"{ENTROPIES} => {ENTROPIES.replace('=-1', '=--1')}": "the last of two axes is axis 1",
        f"{ENTROPIES} => {ENTROPIES.replace('A, 1e-300', '1e-300, A')}": "a maximum has no order",
        f"{ENTROPIES} => {ENTROPIES.replace('1e-300', '2e-300')}": "any tiny floor will do",
        f"{ENTROPIES} => {ENTROPIES.replace('1e-300', '5e-301')}": "any tiny floor will do",
        **{
            f"{ENTROPIES} => {ENTROPIES.replace('np.maximum(A, 1e-300)', bare)}": (
                "a weight of 0 gives nan, which counts as too sharp, and it is"
            )
            for bare in ("A", "np.maximum(A, -1.0)", "np.maximum(A, -1e-300)")
        },
        "return high => return low": "the two ends differ by less than 1e-14",
        "return high => return middle": "the middle lies between two ends 1e-14 apart",
    },
    "04-head-scale": {
        "scores = Q @ K.swapaxes(-1, -2) => scores = Q @ K.swapaxes(-2, -1)": "the same two axes",
        f"{HEAD_SIZE} => d_head = K.shape[-1]": "queries and keys share their size",
        f"{HEAD_SIZE} => d_head = (-Q).shape[-1]": "a sign changes no shape",
    },
    "04-jacobian": {
        f"{SLOPES} => {SLOPES.replace('products', 'products.T')}": "p pᵀ is symmetric",
    },
}


def _survivors(exercise):
    made = list(_mutants(exercise.solution, exercise.function))
    return made, [what for what, source in made if _passes(exercise, source)]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_broken_solution_is_rejected_unless_it_is_no_mistake(exercise):
    made, survivors = _survivors(exercise)
    known = EQUIVALENT.get(exercise.id, {})
    unexplained = [what for what in survivors if what not in known]
    real = [what for what, _ in made if what not in known]
    assert len(real) >= 15
    assert len(unexplained) <= 0.02 * len(real), unexplained
    assert set(known) <= set(survivors), "an entry of EQUIVALENT no longer survives: remove it"


def test_the_unbroken_solutions_survive():
    assert EXERCISES
    assert all(_passes(e, e.solution.rsplit("\n", 1)[0]) for e in EXERCISES)
