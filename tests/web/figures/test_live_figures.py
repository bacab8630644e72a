"""What the site has of a figure: its modules, its style, its data, and none of them in a page."""

import json

from attn.minilm.maps import Sentence
from attn.widgets import HeadBrowser, LinearState
from attn.widgets.head_browser import SENTENCES
from web.figures.live_figures import files, first_modules, strip_modules


def test_a_figure_s_data_files_are_on_the_site_with_their_notice():
    data = {name for name in files({"head_browser"}) if "/data/" in name}
    assert {f"head_browser/data/{name}.bin" for name in SENTENCES} <= data
    assert "head_browser/data/NOTICE.txt" in data
    assert not any("/data/" in name for name in files({"linear_state"}))


def test_data_is_not_asked_for_with_the_page():
    assert not any(name.endswith(".bin") for name in first_modules({"head_browser"}))


def test_a_page_s_state_holds_no_file():
    for figure in (HeadBrowser(), LinearState()):
        whole = {"state": {"id": {"state": figure.get_state()}}}
        (kept,) = strip_modules(whole)["state"].values()
        assert not {"_esm", "_css", "_files"} & kept["state"].keys()
        text = json.dumps(kept["state"]["_spec"])
        assert len(text) < 20_000


def test_sentences_of_one_s_own_stay_in_the_page_since_no_file_has_them():
    own = {"own-1": Sentence("cat", ("[CLS]", "cat", "[SEP]"), bytes(72 * 15))}
    figure = HeadBrowser(sentences=own, sentence="own-1")
    (kept,) = strip_modules({"state": {"id": {"state": figure.get_state()}}})["state"].values()
    assert set(kept["state"]["_files"]) == {"data/own-1.bin"}
