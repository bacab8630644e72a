"""Changes to chapter 9's solutions that still solve the exercise, each with the reason why."""

DONE = "done = np.zeros(len(needs), dtype=int)"
SCORES = "scores = np.stack([score, np.zeros_like(score)])"
BLEND = "return (weights * np.stack([h, candidate])).sum(axis=0)"
START = "h, J, norms = (np.zeros(len(W_h)), W_x, [])"
STATE = "h = np.tanh(x @ W_x + h @ W_h)"
SLOPE = "J = J * (1 - h * h)"
NORM = "norms.append(np.linalg.norm(J))"
EQUAL = "return max(0, (recurrence - projections) / (2 * d))"
READ = "Y.append(q @ S / (q @ z))"
LOOP = "for q, k, v in zip(Q, K, V):"
SIGN = "a norm does not see a sign"
FLIPPED = "with all words negated every state is, as tanh is odd, and the slopes stay"
LIST = "a list of the same numbers"

EQUIVALENT = {
    "09-steps-in-turn": {
        f"{DONE} => done = np.zeros(len(needs))": "whole numbers, held as floats",
        f"{DONE} => {DONE.replace('needs', 'needs.swapaxes(-1, -2)')}": "needs is square",
    },
    "09-gated-step": {
        f"{SCORES} => scores = [score, np.zeros_like(score)]": LIST,
        f"{SCORES} => {SCORES.replace('like(score', 'like(candidate')}": "they have one shape",
        f"{SCORES} => {SCORES.replace('like(score', 'like(h')}": "they have one shape",
        f"{SCORES} => {SCORES.replace('like(score', 'like(-score')}": "a sign changes no shape",
        f"{BLEND} => return (weights * [h, candidate]).sum(axis=0)": LIST,
    },
    "09-first-word": {
        "for x in X: => for x in -X:": FLIPPED,
        "return np.array(norms) => return norms": LIST,
        f"{START} => {START.replace(' W_x', ' -W_x')}": SIGN,
        f"{START} => {START.replace('len(W_h', 'len(W_h.swapaxes(-1, -2)')}": "W_h is square",
        f"{START} => {START.replace('len(W_h', 'len(-W_h')}": "a sign changes no length",
        f"{SLOPE} => J = -J * (1 - h * h)": SIGN,
        f"{SLOPE} => J = J * (h * h - 1)": SIGN,
        "J = J @ W_h => J = -J @ W_h": SIGN,
        "J = J @ W_h => J = J @ -W_h": SIGN,
        f"{NORM} => {NORM.replace('(J)', '(J.swapaxes(-1, -2))')}": "a norm sees no order",
        f"{NORM} => {NORM.replace('(J)', '(-J)')}": SIGN,
        f"{STATE} => {STATE.replace('(x', '(-x')}": FLIPPED,
        f"{STATE} => {STATE.replace('W_x', '-W_x')}": FLIPPED,
    },
    "09-crossover": {
        f"{EQUAL} => return max((recurrence - projections) / (2 * d), 0)": "max sees no order",
    },
    "09-recurrent-form": {
        "return np.array(Y) => return Y": LIST,
        f"{LOOP} => {LOOP.replace('Q', '-Q')}": "a sign above and below the line cancels",
        f"{LOOP} => {LOOP.replace('K', '-K')}": "a sign above and below the line cancels",
        f"{READ} => Y.append(q @ S / (z @ q))": "a dot product sees no order",
    },
}
