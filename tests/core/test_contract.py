"""What holds for every public function: types, untouched inputs, empty batches, listed names."""

import inspect

import numpy as np
import pytest

import attn

BLOCK = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (4, 4))
BLOCK |= {"W_1": (4, 6), "b_1": (6,), "W_2": (6, 4), "b_2": (4,), "b_q": (4,)}
BLOCK |= dict.fromkeys(("gain_1", "shift_1", "gain_2", "shift_2"), (4,))
MASK = np.array([[True, False, True], [True, True, True]])
QKV = {"Q": (5, 2, 4), "K": (5, 3, 4), "V": (5, 3, 6)}
EVEN = {"Q": (5, 3, 4), "K": (5, 3, 4), "V": (5, 3, 6)}
HEADS = {"X": (5, 3, 4), "W_q": (4, 4), "W_k": (4, 4), "W_v": (4, 6), "W_o": (6, 7), "b_o": (7,)}

# name: (shapes of the arrays it takes, options, which array carries the batch of 5)
ARRAY_FUNCTIONS = {
    "softmax": ({"x": (5, 3)}, {}, "x"),
    "soft_lookup": ({"query": (5, 4), "keys": (3, 4), "values": (3, 2)}, {"beta": 2.0}, "query"),
    "self_attention": ({"X": (5, 3, 4)}, {}, "X"),
    "attention_weights": ({"Q": (5, 2, 4), "K": (5, 3, 4), "bias": (2, 3)}, {"mask": MASK}, "QK"),
    "attention": (QKV | {"bias": (2, 3)}, {"mask": MASK}, "QKV"),
    "split_heads": ({"X": (5, 3, 4)}, {"heads": 2}, "X"),
    "merge_heads": ({"Y": (5, 2, 3, 4)}, {}, "Y"),
    "multi_head_attention": (HEADS, {"heads": 2, "rotary": True}, "X"),
    "rotate": ({"X": (5, 3, 4), "positions": (3,)}, {}, "X"),
    "additive_scores": (
        {"Q": (5, 2, 4), "K": (5, 3, 2), "W_q": (4, 6), "W_k": (2, 6), "w": (6,)},
        {},
        "QK",
    ),
    "attention_pool": (
        {"H": (5, 3, 4), "w": (2,), "W_tanh": (4, 2), "W_gate": (4, 2)},
        {"mask": MASK[0]},
        "H",
    ),
    "layer_norm": ({"X": (5, 3, 4), "gain": (4,), "shift": (4,)}, {}, "X"),
    "rms_norm": ({"X": (5, 3, 4), "gain": (4,)}, {}, "X"),
    "gated_feed_forward": (
        {"X": (5, 3, 4), "W_gate": (4, 6), "W_up": (4, 6), "W_down": (6, 2)},
        {},
        "X",
    ),
    "grouped_attention": (
        {"Q": (5, 4, 2, 3), "K": (5, 2, 3, 3), "V": (5, 2, 3, 6)},
        {"mask": MASK},
        "QKV",
    ),
    "feed_forward": (
        {"X": (5, 3, 4), "W_1": (4, 6), "b_1": (6,), "W_2": (6, 2), "b_2": (2,)},
        {"activation": "gelu"},
        "X",
    ),
    "encoder_block": ({"X": (5, 3, 4), "params": BLOCK}, {"heads": 2, "activation": "gelu"}, "X"),
    "conv_as_attention": ({"image": (5, 6), "kernel": (3,)}, {"alpha": 2.0}, "image"),
    "linear_attention": (EVEN, {"causal": True}, "QKV"),
    "linear_attention_recurrent": (EVEN, {}, "QKV"),
    "blockwise_attention": (QKV, {"block": 1, "mask": MASK}, "QKV"),
    "online_softmax": ({"scores": (5,)}, {"block": 2}, None),
    "KeyValueCache": (EVEN, {}, "QKV"),
}
SIZE_FUNCTIONS = {
    "causal_mask": {"n": 3},
    "padding_mask": {"lengths": np.array([1, 2]), "m": 3},
    "sliding_window_mask": {"n": 3, "window": 2},
    "sinusoidal_positions": {"n": 3, "d_model": 4},
    "alibi_bias": {"n": 3, "heads": 2},
    "conv_attention_weights": {"shape": np.array([2, 3]), "size": 3, "alpha": 1.0},
}


def draw(shapes, dtype):
    rng = np.random.default_rng(0)

    def one(shape):
        if isinstance(shape, dict):
            return {name: one(s) for name, s in shape.items()}
        if np.issubdtype(dtype, np.floating):
            return rng.standard_normal(shape).astype(dtype)
        return rng.integers(-2, 3, shape).astype(dtype)

    return {name: one(shape) for name, shape in shapes.items()}


def call(name, inputs, options):
    function = attn.KeyValueCache().step if name == "KeyValueCache" else getattr(attn, name)
    return function(**inputs, **options)


def arrays_in(values):
    for value in values:
        if isinstance(value, dict):
            yield from arrays_in(value.values())
        elif isinstance(value, np.ndarray):
            yield value


def outputs(result):
    return [
        a for a in (result if isinstance(result, tuple) else (result,)) if not isinstance(a, list)
    ]


def test_the_tables_above_cover_every_public_name():
    assert sorted(ARRAY_FUNCTIONS | SIZE_FUNCTIONS) == sorted(attn.__all__)
    assert sorted(attn.core.__all__) == sorted(attn.__all__)


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS | SIZE_FUNCTIONS)
def test_no_input_is_changed(name):
    if name in SIZE_FUNCTIONS:
        inputs, options = SIZE_FUNCTIONS[name], {}
    else:
        shapes, options, _ = ARRAY_FUNCTIONS[name]
        inputs = draw(shapes, np.float64)
    watched = list(arrays_in([*inputs.values(), *options.values()]))
    before = [a.copy() for a in watched]
    for array in watched:
        array.flags.writeable = False
    call(name, inputs, options)
    for array, copy in zip(watched, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
@pytest.mark.parametrize(
    ("given", "expected"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.int32, np.float64)],
)
def test_float32_stays_and_integers_become_float64(name, given, expected):
    shapes, options, _ = ARRAY_FUNCTIONS[name]
    for out in outputs(call(name, draw(shapes, given), options)):
        assert out.dtype == expected
        assert np.isfinite(out).all()


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_plain_lists_give_what_arrays_give(name):
    shapes, options, _ = ARRAY_FUNCTIONS[name]
    inputs = draw(shapes, np.float64)
    as_lists = {
        k: {p: a.tolist() for p, a in v.items()} if isinstance(v, dict) else v.tolist()
        for k, v in inputs.items()
    }
    pairs = zip(
        outputs(call(name, inputs, options)), outputs(call(name, as_lists, options)), strict=True
    )
    for ours, theirs in pairs:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", [n for n, row in ARRAY_FUNCTIONS.items() if row[2]])
def test_an_empty_batch_gives_an_empty_answer(name):
    shapes, options, batched = ARRAY_FUNCTIONS[name]
    carriers = [batched] if batched in shapes else list(batched)
    full = call(name, draw(shapes, np.float32), options)
    empty = {k: (0, *s[1:]) if k in carriers else s for k, s in shapes.items()}
    for big, none in zip(
        outputs(full), outputs(call(name, draw(empty, np.float32), options)), strict=True
    ):
        assert none.shape == (0, *big.shape[1:])
        assert none.dtype == np.float32


@pytest.mark.parametrize("name", [n for n in ARRAY_FUNCTIONS if n != "merge_heads"])
def test_nan_comes_out_and_does_not_raise(name):
    shapes, options, _ = ARRAY_FUNCTIONS[name]
    inputs = draw(shapes, np.float64)
    first = next(iter(inputs.values()))
    first[...] = np.nan
    assert any(np.isnan(out).any() for out in outputs(call(name, inputs, options)))


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_text_is_refused_by_name(name):
    shapes, options, _ = ARRAY_FUNCTIONS[name]
    inputs = draw(shapes, np.float64)
    first = next(iter(inputs))
    inputs[first] = np.full(inputs[first].shape, "a")
    with pytest.raises(TypeError, match=f"{first} must hold real numbers, got dtype <U1"):
        call(name, inputs, options)


@pytest.mark.parametrize("name", attn.__all__)
def test_every_public_name_has_a_docstring_with_an_example(name):
    text = inspect.getdoc(getattr(attn, name))
    assert "Examples\n--------\n>>> " in text
