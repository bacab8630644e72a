"""Changes to chapter 13's solutions that still solve the exercise, each with the reason why."""

TOP = "top = np.maximum(top_a, top_b)"
WORDS = "for i in range(len(Q)):"
SEEN = "seen = slice(max(0, i - window + 1), i + 1)"
QUERY = "q = np.array([100.0, 0.0])"
SIGN = "a sign changes no length"
SAME = "there are as many queries as keys and values"
LONG = "long enough, too"

EQUIVALENT = {
    "13-merge": {
        f"{TOP} => top = np.maximum(top_b, top_a)": "maximum sees no order",
    },
    "13-window": {
        f"{WORDS} => {WORDS.replace('Q', '-Q')}": SIGN,
        f"{WORDS} => {WORDS.replace('Q', 'K')}": SAME,
        f"{WORDS} => {WORDS.replace('Q', 'V')}": SAME,
        f"{SEEN} => seen = slice(max(i - window + 1, 0), i + 1)": "max sees no order",
    },
    "13-decode": {
        "for t in range(len(X)): => for t in range(len(-X)):": SIGN,
    },
    "13-needle": {
        "K[0, 0] = 1.0 => K.swapaxes(-1, -2)[0, 0] = 1.0": "the first entry either way",
        "K[0, 0] = 1.0 => K[0, 0] = 0.5": "half as far is far enough",
        f"{QUERY} => q = [100.0, 0.0]": "a list of the same numbers",
        f"{QUERY} => q = np.array([100.0, -1.0])": "all keys are 0 there",
        f"{QUERY} => q = np.array([100.0, 1.0])": "all keys are 0 there",
        f"{QUERY} => q = np.array([101.0, 0.0])": LONG,
        f"{QUERY} => q = np.array([200.0, 0.0])": LONG,
        f"{QUERY} => q = np.array([50.0, 0.0])": LONG,
        f"{QUERY} => q = np.array([99.0, 0.0])": LONG,
    },
}
