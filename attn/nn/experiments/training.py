"""The training loop that chapter 11's experiments share: Adam, its rate rising and then falling."""

import torch
from torch import nn

IGNORED = -1  # a target that is not counted


def train(model, draw, *, steps, rate, watch=None):
    """Train a model on the batches that `draw` gives; return it.

    Parameters
    ----------
    model : nn.Module
    draw : callable
        `draw()` gives the model's inputs, a tuple of tensors, and the targets (b, n) of int, -1
        where a place is not counted.
    steps : int
        How many batches; the rate rises over the first 30% of them, and falls to almost 0.
    rate : float
        The largest rate.
    watch : callable, optional
        `watch(step, model)` is called before the first step and after each one.
    """
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=steps)
    model.train()
    if watch:
        watch(0, model)
    for step in range(1, steps + 1):
        inputs, targets = draw()
        logits = model(*inputs)
        loss = nn.functional.cross_entropy(
            logits.flatten(0, -2), targets.flatten(), ignore_index=IGNORED
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if watch:
            watch(step, model)
    return model.eval()
