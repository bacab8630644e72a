"""Changes to chapter 10's solutions that still solve the exercise, each with the reason why."""

VARIANCE = "variance = X.var(axis=-1, keepdims=True)"
HIDDEN = "hidden = np.maximum(X @ W_1 + b_1, 0)"
ATTENDED = "attended = multi_head_attention(X, *W, heads=heads)"

EQUIVALENT = {
    "10-layer-norm": {
        f"{VARIANCE} => variance = (-X).var(axis=-1, keepdims=True)": "a variance sees no sign",
    },
    "10-feed-forward": {
        f"{HIDDEN} => hidden = np.maximum(0, X @ W_1 + b_1)": "a maximum sees no order",
    },
    "10-block": {
        f"{ATTENDED} => {ATTENDED.replace('*W', '*-W')}": (
            "four signs cancel: two in the scores, two in the values and W_o"
        ),
    },
}
