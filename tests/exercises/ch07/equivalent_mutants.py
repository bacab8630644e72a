"""Changes to chapter 7's solutions that still solve the exercise, each with the reason why."""

EVEN = "a cosine does not see a sign"
COSINES = "R[2 * c, 2 * c] = R[2 * c + 1, 2 * c + 1] = np.cos(angle)"
FIRST = "first = 2.0 ** (-8 * np.arange(1, below + 1) / below)"
DISTANCE = "distance = np.abs(np.arange(n)[:, None] - np.arange(n))"
BIAS = "return -slopes[:, None, None] * distance"
BESIDE = "return np.concatenate([first, second], axis=1)"

EQUIVALENT = {
    "07-sinusoids": {
        "PE[:, 1::2] = np.cos(angles) => PE[:, 1::2] = np.cos(-angles)": EVEN,
    },
    "07-shift": {
        f"{COSINES} => {COSINES.replace('(angle', '(-angle')}": EVEN,
        f"{COSINES} => R.swapaxes(-1, -2){COSINES[1:]}": "an entry of the diagonal stays in place",
        f"{COSINES} => {COSINES.replace('= R', '= R.swapaxes(-1, -2)')}": "and so does the other",
    },
    "07-rotate": {
        "d = X.shape[1] => d = X.shape[-1]": "the last of two axes is axis 1",
        "d = X.shape[1] => d = (-X).shape[1]": "a sign changes no shape",
        "Y = np.empty(X.shape) => Y = np.empty((-X).shape)": "a sign changes no shape",
        "cos, sin = (np.cos(angles), np.sin(angles)) => "
        "cos, sin = (np.cos(-angles), np.sin(angles))": EVEN,
    },
    "07-alibi": {
        "below = 1 => below = 0.5": "doubled until it fits, it comes to the same power of two",
        f"{FIRST} => {FIRST.replace('+ 1', '+ 0.5')}": "a range stops before either end",
        f"{DISTANCE} => distance = np.abs(np.arange(n) - np.arange(n)[:, None])": "a distance "
        "is the same from both ends",
        f"{BIAS} => {BIAS}.swapaxes(-1, -2)": "a distance is the same from both ends",
    },
    "07-half-split": {
        f"{BESIDE} => {BESIDE.replace('=1', '=-1')}": "the last of two axes is axis 1",
    },
}
