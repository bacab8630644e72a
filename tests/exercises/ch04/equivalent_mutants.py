"""Changes to chapter 4's solutions that still solve the exercise, each with the reason why."""

DOTS = "scores = (Q * K).sum(axis=-1)"
SQUARES = "return (gaps * gaps).mean()"
SLOPES = "return scale * (np.diag(weights) - products)"
SPREAD = "spread = np.sqrt(Q.shape[-1]) * Q.std() * K.std()"
HEAD_SIZE = "d_head = Q.shape[-1]"

EQUIVALENT = {
    "04-score-variance": {
        "gaps = scores - scores.mean() => gaps = scores.mean() - scores": "gaps are squared",
        f"{DOTS} => {DOTS.replace('-1', '1')}": "the last of two axes is axis 1",
        f"{DOTS} => {DOTS.replace('-1', '--1')}": "the last of two axes is axis 1",
        f"{DOTS} => {DOTS.replace('(Q', '(-Q')}": "a variance does not see a sign",
        f"{DOTS} => {DOTS.replace('* K', '* -K')}": "a variance does not see a sign",
        f"{SQUARES} => return (scores * gaps).mean()": "the gaps sum to 0: a constant adds nothing",
        f"{SQUARES} => return (gaps * scores).mean()": "the gaps sum to 0: a constant adds nothing",
    },
    "04-predict-scale": {
        f"{SPREAD} => {SPREAD.replace('[-1]', '[1]')}": "the last of two axes is axis 1",
        f"{SPREAD} => {SPREAD.replace('[-1]', '[--1]')}": "the last of two axes is axis 1",
        f"{SPREAD} => {SPREAD.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{SPREAD} => {SPREAD.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
        f"{SPREAD} => {SPREAD.replace('Q.std', '(-Q).std')}": "a spread does not see a sign",
        f"{SPREAD} => {SPREAD.replace('K.std', '(-K).std')}": "a spread does not see a sign",
        f"{SPREAD} => {SPREAD.replace('Q.std', 'Q.swapaxes(-1, -2).std')}": "nor an order",
        f"{SPREAD} => {SPREAD.replace('K.std', 'K.swapaxes(-1, -2).std')}": "nor an order",
    },
    "04-head-scale": {
        "scores = Q @ K.swapaxes(-1, -2) => scores = Q @ K.swapaxes(-2, -1)": "the same two axes",
        f"{HEAD_SIZE} => d_head = K.shape[-1]": "queries and keys share their size",
        f"{HEAD_SIZE} => d_head = (-Q).shape[-1]": "a sign changes no shape",
    },
    "04-jacobian": {
        f"{SLOPES} => {SLOPES.replace('products', 'products.swapaxes(-1, -2)')}": "it is symmetric",
    },
}
