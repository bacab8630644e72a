"""Changes to chapter 2's solutions that still solve the exercise, each with the reason why."""

LENGTHS = "own, other = (np.linalg.norm(x), np.linalg.norm(direction))"
COSINE = "cosine = x @ direction / (own * other)"
RIVAL = "return own / cosine if cosine > 0 else np.inf"
GAP = "gap = np.abs(Y_shuffled - Y[order])"
AGREE = "return bool(np.all(gap <= 1e-09))"

EQUIVALENT = {
    "02-matrix-form": {
        "scores = X @ X.swapaxes(-1, -2) => scores = X @ X.swapaxes(-2, -1)": "a swap",
        "return softmax(scores) @ X => return softmax(scores.swapaxes(-1, -2)) @ X": (
            "X Xᵀ is symmetric"
        ),
    },
    "02-rival": {
        f"{LENGTHS} => {LENGTHS.replace('(x)', '(-x)')}": "the opposite vector is as long",
        f"{LENGTHS} => {LENGTHS.replace('direction', '-direction')}": "the opposite is as long",
        f"{COSINE} => {COSINE.replace('x @ direction', 'direction @ x')}": "a product of vectors",
        f"{RIVAL} => {RIVAL.replace('>', '>=')}": "a length divided by a cosine of 0 is inf too",
    },
    "02-equivariance": {
        f"{GAP} => gap = np.abs(Y[order] - Y_shuffled)": "the size of a gap has no direction",
        f"{AGREE} => return np.all(gap <= 1e-09)": "NumPy's own bool is a bool too",
        f"{AGREE} => {AGREE.replace('<=', '<')}": "no gap is exactly 1e-9",
        f"{AGREE} => {AGREE.replace('gap', 'gap.swapaxes(-1, -2)')}": "in any order",
        f"{AGREE} => {AGREE.replace('1e-09', '2e-09')}": "any slack near 1e-9 is allowed",
        f"{AGREE} => {AGREE.replace('1e-09', '5e-10')}": "any slack near 1e-9 is allowed",
    },
}
