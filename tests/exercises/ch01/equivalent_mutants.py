"""Changes to chapter 1's solutions that still solve the exercise, each with the reason why."""

EQUIVALENT = {
    "01-slope": {
        "answer = weights @ values => answer = values @ weights": "a dot product commutes",
    },
}
