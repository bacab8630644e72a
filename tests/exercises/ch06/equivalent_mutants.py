"""Changes to chapter 6's solutions that still solve the exercise, each with the reason why."""

JOINED = "return np.logical_and(look, allowed)"
SCORES = "scores = Q @ K.T / np.sqrt(Q.shape[-1])"
SEES = "sees = mask.any(axis=-1)"
ZEROS = "Y = np.zeros((len(Q), V.shape[-1]))"
LAST = "the last of two axes is axis 1"
ROWS = "as many rows as queries"

EQUIVALENT = {
    "06-padding": {
        "return keys < ends => return keys < ends.swapaxes(-1, -2)": "two axes of 1 change places",
    },
    "06-polarity": {
        f"{JOINED} => return np.logical_and(allowed, look)": "and has no order",
    },
    "06-masked-attention": {
        f"{SCORES} => {SCORES.replace('[-1]', '[1]')}": LAST,
        f"{SCORES} => {SCORES.replace('[-1]', '[--1]')}": LAST,
        f"{SCORES} => {SCORES.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{SCORES} => {SCORES.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
        f"{SEES} => {SEES.replace('-1', '1')}": LAST,
        f"{SEES} => {SEES.replace('-1', '--1')}": LAST,
        f"{ZEROS} => {ZEROS.replace('len(Q)', 'len(-Q)')}": "a sign changes no shape",
        f"{ZEROS} => {ZEROS.replace('len(Q)', 'len(mask)')}": ROWS,
        f"{ZEROS} => {ZEROS.replace('len(Q)', 'len(scores)')}": ROWS,
        f"{ZEROS} => {ZEROS.replace('len(Q)', 'len(sees)')}": ROWS,
        f"{ZEROS} => {ZEROS.replace('V.shape', '(-V).shape')}": "a sign changes no shape",
        f"{ZEROS} => {ZEROS.replace('[-1]', '[1]')}": LAST,
        f"{ZEROS} => {ZEROS.replace('[-1]', '[--1]')}": LAST,
    },
}
