"""Chapter 11: a small attention model that learns while you watch."""

from dataclasses import asdict, replace
from typing import ClassVar

import numpy as np
import traitlets

from attn.widgets.kit.figure import Figure
from attn.widgets.kit.traits import Choice, Whole
from attn.widgets.train_live import model

SHAPES = {
    "reverse": model.Shape(n=8, v=10, d=16, asked=tuple(range(8)), groups=1, c=10, drawn=8),
    "whom": model.Shape(n=4, v=12, d=32, asked=(3,), groups=2, c=10, drawn=2),
}
RATES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.05, 0.1)
BATCH, BATCH_SEED = 32, 1000
UNSEEN, UNSEEN_SEED = 100, 2000
LAST_STEP = 2000
PEOPLE = ("Ann", "Bob", "Cy", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")


class TrainLive(Figure):
    """Train one layer of attention, step by step, with gradients that the page computes itself.

    The state at a step is a function of the settings: first weights, batches and unseen sequences
    are drawn from the seed by generators that Python and the page share.

    Parameters
    ----------
    task : {"reverse", "whom"}
        Eight digits in, the same digits backwards out; or who saw whom, both from one query.
    rate : float
        Adam's step size, one of `RATES`.
    heads : int
        1 or 2; they share 16 (reverse) or 32 entries.
    positions : bool
        If the tokens' places have learned vectors.
    seed : int
        Of the first weights and the batches, 1 to 10.
    step : int
        How many steps have been taken, 0 to 2000.
    playing : bool
        If it goes on by itself.

    Examples
    --------
    >>> figure = TrainLive(step=20)
    >>> len(figure.losses), figure.weights.shape
    (20, (1, 8, 8))
    """

    task = Choice({"reverse": "reverse 8 digits", "whom": "who saw whom?"})
    rate = Choice({rate: f"{rate:g}" if rate > 1e-4 else "0.0001" for rate in RATES})
    heads = Whole(1, 1, 2)
    positions = traitlets.Bool(True).tag(sync=True)
    seed = Whole(1, 1, 10)
    step = traitlets.Int(0, min=0, max=LAST_STEP).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    constants: ClassVar = {
        "shapes": {
            name: {**asdict(shape), "asked": list(shape.asked)} for name, shape in SHAPES.items()
        },
        "batch": BATCH,
        "batch_seed": BATCH_SEED,
        "unseen": UNSEEN,
        "unseen_seed": UNSEEN_SEED,
        "last": LAST_STEP,
        "every": 20,  # steps between two checks on the unseen sequences
        "solved": 0.99,  # of the unseen answers right
        "saturated": {"gradient": 1e-9, "sharpness": 0.98, "steps": 50},
        "start": {
            "reverse": {"rate": 0.001, "heads": 1, "positions": True},
            "whom": {"rate": 0.01, "heads": 1, "positions": True},
        },
        "digits": [3, 1, 4, 1, 5, 9, 2, 6],
        "people": list(PEOPLE),
        "couples": [[0, 1], [1, 0], [4, 7], [8, 8]],
        "ceiling": 0.317,  # of digits right without positions; a test counts it
    }

    def __init__(self, **traits):
        # The first of a Choice is its default; this one starts in the middle.
        super().__init__(**{"rate": 0.001, **traits})

    @property
    def shape(self):
        """Sizes of the model."""
        return replace(SHAPES[self.task], h=self.heads, positions=self.positions)

    @property
    def losses(self):
        """Mean cross-entropy of each step's batch before the step, (step,)."""
        return np.array(self._train()[0])

    @property
    def right(self):
        """The share of right answers to sequences that it never trained on."""
        unseen = model.examples(self.task, self.shape, UNSEEN, UNSEEN_SEED)
        return float(model.measure(self._train()[1], *unseen, self.shape)[0])

    @property
    def weights(self):
        """The attention weights of the sequence that the page shows first, (heads, q, n)."""
        shown = {"reverse": self.constants["digits"], "whom": [0, 10, 1, 11]}[self.task]
        return model.forward(self._train()[1], np.array([shown]), self.shape)["A"][0]

    def _train(self):
        shape = self.shape
        weights, losses = model.first_weights(shape, self.seed), []
        moments = [{name: np.zeros_like(W) for name, W in weights.items()} for _ in range(2)]
        for t in range(self.step):
            batch = model.examples(self.task, shape, BATCH, BATCH_SEED + self.seed, skip=t * BATCH)
            loss, gradients = model.loss_and_gradients(weights, *batch, shape)
            model.adam_step(weights, gradients, moments, self.rate, t + 1)
            losses.append(loss)
        return losses, weights
