"""Chapter 2: words get their places in the plane from the question that the task asks.

The model is softmax(X Xᵀ) X with nothing to learn but the embedding: two numbers for each word.
The second entry of the verb's output is its tag, and the tag must answer one of two questions.
"""

import contextlib
import itertools

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from tqdm import tqdm

from attn.data import save

SUBJECTS = {"cat": True, "dog": True, "robot": False, "drone": False}
VERBS = ("walks", "runs")
GROUNDS = {"street": True, "road": True, "grass": False, "sand": False}
WORDS = ("the", *SUBJECTS, *VERBS, "on", *GROUNDS)
SENTENCES = tuple(
    ("the", subject, verb, "on", "the", ground)
    for subject, verb, ground in itertools.product(SUBJECTS, VERBS, GROUNDS)
)
VERB = 2
GAIN = 2.0
# Each task: where the word stands that holds the answer, and the answer of each such word.
TASKS = {"who": (1, SUBJECTS), "where": (5, GROUNDS)}
ASKS = {"who": "who? (is it alive)", "where": "where? (is the ground hard)"}
# What the verb's tag means: a tag above 0 says yes.
ANSWERS = {"who": ("not alive", "alive"), "where": ("not hard", "hard")}
STEPS = 200
SHOWN_STEPS = (0, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200)


def tiny_world(task):
    """The words, and the sentences that a training sees: tokens (24, 6) and answers (24,).

    >>> words, tokens, living = tiny_world("who")
    >>> " ".join(words[token] for token in tokens[0]), living[0].item()
    ('the cat walks on the road', 1.0)
    """
    tokens, answers, held_out = _sentences(task)
    return WORDS, tokens[~held_out], answers[~held_out]


def train_embeddings(task, *, seed=0, steps=STEPS, spread=0.2, gain=GAIN, penalty=1e-3):
    """Train one vector in the plane for each word, so that the verb's output answers the task.

    Parameters
    ----------
    task : {"who", "where"}
        "who": does a living thing walk? "where": is the ground hard?
    seed : int
    steps : int
        Steps of Adam, each on all the training sentences.
    spread : float
        Standard deviation of the first, random vectors.
    gain, penalty : float
        The tag is `gain` times the second entry; `penalty` keeps the vectors short.

    Returns
    -------
    dict
        "words"; "vectors" (steps + 1, words, 2), the embedding before each step and at the end;
        "loss" (steps + 1,); "held_out", the share of unseen sentences tagged right; "looks" (32,),
        the weight that each sentence's verb gives the word that holds the answer.
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}: got {task!r}")
    tokens, answers, held_out = _sentences(task)
    torch.manual_seed(seed)
    table = spread * torch.randn(len(WORDS), 2, dtype=torch.float64)
    table.requires_grad_()
    adam = torch.optim.Adam([table], lr=0.05)
    vectors, losses = [], []
    with _one_thread():
        for step in tqdm(range(steps + 1), desc=f"{task}, seed {seed}", disable=None):
            A, tags = _tags(table, tokens, gain)
            loss = binary_cross_entropy_with_logits(tags[~held_out], answers[~held_out])
            vectors.append(table.detach().numpy().copy())
            losses.append(loss.item())
            if step < steps:
                adam.zero_grad()
                (loss + penalty * table.square().sum()).backward()
                adam.step()
    right = (tags > 0) == (answers > 0.5)
    return {
        "words": WORDS,
        "vectors": np.stack(vectors),
        "loss": np.array(losses),
        "held_out": right[held_out].double().mean().item(),
        "looks": A[:, VERB, TASKS[task][0]].detach().numpy(),
    }


@contextlib.contextmanager
def _one_thread():
    """These tensors are tiny: a pool of threads costs more than it gives."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _sentences(task):
    """Tokens (32, 6), answers (32,), and which eight sentences training never sees.

    The eight hold every subject with another ground, twice; each word still occurs in training.
    """
    place, answer = TASKS[task]
    tokens = torch.tensor([[WORDS.index(word) for word in sentence] for sentence in SENTENCES])
    answers = torch.tensor([float(answer[sentence[place]]) for sentence in SENTENCES])
    subjects, grounds = list(SUBJECTS), list(GROUNDS)
    held_out = [subjects.index(s[1]) == grounds.index(s[5]) for s in SENTENCES]
    return tokens, answers.double(), torch.tensor(held_out)


def _tags(table, tokens, gain):
    """Weights (32, 6, 6) and the verbs' tags (32,)."""
    X = table[tokens]
    A = torch.softmax(X @ X.mT, dim=-1)
    return A, gain * (A @ X)[:, VERB, 1]


def summary(task, seed, spread):
    """One run in a line of the table: what it got right, and what its verbs look at."""
    run = train_embeddings(task, seed=seed, spread=spread)
    return {
        "task": task,
        "spread": spread,
        "seed": seed,
        "held_out": run["held_out"],
        "looks_mean": round(float(run["looks"].mean()), 4),
        "looks_least": round(float(run["looks"].min()), 4),
    }


def course(task):
    """The embedding along the way of one run, as the chapter's figure takes it."""
    run, (no, yes) = train_embeddings(task), ANSWERS[task]
    return {
        "asks": ASKS[task],
        "tag": {"w": [0.0, GAIN], "at": VERB, "no": no, "yes": yes},
        "words": list(run["words"]),
        "steps": list(SHOWN_STEPS),
        "vectors": run["vectors"][list(SHOWN_STEPS)].round(3).tolist(),
        "loss": run["loss"][list(SHOWN_STEPS)].round(4).tolist(),
    }


def main():
    """Write attn/data/embeddings.json; under a minute on one core."""
    table = {
        "command": "python -m attn.nn.experiments.embeddings",
        "courses": {task: course(task) for task in TASKS},
        "runs": [
            summary(task, seed, spread)
            for spread in (0.2, 1.0)
            for task in TASKS
            for seed in range(10)
        ],
    }
    save("embeddings", table)


if __name__ == "__main__":
    main()
