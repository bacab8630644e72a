"""Changes to chapter 8's solutions that still solve the exercise, each with the reason why."""

HALF = "half = (len(kernel) - 1) // 2"
EDGE = "edge = (len(kernel) - 1) // 2"
STEPS = "half = (size - 1) // 2"
PLACES = "places = np.stack(np.indices((height, width)), axis=-1).reshape(-1, 2)"
GAPS = "gaps = places - places[:, None] - np.array([down, right])"
LOOK = "A = conv_attention_weights(padded.shape, len(kernel), alpha=alpha)"
ERROR = "error = gaps.std(axis=1, ddof=1) / np.sqrt(gaps.shape[1])"
ANSWER = "return np.where(np.abs(mean) > 2 * error, np.sign(mean), 0)"
ODD = "the size is odd, and the division rounds down"
SHAPE = "a sign changes no shape"
SQUARE = "a kernel has as many rows as columns"
LAST = "the last of two axes is axis 1"

EQUIVALENT = {
    "08-band": {
        f"{HALF} => half = (len(-kernel) - 1) // 2": SHAPE,
        f"{HALF} => half = (len(kernel) - 0) // 2": ODD,
        f"{HALF} => half = len(kernel) * 1 // 2": ODD,
        f"{HALF} => half = len(kernel) // 2": ODD,
    },
    "08-heads": {
        f"{GAPS} => gaps = np.array([down, right]) - (places - places[:, None])": "it is squared",
        f"{GAPS} => {GAPS.replace('np.array([down, right])', '[down, right]')}": "a list is read",
        f"{STEPS} => half = (size - 0) // 2": ODD,
        f"{STEPS} => half = size * 1 // 2": ODD,
        f"{STEPS} => half = size // 2": ODD,
        f"{PLACES} => {PLACES.replace('(-1, 2)', '(-2, 2)')}": "NumPy works out a negative size",
        "return np.array(found) => return found": "a list of arrays is read as one array",
    },
    "08-borders": {
        f"{LOOK} => {LOOK.replace('padded.shape', '(-padded).shape')}": SHAPE,
        f"{LOOK} => {LOOK.replace('(kernel)', '(-kernel)')}": SHAPE,
        f"{LOOK} => {LOOK.replace('(kernel)', '(kernel.swapaxes(-1, -2))')}": SQUARE,
        f"{EDGE} => {EDGE.replace('(kernel)', '(-kernel)')}": SHAPE,
        f"{EDGE} => {EDGE.replace('(kernel)', '(kernel.swapaxes(-1, -2))')}": SQUARE,
        f"{EDGE} => edge = (len(kernel) - 0) // 2": ODD,
        f"{EDGE} => edge = len(kernel) * 1 // 2": ODD,
        f"{EDGE} => edge = len(kernel) // 2": ODD,
        "height, width = image.shape => height, width = (-image).shape": SHAPE,
        "out = out.reshape(padded.shape) => out = out.reshape((-padded).shape)": SHAPE,
    },
    "08-curve": {
        f"{ERROR} => {ERROR.replace('gaps.std', '(-gaps).std')}": "a spread does not see a sign",
        f"{ERROR} => {ERROR.replace('axis=1', 'axis=-1')}": LAST,
        f"{ERROR} => {ERROR.replace('gaps.shape', '(-gaps).shape')}": SHAPE,
        f"{ERROR} => {ERROR.replace('gaps.shape', 'attention.shape')}": "both have the same shape",
        f"{ERROR} => {ERROR.replace('gaps.shape', 'cnn.shape')}": "both have the same shape",
        f"{ERROR} => {ERROR.replace('shape[1]', 'shape[-1]')}": LAST,
        "mean = gaps.mean(axis=1) => mean = gaps.mean(axis=-1)": LAST,
        f"{ANSWER} => {ANSWER.replace('np.abs(mean)', 'np.abs(-mean)')}": "a size has no sign",
    },
}
