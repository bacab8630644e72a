"""A link in a chapter sets a figure of its page; one that the figure refuses fails the build."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from attn import widgets
from web.figures.link_syntax import read_link, rebuild, set_figure

TOP = Path(__file__).resolve().parents[3]
HEADER = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
# A page

```{code-cell} ipython3
from attn.widgets import QKVStepper, SoftLookup

SoftLookup(labels=["a", "b", "c"])
```

"""


def after(figure, target):
    """The figure in the state that a link asks for."""
    set_figure(figure, read_link(target).pairs)
    return figure


def test_a_link_sets_numbers_truths_choices_and_places():
    figure = after(
        widgets.SoftLookup(), "#SoftLookup?query_angle=-45&beta=2.5&plain=true&rule=relu"
    )
    assert (figure.query_angle, figure.beta) == (-45, 2.5)
    assert (figure.plain, figure.rule) == (True, "relu")
    assert after(widgets.QKVStepper(), "#QKVStepper?step=softmax").step == 3
    assert after(widgets.QKVStepper(), "#QKVStepper?step=4").step == 4


def test_a_link_sets_one_entry_of_a_list_or_all_or_leaves_none():
    assert after(widgets.QKVStepper(), "#QKVStepper?W_q.0.1=-2").W_q == [[5, -2], [0, 5]]
    splitter = after(widgets.HeadSplitter(), "#HeadSplitter?on=true&on.0=false")
    assert splitter.on == [False, True, True, True]
    plane = after(widgets.TokenPlane(), "#TokenPlane?embedding.cat=1.5&embedding.cat.0=2")
    assert plane.embedding["cat"] == [2] + [1.5] * 7
    assert after(widgets.TokenPlane(order=[1, 0, 2, 3, 4, 5]), "#TokenPlane?order=").order == []


def test_traits_that_depend_on_each_other_are_judged_together():
    plane = widgets.TokenPlane(sentences=["cat", "the cat walks"])
    after(plane, "#TokenPlane?query=2&sentence=the+cat+walks")
    assert (plane.words[plane.query], plane.words[1]) == ("walks", "cat")


def test_which_of_several_figures_and_how_an_address_writes_it():
    link = read_link("#TokenPlane-2?sentence=mi fa sol&query=1")
    assert (link.figure, link.number, link.name) == ("TokenPlane", 2, "TokenPlane-2")
    assert link.state == "sentence=mi+fa+sol&query=1"
    assert read_link("#TokenPlane?query=1").name == "TokenPlane"


REFUSED = [
    ("SoftLookup", "#SoftLookup?", "is #Figure?trait=value&trait=value: #SoftLookup? received"),
    ("SoftLookup", "#SoftLookup?beta", "trait=value: #SoftLookup?beta received"),
    ("SoftLookup", "#softlookup?beta=1", "trait=value: #softlookup?beta=1 received"),
    ("SoftLookup", "#SoftLookup-0?beta=1", "trait=value: #SoftLookup-0?beta=1 received"),
    ("SoftLookup", "#SoftLookup?gamma=1", "SoftLookup has the traits beta, key_vectors, labels,"),
    ("SoftLookup", "#SoftLookup?layout=1", "rule, values: layout received"),
    ("SoftLookup", "#SoftLookup?query_angle=270", "between -180 and 180, not 270"),
    ("SoftLookup", "#SoftLookup?beta=big", "beta is a number: 'big' received"),
    ("SoftLookup", "#SoftLookup?beta=nan", "beta is a number: 'nan' received"),
    ("SoftLookup", "#SoftLookup?plain=1", "plain is true or false: '1' received"),
    ("SoftLookup", "#SoftLookup?rule=magic", "['softmax', 'relu', 'sparsemax'], not the str"),
    ("CostTable", "#CostTable?n=100", "n must be a power of 2, 8 to 65536, not 100"),
    ("CostTable", "#CostTable?n=8.5", "expected an int, not the float 8.5"),
    ("QKVStepper", "#QKVStepper?step=score+it", "step is one of project, score, scale, softmax,"),
    ("SoftLookup", "#SoftLookup?beta=1.25", "beta goes from 0 in steps of 0.1: 1.25 received"),
    ("QKVStepper", "#QKVStepper?W_q.0.1=-2.03", "W_q.0.1 goes from"),
    ("QKVStepper", "#QKVStepper?step=6", "step must be between 0 and 5, not 6"),
    ("QKVStepper", "#QKVStepper?word=6", "6 tokens, 6 embeddings, word 6"),
    ("QKVStepper", "#QKVStepper?W_q.0.1=7", "each entry of W_q must be between -6.0 and 6.0,"),
    ("HeadSplitter", "#HeadSplitter?on.4=true", "entry that is there (0, 1, 2, 3): 4 received"),
    ("HeadSplitter", "#HeadSplitter?heads.0=1", "entry that is there (none): 0 received"),
    ("TokenPlane", "#TokenPlane?embedding=1", "set as embedding.name=…: '1' received"),
    ("TokenPlane", "#TokenPlane?query=6", "query must be between 0 and 5, not 6"),
]


@pytest.mark.parametrize(("name", "target", "message"), REFUSED, ids=[r[1] for r in REFUSED])
def test_what_a_figure_refuses_is_said_with_the_rule_and_what_was_received(name, target, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        after(getattr(widgets, name)(), target)


@pytest.mark.parametrize("name", widgets.__all__)
def test_a_figure_can_be_made_anew_from_the_state_that_a_page_holds(name):
    figure = getattr(widgets, name)()
    again = rebuild(figure.get_state())
    assert isinstance(again, getattr(widgets, name))
    assert again.get_state(again._spec["traits"]) == figure.get_state(figure._spec["traits"])


@pytest.fixture
def book(tmp_path):
    """A book of one page with figures, built by the project's own extensions."""
    (tmp_path / "book").mkdir()
    (tmp_path / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\nexecute: {execute_notebooks: force}\n"
        "sphinx: {extra_extensions: [web.figures.figure_links], config: {nb_ipywidgets_js: {}}}\n"
    )
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    return tmp_path


def build(book, text):
    (book / "book/index.md").write_text(HEADER + text)
    script = Path(sys.executable).with_name("jupyter-book")
    command = [str(script), "build", str(book), "-W", "-n", "--keep-going", "--all"]
    settings = os.environ | {"PYTHONPATH": str(TOP)}
    return subprocess.run(
        command, cwd=book, env=settings, capture_output=True, text=True, check=False
    )


SECOND = "\n```{code-cell} ipython3\nSoftLookup(beta=2)\n```\n"


def test_a_link_becomes_a_button_that_waits_for_its_script(book):
    text = "1. Then [turn *it* to 90°](#SoftLookup?query_angle=90).\n"
    done = build(book, f"{text}\n[sharper](#SoftLookup-2?beta=8&plain=true)\n{SECOND}")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (book / "_build/html/book/index.html").read_text()
    first, second = re.findall(r'<span class="attn-set"([^>]*)>(.*?)</span>', page)
    assert first[1] == "turn <em>it</em> to 90°"
    assert 'data-figure="SoftLookup"' in first[0]
    assert 'data-state="query_angle=90"' in first[0]
    assert "role" not in first[0]  # text, until the script comes
    assert 'data-figure="SoftLookup-2" data-state="beta=8&amp;plain=true"' in second[0]


def test_each_link_that_cannot_be_followed_fails_the_build_with_its_line(book):
    refused = {
        "[turn](#SoftLookup?query_angle=270)": "must be between -180 and 180, not 270.0",
        "[turn](#SoftLookup?query_angel=90)": "SoftLookup has the traits",
        "[turn](#SoftLookup?labels=)": "each key needs one value and one label",
        "[turn](#SoftLookup-2?beta=1)": "its own page (SoftLookup): SoftLookup-2 received",
        "[turn](#QKVStepper?step=1)": "its own page (SoftLookup): QKVStepper received",
        "[turn](#Nothing?step=1)": "its own page (SoftLookup): Nothing received",
        "[turn](#SoftLookup?)": "is #Figure?trait=value&trait=value",
    }
    done = build(book, "\n\n".join(refused))
    said = done.stdout + done.stderr
    assert done.returncode != 0
    for number, (link, message) in enumerate(refused.items()):
        line = HEADER.count("\n") + 1 + 2 * number
        target = re.search(r"\((.*)\)", link)[1]
        assert re.search(rf"index\.md:{line}: WARNING: {re.escape(target)}: ", said), (line, said)
        assert message in said
