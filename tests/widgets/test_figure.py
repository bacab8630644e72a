"""Every figure's files, its page's spec, and how its state travels."""

import itertools
import re
import subprocess

import pytest
from traitlets import TraitError

from attn import widgets
from attn.widgets.kit.figure import WIDGETS
from attn.widgets.kit.module_text import self_contained

FIGURES = [getattr(widgets, name) for name in widgets.__all__]


@pytest.mark.parametrize("cls", FIGURES)
def test_the_site_can_find_the_files_from_the_class(cls):
    package, module, name = cls()._anywidget_id.rsplit(".", 2)
    assert package == "attn.widgets"
    assert name == cls.__name__
    assert f'name: "{name}"' in (WIDGETS / module / "drawing.js").read_text(encoding="utf-8")
    assert cls()._css.endswith((WIDGETS / module / "style.css").read_text(encoding="utf-8"))


@pytest.mark.parametrize("cls", FIGURES)
def test_a_notebook_gets_every_colour_and_dash_that_the_figure_s_style_uses(cls):
    style = cls()._css
    defined = set(re.findall(r"(--attn-[\w-]+):", style))
    assert {"--attn-query", "--attn-guide-dash"} <= defined
    assert set(re.findall(r"var\((--attn-[\w-]+)\)", style)) <= defined


@pytest.mark.parametrize("cls", FIGURES)
def test_the_spec_has_every_trait_and_every_range(cls):
    shown = cls()
    spec = shown.get_state()["_spec"]
    own = {name for name in cls.class_own_traits(sync=True) if not name.startswith("_")}
    assert set(spec["traits"]) == own
    for name, control in spec["controls"].items():
        value = getattr(shown, name)
        if isinstance(control, dict) and isinstance(value, int | float):
            assert control["min"] <= value <= control["max"]


def stops(min, max, step, base=None):
    """The values that a slider with such a range can be moved to."""
    if base is None:
        # Rounded as a browser does: the nineteenth step of 0.05 is 0.95.
        return [round(min + k * step, 9) for k in range(round((max - min) / step) + 1)]
    return list(itertools.takewhile(lambda x: x <= max, (min * base**k for k in itertools.count())))


@pytest.mark.parametrize("cls", FIGURES)
def test_what_a_slider_can_reach_python_accepts_and_nothing_beyond(cls):
    for name, control in cls()._spec["controls"].items():
        if not isinstance(control, dict) or isinstance(getattr(cls(), name), list):
            continue
        for value in stops(**control):
            assert getattr(cls(**{name: value}), name) == value
        for end, beyond in ((control["min"], -control["step"]), (control["max"], control["step"])):
            with pytest.raises(TraitError, match=f"{name}.* must be between"):
                setattr(cls(), name, end + beyond)


def test_changes_made_together_are_one_message(monkeypatch):
    shown = widgets.SoftLookup()
    sent = []
    monkeypatch.setattr(shown, "_send", lambda message, buffers=None: sent.append(message))
    with shown.hold_trait_notifications():
        shown.key_vectors = [[1, 0], [0, 1]]
        shown.values = [1, 2]
        shown.labels = ["a", "b"]
    assert [set(message["state"]) for message in sent] == [{"key_vectors", "values", "labels"}]


def test_changes_that_do_not_fit_together_change_nothing():
    shown = widgets.SoftLookup()
    with pytest.raises(TraitError, match="2 key_vectors, 3 values, 3 labels"):
        shown.key_vectors = [[1, 0], [0, 1]]
    assert len(shown.key_vectors) == 3


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


def test_a_module_comes_once_and_after_what_it_imports(tmp_path):
    (tmp_path / "kit").mkdir()
    write(tmp_path, top='import { a } from "./kit/a.js";\nimport { b } from "./kit/b.js";')
    write(tmp_path / "kit", a='import { b } from "./b.js";', b="export const b = 1;")
    text = self_contained(tmp_path, "top.js")
    places = [text.index(f'["{name}", ') for name in ("kit/b.js", "kit/a.js", "top.js")]
    assert places == sorted(places)
    assert text.count("export const b = 1;") == 1


def test_modules_that_import_in_a_circle_are_named(tmp_path):
    write(tmp_path, a='import { b } from "./b.js";', b='import { a } from "./a.js";')
    with pytest.raises(ValueError, match=r"a\.js → b\.js → a\.js"):
        self_contained(tmp_path, "a.js")


@pytest.mark.parametrize("cls", FIGURES)
def test_the_notebook_s_text_names_no_file_and_parses(cls, tmp_path):
    text = cls()._esm
    assert 'from \\"./' not in text
    assert 'from \\"../' not in text
    (tmp_path / "module.mjs").write_text(text, encoding="utf-8")
    subprocess.run(["node", "--check", tmp_path / "module.mjs"], check=True)
