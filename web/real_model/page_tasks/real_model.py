"""Let the real model of chapter 12 read sentences, and tell what it made of them.

The weights stay in this Python from one sentence to the next. What is not here is asked for by
name: the page then runs the task again and brings it along.
"""

import base64
import importlib.util
import io
import json
import re
import zipfile
import zlib
from pathlib import Path

from page_tasks.running import Output, error_outcome

FIRST = ("minilm.zip", "layers.bin", "words.txt", "nearest.bin")
SHARD = re.compile(r"words-(\d+)\.bin")
NEIGHBOURS = 8
_reader = None


class Reader:
    """The model, its words as far as they are here, and the words to compare tokens with."""

    def __init__(self, files):
        from attn.minilm.nearest import Nearest
        from attn.minilm.quantised import read

        layers, words, nearest = (zlib.decompress(files[part]) for part in FIRST[1:])
        self.weights = read(layers, words)
        self.nearest = Nearest(nearest, self.weights.vocabulary)

    def take(self, files):
        """Keep the vectors of words that the page brought."""
        for part, content in files.items():
            if found := SHARD.fullmatch(part):
                self.weights.words.add(int(found[1]), zlib.decompress(content))

    def read(self, texts):
        from attn.minilm.maps import LONGEST
        from attn.minilm.quantised import needed_shards, shard_name
        from attn.minilm.wordpiece import tokenize

        for place, text in enumerate(texts):
            count = len(tokenize(text, self.weights.vocabulary))
            if count > LONGEST:
                return {"state": "long", "sentence": place, "tokens": count, "longest": LONGEST}
        needed = sorted({k for text in texts for k in needed_shards(text, self.weights)})
        if needed:
            return {"state": "needs", "files": [shard_name(k) for k in needed]}
        return self.describe(texts) if texts else {"state": "ready"}

    def describe(self, texts):
        """Tokens, all heads, cosines of all tokens with each other, and each one's neighbours."""
        import numpy as np

        from attn import minilm
        from attn.minilm.maps import describe, own_sentences

        encodings = [minilm.encode(text, weights=self.weights) for text in texts]
        sentences = own_sentences(texts, encodings)
        hidden = np.concatenate([one.hidden for one in encodings], axis=1)
        tokens = [token for one in encodings for token in one.tokens]
        cosines = [minilm.cosines(level[:, None], level[None]) for level in hidden]
        files = {
            f"data/{name}.bin": base64.b64encode(one.content).decode()
            for name, one in sentences.items()
        }
        return {
            "state": "encoded",
            "sentences": [{"text": one.text, "tokens": one.tokens} for one in sentences.values()],
            "figure": describe(sentences) | {"files": files},
            "cosines": np.round(cosines, 4).tolist(),
            "nearest": self.nearest.of(hidden[-1], tokens, NEIGHBOURS),
        }


def install(archive):
    """Put the code of the model beside the rest of `attn`, unless it is there."""
    if importlib.util.find_spec("attn.minilm") is None:
        import attn

        zipfile.ZipFile(io.BytesIO(archive)).extractall(Path(attn.__file__).parents[1])
        importlib.invalidate_caches()


def answer(texts, files):
    global _reader
    if _reader is None:
        missing = [part for part in FIRST if part not in files]
        if missing:
            return {"state": "needs", "files": missing}
        install(files[FIRST[0]])
        _reader = Reader(files)
    _reader.take(files)
    return _reader.read(texts)


def run(task, send):
    """Read the ``texts`` with the model, to which ``files`` may be added; return JSON.

    Its ``state`` is "encoded" with what the model made of them, "ready" if there was no text,
    "needs" with the parts that are missing, "long" for a text that no figure can draw, or "error".
    """
    try:
        outcome = answer(list(task["texts"]), task["files"])
    except BaseException as error:
        outcome = error_outcome(error, "real model", Output(send))
    return json.dumps(outcome)
