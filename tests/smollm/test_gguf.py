"""The file format, on files made here byte by byte."""

import struct

import numpy as np
import pytest

from attn.smollm.gguf import read_gguf


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def file(facts=(), tensors=(), *, magic=b"GGUF", version=3):
    """A GGUF file; tensors are (name, shape, kind, bytes)."""
    head = magic + struct.pack("<IQQ", version, len(tensors), len(facts))
    for name, kind, value in facts:
        head += text(name) + struct.pack("<I", kind) + value
    offset, body = 0, b""
    for name, shape, kind, content in tensors:
        sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        head += text(name) + sizes + struct.pack("<IQ", kind, offset)
        body += content + b"\0" * (-len(content) % 32)
        offset = len(body)
    return head + b"\0" * (-len(head) % 32) + body


def test_facts_are_numbers_texts_and_lists():
    facts = [
        ("layers", 4, struct.pack("<I", 30)),
        ("base", 6, struct.pack("<f", 0.5)),
        ("name", 8, text("cat 猫")),
        ("words", 9, struct.pack("<IQ", 8, 2) + text("a") + text("b")),
    ]
    metadata, tensors = read_gguf(file(facts))
    assert metadata == {"layers": 30, "base": 0.5, "name": "cat 猫", "words": ["a", "b"]}
    assert tensors == {}


def test_float32_is_as_it_is_and_the_fastest_size_comes_first():
    numbers = np.arange(6, dtype="<f4")
    _, tensors = read_gguf(file(tensors=[("W", (2, 3), 0, numbers.tobytes())]))
    np.testing.assert_array_equal(tensors["W"].array(), numbers.reshape(2, 3))


def test_four_bits_hold_the_first_16_numbers_low_and_the_last_16_high():
    pairs = bytes(k | (15 - k) << 4 for k in range(16))
    block = struct.pack("<ee", 0.5, -1.0) + pairs
    _, tensors = read_gguf(file(tensors=[("W", (1, 32), 3, block)]))
    steps = np.concatenate([np.arange(16), 15 - np.arange(16)])
    np.testing.assert_array_equal(tensors["W"].array(), [0.5 * steps - 1])


def test_eight_bits_are_signed_numbers_times_a_factor():
    numbers = np.arange(-16, 16, dtype=np.int8)
    blocks = b"".join(struct.pack("<e", factor) + numbers.tobytes() for factor in (0.25, 2))
    _, tensors = read_gguf(file(tensors=[("W", (2, 32), 8, blocks)]))
    np.testing.assert_array_equal(tensors["W"].array(), [numbers * 0.25, numbers * 2.0])


def test_arrays_start_at_multiples_of_32_bytes():
    one, two = np.float32([1, 2, 3]), np.float32([4])
    both = [("a", (3,), 0, one.tobytes()), ("b", (1,), 0, two.tobytes())]
    _, tensors = read_gguf(file([("x", 7, b"\1")], both))
    assert [tensors[name].array().tolist() for name in "ab"] == [[1, 2, 3], [4]]


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (file(magic=b"GGML"), "begins with .*GGUF.*got .*GGML"),
        (file(version=2), "got .*2"),
        (b"GG", "cut short: it has 2 bytes"),
        (file(tensors=[("W", (8,), 0, b"\0" * 32)])[:-1], "cut short"),
        (
            file(tensors=[("W", (32,), 2, b"\0" * 18)]),
            "arrays are F32, Q4_1, Q8_0 here: W is of kind 2",
        ),
    ],
)
def test_another_or_a_broken_file_is_refused(content, rule):
    with pytest.raises(ValueError, match=rule):
        read_gguf(content)
