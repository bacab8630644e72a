"""What is kept is whole, made once, and gone if making it failed."""

import pytest

from web.builder.cache import kept_folder, write_whole


def test_a_folder_is_made_once(tmp_path):
    calls = []

    def make(folder):
        calls.append(folder)
        (folder / "a").write_text("a")

    for _ in range(2):
        assert (kept_folder(tmp_path / "kept", make) / "a").read_text() == "a"
    assert len(calls) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_folder_that_could_not_be_filled_is_not_there(tmp_path):
    def make(folder):
        (folder / "a").write_text("half")
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        kept_folder(tmp_path / "kept", make)
    assert not list(tmp_path.iterdir())


def test_what_another_build_made_meanwhile_stays(tmp_path):
    def make(folder):
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept/theirs").touch()

    assert (kept_folder(tmp_path / "kept", make) / "theirs").exists()


def test_a_file_is_written_with_its_folder(tmp_path):
    for content in (b"one", b"two"):
        write_whole(tmp_path / "new/file", content)
        assert (tmp_path / "new/file").read_bytes() == content
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["file"]
