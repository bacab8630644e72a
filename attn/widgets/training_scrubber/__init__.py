"""Chapter 11: a recorded training, step by step: what a tiny language model sees, says, writes."""

from typing import ClassVar

import numpy as np

from attn.data import load
from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Whole

DATA = {
    "free": "the other noun has either number",
    "never": "the other noun never differs",
}
_TRAINING = load("training")
STEPS = [shot["step"] for shot in _TRAINING["arms"]["free"]["shots"]]


class TrainingScrubber(Figure):
    """Move through the training of a language model with two layers of two heads.

    It is recorded, seed by seed the same, by `python -m attn.nn.experiments.agreement`.

    Parameters
    ----------
    moment : int
        Which of the 16 recorded moments, 0 (untrained) to 15 (after 800 steps).
    data : {"free", "never"}
        What it is trained on: sentences in which nouns between subject and verb are of either
        number, or always of the subject's.

    Examples
    --------
    >>> TrainingScrubber(moment=15).weights.shape
    (4, 6, 6)
    """

    moment = Whole(0, 0, len(STEPS) - 1)
    data = Choice(DATA)
    constants: ClassVar = {
        "steps": STEPS,
        "measured": _TRAINING["measured_steps"],
        "words": [".", *_TRAINING["sentence"]],
        "subject": 1 + _TRAINING["sentence"].index("cat"),
        "names": ["layer 1, head 1", "layer 1, head 2", "layer 2, head 1", "layer 2, head 2"],
        "arms": _TRAINING["arms"],
    }

    @property
    def weights(self):
        """What each word of the sentence looks at, in each of the four heads, (4, 6, 6)."""
        n = len(self.constants["words"])
        maps = np.zeros((4, n, n))
        maps[:, *np.tril_indices(n)] = np.array(self._shot["maps"]) / 255
        return maps

    @property
    def agreement(self):
        """How much of new sentences gets the right verb, with 0, 1 and 2 nouns between, (3,)."""
        curve = _TRAINING["arms"][self.data]["curve"]
        return np.array(curve[_TRAINING["measured_steps"].index(STEPS[self.moment])])

    @property
    def singular(self):
        """How much of the probability of verbs goes to singular ones after the sentence."""
        one, many = self._shot["verbs"]
        return one / (one + many)

    @property
    def _shot(self):
        return _TRAINING["arms"][self.data]["shots"][self.moment]
