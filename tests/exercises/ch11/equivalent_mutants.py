"""Changes to chapter 11's solutions that still solve the exercise, each with the reason why."""

CHOSEN = "chosen = np.take_along_axis(shifted, words[..., None], axis=-1)"
LOSSES = "losses = total - chosen[..., 0]"
REAL = "real = np.arange(1, tokens.shape[1]) < lengths[:, None]"
LAGS = "for lag in range(1, tokens.shape[1]):"
HITS = "hits = np.zeros(tokens.shape)"
BEFORE = "before = (X @ W).argmax(axis=1)"
AFTER = "after = ((X - own + own[twin]) @ W).argmax(axis=1)"
SQUARE = "new_square = 0.999 * square + 0.001 * gradient ** 2"
RETURN = "return np.stack([moved, new_mean, new_square])"
SHAPE = "a sign changes no shape"
LAST = "the last of two axes is axis 1"
LIST = "a list of the same numbers"

EQUIVALENT = {
    "11-next-word-loss": {
        f"{CHOSEN} => {CHOSEN.replace(', axis=-1', '')}": "the last axis is the default",
        f"{LOSSES} => {LOSSES.replace('0]', '-1]')}": "the axis has one entry, first and last",
        f"{REAL} => {REAL.replace('tokens', '(-tokens)')}": SHAPE,
        f"{REAL} => {REAL.replace('tokens', 'logits')}": "both have n places",
        f"{REAL} => {REAL.replace('shape[1]', 'shape[-1]')}": LAST,
    },
    "11-fixed-lag": {
        f"{LAGS} => {LAGS.replace('tokens', '(-tokens)')}": SHAPE,
        f"{LAGS} => {LAGS.replace('tokens', 'scored')}": "they have one shape",
        f"{LAGS} => {LAGS.replace('shape[1]', 'shape[-1]')}": LAST,
        f"{HITS} => {HITS.replace('tokens', '(-tokens)')}": SHAPE,
        f"{HITS} => {HITS.replace('tokens', 'scored')}": "they have one shape",
        "return np.array(shares) => return shares": LIST,
    },
    "11-swap-heads": {
        f"{BEFORE} => {BEFORE.replace('axis=1', 'axis=-1')}": LAST,
        f"{AFTER} => {AFTER.replace('axis=1', 'axis=-1')}": LAST,
        "return np.array(shares) => return shares": LIST,
    },
    "11-adam-step": {
        f"{SQUARE} => {SQUARE.replace('gradient', '(-gradient)')}": "a square sees no sign",
        f"{RETURN} => return [moved, new_mean, new_square]": LIST,
    },
}
