"""A chapter's key changes exactly when its results might."""

import pytest

from web.builder.execution.result_keys import Package
from web.builder.third_party import assets

FILES = {
    "attn/__init__.py": "from attn.core import *\n",
    "attn/palette.py": "RED = '#f00'\n",
    "attn/core/__init__.py": (
        "from attn.core.masks import causal\nfrom attn.core.softmax import softmax\n"
        "__all__ = ['causal', 'softmax']\n"
    ),
    "attn/core/masks.py": "def causal(n):\n    return n\n",
    "attn/core/softmax.py": 'def softmax(x):\n    """Shares."""\n    return x  # as it is\n',
    "attn/widgets/__init__.py": (
        "from attn.widgets.dial import Dial\nfrom attn.widgets.plane import Plane\n"
    ),
    "attn/widgets/kit/__init__.py": "",
    "attn/widgets/kit/figure.py": "WIDTH = 1\n",
    "attn/widgets/dial/__init__.py": (
        "from attn.widgets.kit.figure import WIDTH\nclass Dial: width = WIDTH\n"
    ),
    "attn/widgets/plane/__init__.py": (
        "from ..kit.figure import WIDTH\nfrom attn import data\nSIZE = 0\n"
    ),
    "attn/widgets/dial/drawing.js": "export default {};\n",
    "attn/widgets/dial/style.css": ".dial {}\n",
    "attn/data/__init__.py": (
        "def load(name):\n    return f'{name}.json'\ndef digits():\n    return 'digits.npz'\n"
    ),
    "attn/data/steps.json": "{}\n",
    "attn/nn/__init__.py": "",
    "attn/nn/experiments/__init__.py": (
        "from importlib import import_module\n"
        "HOMES = {'train_one': 'one', 'train_two': 'two'}\n"
        "def __getattr__(name):\n    return getattr(import_module(HOMES[name]), name)\n"
    ),
    "attn/nn/experiments/one.py": "STEPS = 1\n",
    "attn/nn/experiments/two.py": "STEPS = 2\n",
    "attn/exercises/__init__.py": "from attn.exercises.catalog import check\n",
    "attn/exercises/catalog.py": "import importlib\ndef check(i): importlib.import_module(i)\n",
    "attn/exercises/ch01/__init__.py": "from attn.exercises.ch01 import share\n",
    "attn/exercises/ch01/share.py": "E = dict(hints=('Look.', 'Again.'), says='You sum.')\n",
    "attn/exercises/ch02/__init__.py": "from attn.exercises.ch02 import order\n",
    "attn/exercises/ch02/order.py": "E = dict(hints=('Swap.',), says='You sort.')\n",
    "requirements.txt": "numpy==2\n",
}
CHAPTERS = {
    "one": [
        "%matplotlib inline\nfrom attn import softmax\nfrom attn.widgets import Dial",
        "from attn.nn.experiments import train_one\nfrom attn.data import load",
        "load('steps')",
        "from attn.exercises import check\ncheck('01-share', softmax)",
    ],
    "two": [
        "import attn\nfrom attn.widgets import Plane",
        "from attn.nn.experiments import train_two",
        "from attn.exercises import check\ncheck('02-order', 1)",
    ],
    "pictures": ["from attn.data import digits\ndigits()"],
    "plain": ["import numpy as np\nnp.ones(3)"],
}


@pytest.fixture
def top(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def keys(top, **options):
    package = Package(top)
    return {name: package.key(cells, **options) for name, cells in CHAPTERS.items()}


def changed(top, file, old, new, **options):
    """The chapters whose key another text of one file changes."""
    before = keys(top, **options)
    text = (top / file).read_text() if (top / file).exists() else ""
    assert old in text
    (top / file).parent.mkdir(parents=True, exist_ok=True)
    (top / file).write_text(text.replace(old, new) if old else text + new)
    after = keys(top, **options)
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize(
    ("file", "old", "new", "executed"),
    [
        ("attn/core/softmax.py", "return x", "return 2 * x", {"one", "two"}),
        ("attn/core/masks.py", "return n", "return -n", {"two"}),
        ("attn/widgets/dial/__init__.py", "width = WIDTH", "width = 0", {"one"}),
        ("attn/widgets/plane/__init__.py", "SIZE = 0", "SIZE = 1", {"two"}),
        ("attn/widgets/plane/__init__.py", "import data", "import palette as data", {"two"}),
        ("attn/widgets/kit/figure.py", "1", "2", {"one", "two"}),
        ("attn/widgets/__init__.py", "", "SIZE = 3\n", {"one", "two"}),
        ("attn/nn/experiments/one.py", "1", "10", {"one"}),
        ("attn/nn/experiments/two.py", "2", "20", {"two"}),
        ("attn/data/__init__.py", "", "SIZE = 3\n", {"one", "two", "pictures"}),
        ("attn/data/steps.json", "{}", "[]", {"one", "two", "pictures"}),
        ("attn/data/more/weights.bin", "", "0101", {"one", "two", "pictures"}),
        ("attn/exercises/catalog.py", "(i): ", "(i, j=0): ", {"one", "two"}),
        ("attn/exercises/ch01/share.py", "You sum", "You add", {"one"}),
        ("attn/exercises/ch02/order.py", "You sort", "You order", {"two"}),
        ("requirements.txt", "2", "3", {"one", "two", "pictures", "plain"}),
    ],
)
def test_what_results_depend_on_executes_the_chapters_that_reach_it(top, file, old, new, executed):
    assert changed(top, file, old, new) == executed


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("attn/core/softmax.py", "Shares.", "Shares each row."),
        ("attn/core/softmax.py", "as it is", "for now"),
        ("attn/exercises/ch01/share.py", "'Look.'", "'Look again.'"),
        ("attn/widgets/dial/drawing.js", "{}", "{ render }"),
        ("attn/widgets/dial/style.css", "{}", "{ color: red }"),
        ("attn/widgets/__init__.py", "", "from attn.widgets.third import Third\n"),
        ("attn/core/__init__.py", "'causal', ", "'causal', 'more', "),
        ("attn/palette.py", "f00", "c00"),
        ("README.md", "", "More words.\n"),
        ("requirements.txt", "", "# Pinned exactly.\n"),
    ],
)
def test_what_changes_no_result_executes_nothing(top, file, old, new):
    assert changed(top, file, old, new) == set()


def test_verbatim_a_hint_and_a_docstring_concern_the_pages_that_reach_them(top):
    hint = ("attn/exercises/ch01/share.py", "'Look.'", "'Look again.'")
    assert changed(top, *hint, verbatim=True) == {"one"}
    words = ("attn/core/masks.py", "return n", "return n  # the size")
    assert changed(top, *words, verbatim=True) == {"two"}


def test_the_cells_themselves_are_in_the_key(top):
    package = Package(top)
    assert package.key(["1 + 1"]) != package.key(["1 + 2"]) != package.key(["1", "+ 2"])


@pytest.mark.parametrize("cell", ["help(attn.causal)", "attn.causal.__doc__", "attn.causal?"])
def test_a_chapter_that_looks_at_the_source_depends_on_all_of_it(top, cell):
    cells = ["import attn", cell]
    before = Package(top).key(cells)
    path = top / "attn/core/softmax.py"
    path.write_text(path.read_text().replace("Shares.", "Shares each row."))
    assert Package(top).key(cells) != before


def test_an_optional_file_is_in_the_key_of_the_chapters_that_reach_its_module(top, monkeypatch):
    asset = assets.Asset("model", "1", "ab" * 32, (), {}, optional_for="attn.data")
    monkeypatch.setattr(assets, "load_manifest", lambda: [asset])
    monkeypatch.setattr(assets, "ASSETS", top / "assets")
    before = keys(top)
    (top / "assets").mkdir()
    (top / "assets" / asset.cached).touch()
    after = keys(top)
    assert {name for name in before if before[name] != after[name]} == {"one", "two", "pictures"}
