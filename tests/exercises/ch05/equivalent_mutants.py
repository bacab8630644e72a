"""Changes to chapter 5's solutions that still solve the exercise, each with the reason why."""

CUT = "parts = X.reshape(n, heads, d // heads)"
SPLIT = "return part.reshape(n, heads, -1).swapaxes(0, 1)"
MERGE = "merged = blends.swapaxes(0, 1).reshape(n, -1)"
LEFT_OVER = "NumPy reads a negative size as whatever is left over"
SAME_AXES = "the same two axes"
SIGN = "a sign changes no shape"

EQUIVALENT = {
    "05-split-heads": {
        "return parts.swapaxes(0, 1) => return parts.swapaxes(1, 0)": SAME_AXES,
        "n, d = X.shape => n, d = (-X).shape": SIGN,
        f"{CUT} => {CUT.replace('(n', '(-n')}": LEFT_OVER,
        f"{CUT} => {CUT.replace(', heads', ', -heads')}": LEFT_OVER,
        f"{CUT} => {CUT.replace('d //', '-d //')}": LEFT_OVER,
        f"{CUT} => {CUT.replace('// heads', '// -heads')}": LEFT_OVER,
    },
    "05-multi-head": {
        "n = len(X) => n = len(-X)": SIGN,
        f"{SPLIT} => {SPLIT.replace('0, 1', '1, 0')}": SAME_AXES,
        f"{MERGE} => {MERGE.replace('0, 1', '1, 0')}": SAME_AXES,
        f"{SPLIT} => {SPLIT.replace('-1', '-2')}": LEFT_OVER,
        f"{MERGE} => {MERGE.replace('-1', '-2')}": LEFT_OVER,
    },
    "05-ablate": {
        "h, n, d_v = Z.shape => h, n, d_v = (-Z).shape": SIGN,
        "blocks = W_o.reshape(h, d_v, -1) => blocks = W_o.reshape(h, d_v, -2)": LEFT_OVER,
    },
}
