"""Changes to chapter 12's solutions that still solve the exercise, each with the reason why."""

HEAD = "head = (A.argmax(axis=1) == targets).mean()"
OFFSETS = "offsets = targets - places"
SIZES = "h, m, d_v = V.shape"
OWN = "own = W_o.reshape(h, d_v, W_o.shape[1])"
NORMS = "norms = np.linalg.norm(V @ own, axis=-1)"
SHARES = "shares = A * norms[:, None, :]"
HANDED = "handed = V @ W_o.reshape(h, d_v, W_o.shape[1])"
LOST = "lost = A[:, :, j].T @ handed[:, j]"
EFFECT = "effects.append(np.linalg.norm(lost))"
NOTICED = "noticed = np.column_stack([V, np.ones(len(V))])"
FIT = "fit = np.linalg.lstsq(noticed, direction, rcond=None)[0]"
BLOCK = (
    "X = attn.encoder_block(X, layer, heads=heads, mask=seen, norm='post', activation='gelu', "
    "eps=1e-12)"
)
TOTAL = "total = (X * real[:, :, None]).sum(axis=1)"
UNIT = "return total / np.linalg.norm(total, axis=1, keepdims=True)"
SHAPE = "a sign changes no shape"
LAST = "the last of two axes is axis 1"
LIST = "a list of the same numbers"
NO_SIGN = "a norm sees no sign"
GUESSED = "a reshape works out one negative size"
CANCELS = "the sign is in the product and in its sum"
SMALL = "eps only keeps a division from 0/0: twice or half of 1e-12 is as small"

EQUIVALENT = {
    "12-offset": {
        f"{HEAD} => {HEAD.replace('axis=1', 'axis=-1')}": LAST,
        f"{OFFSETS} => offsets = places - targets": "all offsets change sign, their counts stay",
        "return np.array([head, baseline]) => return [head, baseline]": LIST,
    },
    "12-norm-weighted": {
        f"{SIZES} => {SIZES.replace('V', '(-V)')}": SHAPE,
        f"{NORMS} => {NORMS.replace('V @', '-V @')}": NO_SIGN,
        f"{NORMS} => {NORMS.replace('@ own', '@ -own')}": NO_SIGN,
        f"{OWN} => {OWN.replace('W_o.reshape', '(-W_o).reshape')}": NO_SIGN,
        f"{OWN} => {OWN.replace('(h', '(-h')}": GUESSED,
        f"{OWN} => {OWN.replace('d_v', '-d_v')}": GUESSED,
        f"{OWN} => {OWN.replace('W_o.shape', '(-W_o).shape')}": SHAPE,
        f"{OWN} => {OWN.replace('shape[1]', 'shape[-1]')}": LAST,
        f"{SHARES} => {SHARES.replace('= A', '= -A')}": CANCELS,
        f"{SHARES} => {SHARES.replace('norms[', '(-norms)[')}": CANCELS,
    },
    "12-average": {
        f"{SIZES} => {SIZES.replace('V', '(-V)')}": SHAPE,
        f"{HANDED} => {HANDED.replace('V @', '-V @')}": NO_SIGN,
        f"{HANDED} => {HANDED.replace('W_o.reshape', '(-W_o).reshape')}": NO_SIGN,
        f"{HANDED} => {HANDED.replace('(h', '(-h')}": GUESSED,
        f"{HANDED} => {HANDED.replace('d_v', '-d_v')}": GUESSED,
        f"{HANDED} => {HANDED.replace('W_o.shape', '(-W_o).shape')}": SHAPE,
        f"{HANDED} => {HANDED.replace('shape[1]', 'shape[-1]')}": LAST,
        f"{LOST} => {LOST.replace('= A', '= (-A)')}": NO_SIGN,
        f"{LOST} => {LOST.replace('@ handed', '@ (-handed)')}": NO_SIGN,
        f"{EFFECT} => {EFFECT.replace('lost', '-lost')}": NO_SIGN,
        f"{EFFECT} => {EFFECT.replace('lost', 'lost.swapaxes(-1, -2)')}": "a norm sees no order",
        "return np.array([average, effects]) => return [average, effects]": LIST,
    },
    "12-same-output": {
        "falls = change < 0 => falls = change <= 0": "no entry of the change is exactly 0",
        f"{FIT} => {FIT.replace(', rcond=None', '')}": "NumPy's default since version 2",
        f"{NOTICED} => {NOTICED.replace('[V', '[-V')}": "the same columns up to a sign",
        f"{NOTICED} => {NOTICED.replace('len(V)', 'len(-V)')}": SHAPE,
        f"{NOTICED} => {NOTICED.replace('len(V)', 'len(direction)')}": "one entry for each key",
        f"{NOTICED} => {NOTICED.replace('len(V)', 'len(p)')}": "one entry for each key",
    },
    "12-embed": {
        f"{BLOCK} => {BLOCK.replace('1e-12', '2e-12')}": SMALL,
        f"{BLOCK} => {BLOCK.replace('1e-12', '5e-13')}": SMALL,
        "n = X.shape[1] => n = (-X).shape[1]": SHAPE,
        f"{UNIT} => {UNIT.replace('norm(total', 'norm(-total')}": NO_SIGN,
        f"{UNIT} => {UNIT.replace('axis=1', 'axis=-1')}": LAST,
        f"{TOTAL} => {TOTAL.replace('sum', 'mean')}": "the vector is brought to norm 1 anyway",
    },
}
