"""A whole model of MiniLM's form, small: a batch of texts to one unit vector each."""

import numpy as np

from attn import encoder_block, padding_mask
from attn.exercises.checking import Exercise, Mistake, Probe, Task

EPS = 1e-12


def _layer(rng, d, d_ff, small):
    shapes = {f"W_{k}": (d, d) for k in "qkvo"} | {f"b_{k}": (d,) for k in "qkvo"}
    shapes |= {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d), "b_2": (d,)}
    layer = {name: rng.normal(0, 0.6, size=shape).round(2) for name, shape in shapes.items()}
    if small:
        layer |= {name: 0.001 * layer[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    for k in "12":
        layer |= {
            f"gain_{k}": rng.uniform(0.5, 1.5, size=d).round(2),
            f"shift_{k}": rng.normal(0, 0.3, size=d).round(2),
        }
    return layer


def _probe(label, *, lengths, n, d, d_ff, layers, heads, seed, small=False):
    rng = np.random.default_rng(seed)
    scale = 0.001 if small else 1.0
    arguments = {
        "X": scale * rng.normal(size=(len(lengths), n, d)).round(2),
        "lengths": np.array(lengths),
        "layers": [_layer(rng, d, d_ff, small) for _ in range(layers)],
        "heads": heads,
    }
    return Probe(label, arguments)


PROBES = (
    _probe(
        "one text, one layer, no padding",
        lengths=[3],
        n=3,
        d=4,
        d_ff=6,
        layers=1,
        heads=2,
        seed=160,
    ).advise(
        "attn.encoder_block(X, layer, heads=heads, norm='post', activation='gelu', "
        "eps=1e-12), the mean over the tokens, and divided by its norm."
    ),
    _probe(
        "two texts, two layers, no padding",
        lengths=[4, 4],
        n=4,
        d=6,
        d_ff=5,
        layers=2,
        heads=3,
        seed=161,
    ).advise("The layers run one after the other, each with its own matrices."),
    _probe(
        "three texts of different length",
        lengths=[2, 5, 3],
        n=5,
        d=4,
        d_ff=7,
        layers=2,
        heads=1,
        seed=162,
    ).advise(
        "No query may look at padding (attn.padding_mask), and the mean is over the real "
        "tokens only."
    ),
    _probe(
        "four texts, three layers",
        lengths=[6, 1, 4, 2],
        n=6,
        d=6,
        d_ff=8,
        layers=3,
        heads=2,
        seed=163,
    ).advise("A text's vector may not depend on how long the other texts are."),
    _probe(
        "two texts whose vectors are tiny",
        lengths=[3, 2],
        n=3,
        d=6,
        d_ff=4,
        layers=2,
        heads=2,
        seed=164,
        small=True,
    ).advise("Beside a variance of a millionth, eps counts: it is 1e-12 here, not the default."),
)


def _pool(X, lengths):
    real = np.arange(X.shape[1]) < lengths[:, None]
    return (X * real[..., None]).sum(axis=1) / lengths[:, None]


def _embed(
    X,
    lengths,
    layers,
    heads,
    *,
    norm="post",
    activation="gelu",
    eps=EPS,
    mask=padding_mask,
    order=lambda layers: layers,
    pool=_pool,
    unit=lambda v: v / np.linalg.norm(v, axis=-1, keepdims=True),
):
    """(b, d); the options are for the mistakes."""
    seen = mask(lengths, X.shape[1])
    for layer in order(layers):
        X = encoder_block(
            X, layer, heads=heads, mask=seen, norm=norm, activation=activation, eps=eps
        )
    return unit(pool(X, lengths))


def _with(**options):
    return lambda X, lengths, layers, heads: _embed(X, lengths, layers, heads, **options)


def _no_mask(lengths, n):
    return None


def _mean_of_all(X, lengths):
    return X.mean(axis=1)


def _unit_tokens(X, lengths):
    return _pool(X / np.linalg.norm(X, axis=-1, keepdims=True), lengths)


def _last_token(X, lengths):
    return X[np.arange(len(X)), lengths - 1]


MISTAKES = (
    Mistake(
        "averages-the-padding",
        "Your mean counts the padding, so a short text's vector is mostly padding.",
        _with(pool=_mean_of_all),
        variants=(_with(pool=_mean_of_all, mask=_no_mask),),
        hint="Sum over the real tokens only: multiply by real[..., None] first.",
    ),
    Mistake(
        "looks-at-padding",
        "Your queries look at padding, so a text's vector changes with the texts beside it.",
        _with(mask=_no_mask),
        hint="Give encoder_block mask=attn.padding_mask(lengths, n).",
    ),
    Mistake(
        "norms-before",
        "You run pre-norm blocks. This model has its norms after the sums.",
        _with(norm="pre"),
        hint="norm='post'.",
    ),
    Mistake(
        "cuts-at-zero",
        "Your feed-forward uses a ReLU. This model's activation is GELU.",
        _with(activation="relu"),
        hint="activation='gelu'.",
    ),
    Mistake(
        "another-eps",
        "You leave eps at its default, 1e-5, which is not small beside these variances.",
        _with(eps=1e-5),
        hint="eps=1e-12.",
    ),
    Mistake(
        "leaves-the-norm",
        "You return the mean without scaling it to norm 1.",
        _with(unit=lambda v: v),
        hint="Divide each text's mean by its norm, with keepdims=True.",
    ),
    Mistake(
        "one-norm-for-all",
        "You divide all texts by one norm, that of the whole array.",
        _with(unit=lambda v: v / np.linalg.norm(v)),
        hint="np.linalg.norm(…, axis=-1, keepdims=True).",
    ),
    Mistake(
        "norms-each-token",
        "You bring each token to norm 1 before the mean. That weighs the tokens differently.",
        _with(pool=_unit_tokens),
        hint="First the mean, then the norm.",
    ),
    Mistake(
        "takes-the-first-token",
        "You return the vector of the first token. Some models are read there, this one is not.",
        _with(pool=lambda X, lengths: X[:, 0]),
        hint="Take the mean over all real tokens.",
    ),
    Mistake(
        "takes-the-last-token",
        "You return the vector of the last token. Some models are read there, this one is not.",
        _with(pool=_last_token),
        hint="Take the mean over all real tokens.",
    ),
    Mistake(
        "leaves-layers-out",
        "You run some of the layers and not all of them.",
        _with(order=lambda layers: layers[:1]),
        variants=(
            _with(order=lambda layers: layers[:-1]),
            _with(order=lambda layers: layers[-1:]),
        ),
        hint="X = encoder_block(X, …) in a loop over layers, so that each gets what the "
        "previous one returned.",
    ),
    Mistake(
        "runs-them-backwards",
        "You run the layers from the last to the first.",
        _with(order=lambda layers: layers[::-1]),
        hint="for layer in layers.",
    ),
)

EXERCISE = Exercise.of(
    __name__,
    title="Run a whole model",
    difficulty=2,
    minutes=12,
    hints=(
        "for layer in layers: X = attn.encoder_block(X, layer, …). Its options are norm, "
        "activation, eps, heads and mask.",
        "attn.padding_mask(lengths, n) is (b, 1, n): for each text, which keys are real.",
        "real = np.arange(n) < lengths[:, None] is (b, n). (X * real[..., None]).sum(axis=1) adds "
        "up the real tokens.",
    ),
    mistakes=MISTAKES,
    section="sec-12-model",
    passed=(
        "That is all of all-MiniLM-L6-v2 after its embeddings. Where you have the weights, try "
        "embed(found.hidden[:1], np.array([len(found.tokens)]), minilm.load().layers, 12): it is "
        "found.embedding."
    ),
    task=Task("embed", _embed, PROBES),
)
