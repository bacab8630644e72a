"""Text from text: the next token, a continuation, an answer in a conversation."""

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from attn.core import softmax
from attn.core.arrays import Array
from attn.smollm.decoder import Cache, read
from attn.smollm.sampling import check_settings, choose, probabilities
from attn.smollm.weights import Model, load

END = "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
ROLES = ("system", "user", "assistant")


def tokenize(text: str, *, model: Model | None = None) -> list[int]:
    """The numbers of a text's tokens.

    Parameters
    ----------
    text : str
        Names of control tokens in it, such as ``<|im_end|>``, become those tokens.

    Returns
    -------
    list of int
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a str: got {type(text).__name__}")
    return (model or load()).tokenizer.tokenize(text)


def decode(ids: Iterable[int], *, model: Model | None = None) -> str:
    """The text of tokens; bytes that are no whole letter become �."""
    return (model or load()).tokenizer.decode(ids)


def next_token(
    text: str | Sequence[int],
    *,
    parts: Mapping[str, Callable] | None = None,
    model: Model | None = None,
) -> Array:
    """How likely each token is to come next.

    Parameters
    ----------
    text : str or list of int
    parts : dict, optional
        Functions to use in place of `attn`'s, by name, such as ``{"softmax": mine}``.

    Returns
    -------
    (49152,)
        Probabilities, in float64.

    Raises
    ------
    MissingWeights
        If the model is not at hand.
    ValueError
        If the text is empty or has more than 8,192 tokens, or if a part is unknown or returns
        another shape than the model needs.
    """
    model = model or load()
    logits = read(_ids(text, model), model, parts=parts, last=True).logits[-1]
    return softmax(logits.astype(np.float64))


def attention(
    text: str | Sequence[int],
    *,
    parts: Mapping[str, Callable] | None = None,
    model: Model | None = None,
) -> tuple[list[str], Array]:
    """Where each head looks, in a text.

    Returns
    -------
    (list of str, (30, 9, n, n))
        The tokens as text, and the weights: layer, head, query, key.
    """
    model = model or load()
    ids = _ids(text, model)
    maps: Any = read(ids, model, parts=parts, last=True, attention=True).attention
    return [model.tokenizer.decode([token]) for token in ids], maps


def write(
    prompt: str | Sequence[int],
    *,
    count: int = 40,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
    stop: str | Sequence[str] | None = None,
    parts: Mapping[str, Callable] | None = None,
    model: Model | None = None,
) -> Iterator[str]:
    """Go on from a prompt, token by token.

    Parameters
    ----------
    prompt : str or list of int
    count : int, default 40
        How many tokens to write at most.
    temperature : float, default 1.0
        0 always takes the likeliest token.
    top_k : int, optional
    top_p : float, optional
    seed : int, default 0
    stop : str or list of str, optional
        Texts that end the writing where they appear; they are not part of it.
    parts : dict, optional
        Functions to use in place of `attn`'s, by name.

    Yields
    ------
    str
        The text of each token as soon as it is whole: a letter of several tokens comes with its
        last. Take as many as you like; what is not asked for is not computed.

    Raises
    ------
    MissingWeights, ValueError
        As `next_token`, and for settings out of their range, when the call is made.
    """
    model = model or load()
    check_settings(temperature, top_k, top_p)
    if isinstance(count, bool) or int(count) != count or count < 0:
        raise ValueError(f"count must be a whole number of at least 0: got {count!r}")
    ids, stops = _ids(prompt, model), _stops(stop)
    settings = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
    tokens = _tokens(ids, model, int(count), settings, np.random.default_rng(seed), parts)
    return _until(_texts(tokens, model), stops)


def chat(messages: Sequence[Mapping[str, str]], **settings: Any) -> Iterator[str]:
    """Answer a conversation: a `write` whose prompt is the conversation in the model's own form.

    Parameters
    ----------
    messages : list of dict
        Each with a "role" (system, user or assistant) and a "content".
    **settings
        As of `write`.

    Returns
    -------
    generator of str
    """
    return write(conversation(messages), **settings)


def conversation(messages: Sequence[Mapping[str, str]]) -> str:
    """A conversation as the text that the model was tuned on, ready for its answer.

    Examples
    --------
    >>> print(conversation([{"role": "system", "content": "Be brief."},
    ...                     {"role": "user", "content": "Hi!"}]))
    <|im_start|>system
    Be brief.<|im_end|>
    <|im_start|>user
    Hi!<|im_end|>
    <|im_start|>assistant
    <BLANKLINE>
    """
    for message in messages:
        if not isinstance(message, Mapping) or set(message) != {"role", "content"}:
            raise ValueError(f"a message is a dict with role and content: got {message!r}")
        if message["role"] not in ROLES:
            raise ValueError(f"a role is one of {', '.join(ROLES)}: got {message['role']!r}")
    if not messages or messages[0]["role"] != "system":
        messages = [{"role": "system", "content": SYSTEM}, *messages]
    said = (f"<|im_start|>{m['role']}\n{m['content']}{END}\n" for m in messages)
    return "".join(said) + "<|im_start|>assistant\n"


def _ids(text, model):
    ids = model.tokenizer.tokenize(text) if isinstance(text, str) else [int(i) for i in text]
    if not ids:
        raise ValueError("there must be something to go on from: the prompt is empty")
    unknown = [i for i in ids if not 0 <= i < len(model.tokenizer.pieces)]
    if unknown:
        raise ValueError(
            f"a token is a number from 0 to {len(model.tokenizer.pieces) - 1}: got {unknown[0]}"
        )
    return ids


def _stops(stop):
    stops = [stop] if isinstance(stop, str) else list(stop or ())
    if not all(isinstance(one, str) and one for one in stops):
        raise ValueError(f"stop must be a text or several, none of them empty: got {stop!r}")
    return stops


def _tokens(ids, model, count, settings, rng, parts):
    """Chosen tokens one after the other, until the end of the answer or `count`."""
    cache, end = Cache(), model.tokenizer.ids[END]
    for _ in range(count):
        logits = read(ids, model, cache=cache, parts=parts, last=True).logits[-1]
        chosen = choose(probabilities(logits, **settings), rng)
        if chosen == end:
            return
        yield chosen
        ids = [chosen]


def _texts(tokens, model):
    """The text of tokens, each as soon as its letters are whole."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for token in tokens:
        yield decoder.decode(model.tokenizer.bytes_of(token))
    yield decoder.decode(b"", final=True)


def _until(texts, stops):
    """Texts up to the first place where one of `stops` appears, held back while it may."""
    held = ""
    for text in texts:
        held += text
        ends = [held.index(stop) for stop in stops if stop in held]
        if ends:
            held = held[: min(ends)]
            break
        safe = len(held) - _may_begin(held, stops)
        if safe:
            yield held[:safe]
            held = held[safe:]
    if held:
        yield held


def _may_begin(text, stops):
    """How many letters at the end may be the beginning of a stop."""
    return max(
        (n for stop in stops for n in range(1, len(stop)) if text.endswith(stop[:n])), default=0
    )
