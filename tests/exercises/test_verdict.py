"""A verdict reads the same as data, as text and as a card."""

import json

import numpy as np
import pytest

from attn.exercises import Verdict, check
from attn.palette import colours


@pytest.mark.parametrize(
    ("passed", "state"), [(True, "passed"), (False, "failed"), (None, "unanswered")]
)
def test_the_card_carries_the_state_of_the_page(passed, state):
    html = Verdict(passed, "words", title="T")._repr_html_()
    assert f'class="attn-verdict" data-state="{state}"' in html


def test_everything_on_the_card_is_escaped():
    evil = "<img src=x onerror=alert(1)>&\"'"
    html = Verdict(False, evil, "m", evil, ((evil, evil, evil),), evil)._repr_html_()
    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#x27;") == 6


@pytest.mark.parametrize(
    ("passed", "name", "jupyter"),
    [
        (True, "passed", "success-color1"),
        (False, "failed", "error-color1"),
        (None, "muted", "ui-font-color2"),
    ],
)
def test_the_card_s_edge_is_the_palette_s_or_jupyterlab_s(passed, name, jupyter):
    html = Verdict(passed, "words")._repr_html_()
    edge = f"var(--attn-{name}, var(--jp-{jupyter}, {colours('light')[name]}))"
    assert f"border-left: .3rem solid {edge};" in html


def test_data_is_json_with_the_keys_of_the_contract():
    data = Verdict(False, "m", "x", "T", (("row 0", "1", "2"),), "h").as_dict()
    assert json.loads(json.dumps(data)) == {
        "passed": False,
        "message": "m",
        "mistake": "x",
        "title": "T",
        "state": "failed",
        "heading": "✗ Not yet: T",
        "columns": ["compared", "yours", "expected"],
        "table": [["row 0", "1", "2"]],
        "hint": "h",
        "hint_label": "What to try",
    }
    assert Verdict(True, "m").as_dict()["table"] is None


def test_text_lines_up_got_and_expected():
    text = str(Verdict(False, "Words.", "x", "T", (("row 0", "[1, 2]", "[3]"),)))
    assert text.splitlines() == [
        "✗ Not yet: T",
        "Words.",
        "compared  yours   expected",
        "row 0     [1, 2]  [3]",
    ]


def test_what_to_try_is_folded_on_a_card_and_asked_for_in_text():
    verdict = Verdict(False, "Words.", hint="Use np.log.")
    fold = "<details><summary>What to try</summary><p>Use np.log.</p></details>"
    assert fold in verdict._repr_html_()
    assert str(verdict).endswith("What to try: see .hint")
    assert "np.log" not in str(verdict)
    assert "<details>" not in Verdict(True, "Words.")._repr_html_()


def test_only_a_pass_is_true():
    assert Verdict(True, "m")
    assert not Verdict(False, "m")
    assert not Verdict(None, "m")


def test_a_wrong_array_is_shown_beside_the_expected_one():
    verdict = check("01-softmax", lambda x: np.zeros_like(x))
    assert verdict.table == (("result", "[0, 0, 0]", "[0.1753, 0.03911, 0.7856]"),)
    assert "x = [0.5, -1, 2]" in verdict.message


def test_a_wrong_shape_is_shown_as_a_shape():
    verdict = check("01-softmax", lambda x: np.zeros(2))
    assert verdict.table == (("shape", "(2,)", "(3,)"),)
    assert "shape (2,); shape (3,) was expected" in verdict.message


def test_only_the_rows_that_differ_are_shown():
    def wrong_second_row(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        out = e / e.sum(-1, keepdims=True)
        if x.ndim > 1:
            out[1] = 0
        return out

    verdict = check("01-softmax", wrong_second_row)
    assert [row[0] for row in verdict.table] == ["row 1"]


def test_values_that_differ_late_are_shown_with_enough_digits():
    verdict = check("01-general-score", lambda query, keys, W: keys @ (query @ W) + 2e-4)
    (_, yours, expected), *_ = verdict.table
    assert yours != expected
