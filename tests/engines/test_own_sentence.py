"""The real model reads a sentence in three engines."""

import pytest

from web.real_model.model_files import real_model

pytestmark = pytest.mark.matrix  # tests/page asks more of it, in Chromium
CHAPTER = "book/12-real-attention.html"
ROOT = ".attn-model"
STATE = f"(state) => document.querySelector('{ROOT}').dataset.state === state"
READ = f"(tokens) => document.querySelector('{ROOT}').dataset.tokens === tokens"
KEPT = f"() => document.querySelector('{ROOT} button')?.textContent.includes('already')"
SHOWN = f"() => document.querySelector('{ROOT}').innerText"


def test_a_sentence_is_typed_and_read_and_the_model_is_kept(engine, open_tab, minilm_weights):
    tab = open_tab()
    tab.go(engine.isolated + CHAPTER)
    tab.wait(f"() => document.querySelector('{ROOT} form')")
    price = f"{real_model().first_bytes / 1e6:.1f} MB"
    tab.press(f"{ROOT} button", name=f"Load the model ({price}, once)")
    tab.wait(STATE, "ready", saw=SHOWN)
    tab.focus(f"{ROOT} input")
    tab.key("Control", "a")
    tab.write("We saw her duck")
    tab.key("Enter")
    tab.wait(READ, "[CLS] we saw her duck [SEP]", saw=SHOWN)
    tab.wait(f"() => document.querySelector('{ROOT} .attn-weight-cell')", saw=SHOWN)
    assert "“we”" in tab.text(f"{ROOT} .attn-words")
    if engine.name != "webkit":  # driven by a test, it has lost its files after a reload
        tab.reload()
        tab.wait(KEPT, saw=SHOWN)
    assert tab.complaints() == []
