"""Changes to chapter 4's solutions that still solve the exercise, each with the reason why."""

DOTS = "scores = (Q * K).sum(axis=-1)"
SQUARES = "return (gaps * gaps).mean()"
SCALE_START = "low, high = (0.0, 1000.0)"
SCALE_HALVINGS = "for _ in range(60):"
SCALE_TEST = "if entropies.mean() > target:"
ENTROPIES = "entropies = -(A * np.log(np.maximum(A, 1e-300))).sum(axis=-1)"
SLOPES = "return scale * (np.diag(weights) - products)"
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
        f"{SLOPES} => {SLOPES.replace('products', 'products.swapaxes(-1, -2)')}": "it is symmetric",
    },
}
