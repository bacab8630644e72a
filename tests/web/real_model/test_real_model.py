"""The real model for the page: its files, the task that runs it, and what a page says of it."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from page_tasks import real_model as task

from attn import data, minilm
from attn.data.make_minilm_quantised import encode_quantised, quantised_model
from attn.minilm import maps, nearest
from web.builder.paths import TOP
from web.real_model import model_files
from web.real_model.own_sentence import MISSING, read_try, script_data

NOUN, VERB = "the monitor flickers tonight", "nurses monitor the patients"


@pytest.fixture(scope="module")
def model(minilm_weights):
    return model_files.real_model()


@pytest.fixture(scope="module")
def site(model, tmp_path_factory):
    """The model's folder of the site."""
    folder = tmp_path_factory.mktemp("site") / "minilm"
    model.write(folder)
    return folder


@pytest.fixture
def read(model, site, monkeypatch):
    """Let a new Python's task read texts as the page does: it brings what the task asks for."""
    monkeypatch.setattr(task, "_reader", None)
    files = model.manifest["files"]

    def read_them(*texts):
        asked, brought = [], {}
        while True:
            given = {"texts": list(texts), "files": brought}
            outcome = json.loads(task.run(given, lambda *sent: None))
            if outcome["state"] != "needs":
                return outcome, asked
            assert not set(outcome["files"]) & set(asked)
            asked += outcome["files"]
            brought = {
                part: memoryview((site / files[part]["name"]).read_bytes())
                for part in outcome["files"]
            }

    return read_them


@pytest.fixture(scope="module")
def encoded(minilm_weights):
    """What the same quantised weights give outside of a page."""
    weights, content = quantised_model()
    return lambda text: encode_quantised(text, weights, content)


def test_a_file_has_the_bytes_and_the_hash_that_the_manifest_says(site):
    manifest = json.loads((site / "manifest.json").read_text())
    on_disk = {path.name: path for path in site.iterdir()}
    assert {entry["name"] for entry in manifest["files"].values()} == {*on_disk} - {"manifest.json"}
    for entry in manifest["files"].values():
        content = on_disk[entry["name"]].read_bytes()
        assert len(content) == entry["bytes"]
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert entry["sha256"][:12] in entry["name"]


def test_the_files_hold_the_quantised_model(model, site):
    _, content = quantised_model()
    files = model.manifest["files"]
    for part, expected in content.items():
        assert zlib.decompress((site / files[part]["name"]).read_bytes()) == expected
    archive = zipfile.ZipFile(BytesIO(model.code))
    assert "attn/minilm/encoder.py" in archive.namelist()


def test_what_a_reader_pays_is_what_the_first_sentence_needs(model):
    assert tuple(model.manifest["first"]) == task.FIRST
    said = script_data(model, 0, [])["bytes"]
    assert said == sum(model.manifest["files"][part]["bytes"] for part in task.FIRST)
    assert 12e6 < said < 13e6


def test_without_weights_there_is_no_model(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_MINILM", str(tmp_path))
    assert model_files.real_model() is None


def test_a_new_python_asks_for_the_model_then_for_the_words_of_the_sentence(read):
    _, asked = read(VERB)
    assert tuple(asked[:4]) == task.FIRST
    assert all(task.SHARD.fullmatch(part) for part in asked[4:])
    assert len(asked) == 4 + 5
    _, asked = read(VERB)
    assert asked == []


def test_sentences_come_back_as_the_same_weights_give_them_anywhere(read, encoded):
    outcome, _ = read(NOUN, VERB)
    exact = [encoded(text) for text in (NOUN, VERB)]
    assert [one["tokens"] for one in outcome["sentences"]] == [list(e.tokens) for e in exact]
    for name, one in zip(("own-1", "own-2"), exact, strict=True):
        content = base64.b64decode(outcome["figure"]["files"][f"data/{name}.bin"])
        weights, _ = maps.unpack(content, len(one.tokens))
        np.testing.assert_allclose(weights, one.attention, rtol=0, atol=0.004)
    between = np.array(outcome["cosines"])[:, 2, len(exact[0].tokens) + 2]
    expected = minilm.cosines(exact[0].hidden[:, 2], exact[1].hidden[:, 2])
    np.testing.assert_allclose(between, expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(between, data.load("minilm_quantised")["monitor"], rtol=0, atol=2e-3)


def test_the_nearest_words_are_the_chapter_s(read):
    outcome, _ = read(NOUN, VERB)
    at = [2, len(outcome["sentences"][0]["tokens"]) + 2]
    for place, record in zip(at, data.load("minilm_findings")["words"], strict=True):
        found = outcome["nearest"][place]
        assert [word for word, _ in found[:3]] == [word for word, _ in record["nearest"][:3]]
        np.testing.assert_allclose(
            [cosine for _, cosine in found[:3]],
            [cosine for _, cosine in record["nearest"][:3]],
            rtol=0,
            atol=0.02,
        )


def test_a_word_is_not_among_its_own_neighbours(read, minilm_weights):
    assert "bank" in nearest.candidates(minilm_weights.vocabulary)
    outcome, _ = read("the bank approved my loan")
    for token, near in zip(outcome["sentences"][0]["tokens"], outcome["nearest"], strict=True):
        assert token not in [word for word, _ in near]
        assert len(near) == task.NEIGHBOURS


def test_a_word_read_alone_in_a_batch_is_what_encode_makes_of_it(minilm_weights):
    words = ["screen", "watch"]
    found = nearest.read_alone(words, minilm_weights)
    expected = [minilm.encode(word, weights=minilm_weights).hidden[-1, 1] for word in words]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert len(nearest.candidates(minilm_weights.vocabulary)) == nearest.CANDIDATES


def test_a_text_that_is_too_long_is_refused_with_its_size_and_costs_no_words(read):
    outcome, asked = read("cat", "cat " * 63)
    assert outcome == {"state": "long", "sentence": 1, "tokens": 65, "longest": maps.LONGEST}
    assert tuple(asked) == task.FIRST
    longest, _ = read("cat " * 62)
    assert len(longest["sentences"][0]["tokens"]) == maps.LONGEST


def test_no_text_loads_the_model_alone(read):
    outcome, asked = read()
    assert outcome == {"state": "ready"}
    assert tuple(asked) == task.FIRST


def test_a_script_that_the_vocabulary_lacks_is_unknown(read):
    outcome, _ = read("ᓀᐦᐃᔭᐍᐏᐣ")
    assert outcome["sentences"][0]["tokens"] == ["[CLS]", "[UNK]", "[SEP]"]


def test_a_damaged_file_is_an_error_and_not_a_model(monkeypatch):
    monkeypatch.setattr(task, "_reader", None)
    files = dict.fromkeys(task.FIRST, b"no such thing")
    outcome = json.loads(task.run({"texts": ["cat"], "files": files}, lambda *sent: None))
    assert outcome["state"] == "error"
    assert task._reader is None


@pytest.mark.parametrize("line", ["no colon", ": a", "name:", "name: a / b / c"])
def test_a_line_that_suggests_nothing_is_refused(line):
    with pytest.raises(ValueError, match="name: sentence"):
        read_try(line)


@pytest.fixture
def book(tmp_path):
    """A page with the model and one without, to be built with the project's own extension."""
    pages = tmp_path / "book"
    pages.mkdir()
    part = "```{admonition} Try\n:class: real-model\n\n- a cat: the cat walks\n```\n"
    (pages / "one.md").write_text(f"# One\n\n{part}")
    (pages / "two.md").write_text("# Two\n\nNo model.\n")
    (tmp_path / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\n"
        "sphinx: {extra_extensions: [web.real_model.own_sentence]}\n"
    )
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/one\nchapters: [{file: book/two}]\n"
    )
    return tmp_path


def build(book, **settings):
    script = Path(sys.executable).with_name("jupyter-book")
    done = subprocess.run(
        [str(script), "build", str(book), "-W", "-n", "--keep-going", "--all"],
        cwd=book,
        env=os.environ | {"PYTHONPATH": str(TOP)} | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = book / "_build/html"
    return site, *((site / f"book/{name}.html").read_text() for name in ("one", "two"))


def test_only_a_page_with_the_model_loads_its_script_and_the_site_has_the_model(book, model):
    site, one, two = build(book)
    assert "real_model/real-model.mjs" in one
    assert "real_model" not in two
    assert '<div class="attn-model" data-state="idle"' in one
    assert model.manifest == json.loads((site / "_static/minilm/manifest.json").read_text())
    assert (site / "_static/attn/head_browser/drawing.js").exists()


def test_a_site_without_weights_says_so_and_loads_nothing(book):
    site, one, _ = build(book, ATTN_MINILM=str(book))
    assert MISSING in one
    assert 'data-state="error"' in one
    assert "real-model.mjs" not in one
    assert not (site / "_static/minilm").exists()
