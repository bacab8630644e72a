"""The cross-entropy of every next word, in sentences of different lengths."""

import numpy as np

from attn.exercises.checking import Exercise, Mistake, Probe, Task


def _probe(label, *, lengths, n, vocab, seed, spread=1.5, sure=0.0):
    """`sure` is added to the logit of the very first word to predict."""
    rng = np.random.default_rng(seed)
    logits = np.round(spread * rng.normal(size=(len(lengths), n, vocab)), 2)
    tokens = rng.integers(vocab, size=(len(lengths), n))
    logits[0, 0, tokens[0, 1]] += sure
    return Probe.of(label, logits=logits, tokens=tokens, lengths=np.array(lengths))


PROBES = (
    _probe("one sentence of three words", lengths=[3], n=3, vocab=5, seed=110).advise(
        "Two words are predicted: place 0 predicts word 1, and place 1 predicts word 2."
    ),
    _probe("two sentences of four words", lengths=[4, 4], n=4, vocab=3, seed=111).advise(
        "Each sentence predicts three words: average six losses."
    ),
    _probe("three sentences, two of them padded", lengths=[5, 2, 3], n=5, vocab=7, seed=112).advise(
        "Real words to predict: 4, 1 and 2, so seven losses are averaged."
    ),
    _probe("two sentences that both end early", lengths=[2, 4], n=6, vocab=4, seed=113).advise(
        "Only words 1 to length - 1 of a sentence count, wherever the array ends."
    ),
    _probe(
        "logits in the thousands", lengths=[4, 3], n=4, vocab=6, seed=114, spread=700.0, sure=2000.0
    ).advise(
        "e¹⁰⁰⁰ overflows and a tiny probability rounds to 0, whose logarithm is -inf. Subtract "
        "the largest logit first, and write the logarithm of the quotient as a difference."
    ),
)


def _log_probabilities(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _at(table, tokens):
    return np.take_along_axis(table, tokens[..., None], axis=-1)[..., 0]


def _losses(logits, tokens):
    """(b, n - 1): place t predicts word t + 1."""
    return -_at(_log_probabilities(logits[:, :-1]), tokens[:, 1:])


def _real(tokens, lengths):
    return np.arange(1, tokens.shape[1]) < lengths[:, None]


def _loss(logits, tokens, lengths):
    real = _real(tokens, lengths)
    return _losses(logits, tokens)[real].mean()


def _mean_of_means(logits, tokens, lengths):
    real = _real(tokens, lengths)
    return ((_losses(logits, tokens) * real).sum(axis=1) / real.sum(axis=1)).mean()


def _averaged(losses, tokens, lengths):
    """The mean over the real words of any (b, n - 1) losses."""
    return losses[_real(tokens, lengths)].mean()


def _its_own_words(logits, tokens, lengths):
    losses = -_at(_log_probabilities(logits), tokens)
    return losses[np.arange(tokens.shape[1]) < lengths[:, None]].mean()


def _backwards(logits, tokens, lengths):
    losses = -_at(_log_probabilities(logits[:, 1:]), tokens[:, :-1])
    return _averaged(losses, tokens, lengths)


def _one_too_many(logits, tokens, lengths):
    real = np.arange(1, tokens.shape[1]) <= lengths[:, None]
    return _losses(logits, tokens)[real].mean()


def _without_shift(logits, tokens, lengths):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return _averaged(-np.log(_at(p[:, :-1], tokens[:, 1:])), tokens, lengths)


def _rounds_to_zero(logits, tokens, lengths):
    p = np.exp(_log_probabilities(logits))
    return _averaged(-np.log(_at(p[:, :-1], tokens[:, 1:])), tokens, lengths)


def _over_the_places(logits, tokens, lengths):
    table = _log_probabilities(logits.swapaxes(-1, -2)).swapaxes(-1, -2)
    return _averaged(-_at(table[:, :-1], tokens[:, 1:]), tokens, lengths)


def _probability(logits, tokens):
    return np.exp(-_losses(logits, tokens))


MISTAKES = (
    Mistake(
        "predicts-the-word-it-reads",
        "You compare the logits of a place with the word at that same place, which the model has "
        "just read.",
        _its_own_words,
        variants=(lambda g, t, n: _averaged(-_at(_log_probabilities(g), t)[:, :-1], t, n),),
        hint="Place t predicts word t + 1: logits[:, :-1] belongs to tokens[:, 1:].",
    ),
    Mistake(
        "predicts-backwards",
        "You shift the wrong way: your place t predicts word t - 1.",
        _backwards,
        hint="Drop the last place of the logits and the first of the tokens.",
    ),
    Mistake(
        "counts-the-padding",
        "You average over the padding as well, where there is no word to predict.",
        lambda g, t, n: _losses(g, t).mean(),
        variants=(lambda g, t, n: (_losses(g, t) * _real(t, n)).mean(),),
        hint="Of a sentence, words 1 to length - 1 count; divide by the number of those.",
    ),
    Mistake(
        "counts-one-word-too-many",
        "You count one word of padding in every sentence that is shorter than the array.",
        _one_too_many,
        hint="The last real word has the number length - 1.",
    ),
    Mistake(
        "averages-the-sentences",
        "You average within each sentence first, so a word of a short sentence counts for more.",
        _mean_of_means,
        hint="Put all real words of all sentences into one mean.",
    ),
    Mistake(
        "adds-up",
        "You add the losses up; the mean was asked for.",
        lambda g, t, n: _losses(g, t)[_real(t, n)].sum(),
        hint="Divide by the number of predicted words.",
    ),
    Mistake(
        "forgets-the-logarithm",
        "You average probabilities, or how far they are from 1, not minus their logarithms.",
        lambda g, t, n: _averaged(1 - _probability(g, t), t, n),
        variants=(
            lambda g, t, n: _averaged(_probability(g, t), t, n),
            lambda g, t, n: _averaged(-_probability(g, t), t, n),
        ),
        hint="The loss of one word is -log p.",
    ),
    Mistake(
        "logarithm-of-the-mean",
        "You average the probabilities and take the logarithm once, at the end.",
        lambda g, t, n: -np.log(_averaged(_probability(g, t), t, n)),
        hint="One logarithm per word, then the mean.",
    ),
    Mistake(
        "logarithm-to-base-2",
        "You take the logarithm to base 2, which measures in bits.",
        lambda g, t, n: _loss(g, t, n) / np.log(2),
        hint="np.log is the natural logarithm.",
    ),
    Mistake(
        "forgets-the-minus",
        "Your loss is negative: better predictions make it larger.",
        lambda g, t, n: -_loss(g, t, n),
        hint="The loss is minus the mean of the logarithms.",
    ),
    Mistake(
        "takes-logits-for-logarithms",
        "You use the logits as they are. They become logarithms of probabilities only once each row"
        " is normalised.",
        lambda g, t, n: _averaged(-_at(g[:, :-1], t[:, 1:]), t, n),
        hint="Subtract the logarithm of the row's sum of exponentials.",
    ),
    Mistake(
        "softmax-over-the-places",
        "Your softmax runs over the places of a sentence, not over the words of the vocabulary.",
        _over_the_places,
        hint="Each place shares out 1 among the words: the last axis.",
    ),
    Mistake(
        "overflows",
        "You take exponentials of large logits, and they overflow.",
        _without_shift,
        hint="Subtract the largest logit of each row first; the softmax stays the same.",
    ),
    Mistake(
        "logarithm-of-zero",
        "Your probability of the true word rounds to 0, and its logarithm is -inf.",
        _rounds_to_zero,
        hint="The logarithm of a quotient is a difference: logit - log(sum of exponentials).",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="The loss of every next word",
    difficulty=2,
    minutes=12,
    hints=(
        "Row t of the logits scores word t + 1, so one row and one word are left over. Find out "
        "which.",
        "log p of the true word is its logit minus np.log(np.exp(row).sum()); subtract the row's "
        "largest logit from the row first. np.take_along_axis picks one entry per row.",
        "np.arange(1, n) < lengths[:, None] is True for the real words among tokens[:, 1:].",
    ),
    mistakes=MISTAKES,
    section="sec-11-loss",
    passed=(
        "This is the number that training makes smaller. A model that knows nothing scores "
        "log(vocab). Compare it with torch.nn.functional.cross_entropy on the same rows."
    ),
    task=Task(
        "next_word_loss",
        _loss,
        PROBES,
        steps={
            "real": (lambda g, t, n: _real(t, n), lambda g, t, n: _real(t, n).astype(float)),
            "losses": (
                lambda g, t, n: _losses(g, t),
                lambda g, t, n: _losses(g, t)[_real(t, n)],
            ),
        },
    ),
)
