"""The extensions act in the order of their list, and after whom they say they must."""

import re
import warnings
from operator import attrgetter
from pathlib import Path

import pytest
import yaml
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from web.builder.events import PRIORITY
from web.builder.extensions import ORDER
from web.builder.paths import TOP

NAMES = [extension.name for extension in ORDER]
OTHERS = ("myst_nb", "sphinx_book_theme", "sphinx_external_toc", "sphinx_exercise")
SETUP = "def setup(app: Sphinx)"
EVENTS = [name for name in PRIORITY if "-" in name]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """Sphinx with all extensions of ours and the ones of others that they act among."""
    folder = tmp_path_factory.mktemp("sphinx")
    (folder / "_toc.yml").write_text("root: index\n")
    (folder / "index.md").write_text("# Start\n")
    settings = {"extensions": [*OTHERS, "sphinxcontrib.bibtex", "web.builder.extensions"]}
    settings |= {"html_theme": "sphinx_book_theme", "bibtex_bibfiles": []}
    # Loading an extension looks into every module that is there, torch's deprecated ones included.
    with docutils_namespace(), warnings.catch_warnings(action="ignore"):
        yield Sphinx(folder, None, folder / "out", folder / "trees", "dummy", settings, status=None)


def ours(things):
    """The names of our extensions among modules, in their order."""
    found = [thing.__module__ for thing in things if thing.__module__.startswith("web.")]
    return [name.removeprefix("web.") for name in found]


def listeners(app, event):
    """Who listens to an event, in the order in which Sphinx calls them."""
    ordered = sorted(app.events.listeners[event], key=attrgetter("priority"))
    return [listener.handler for listener in ordered]


def in_list_order(names):
    return sorted(names, key=NAMES.index)


def test_every_extension_is_in_the_list_once():
    files = [
        path.relative_to(TOP / "web")
        for path in (TOP / "web").rglob("*.py")
        if SETUP in path.read_text()
    ]
    modules = {".".join(path.with_suffix("").parts) for path in files}
    assert sorted(NAMES) == sorted(modules - {"builder.extensions"})


@pytest.mark.parametrize("extension", ORDER, ids=lambda e: e.name)
def test_an_extension_stands_after_those_that_it_must_follow(extension):
    assert set(extension.after) <= set(NAMES[: NAMES.index(extension.name)])


@pytest.mark.parametrize("event", EVENTS)
def test_sphinx_calls_them_in_the_order_of_the_list(app, event):
    called = ours(listeners(app, event))
    assert called
    assert called == in_list_order(called)


@pytest.mark.parametrize("kind", ["get_transforms", "get_post_transforms"])
def test_sphinx_transforms_a_page_in_the_order_of_the_list(app, kind):
    transforms = sorted(getattr(app.registry, kind)(), key=attrgetter("default_priority"))
    assert ours(transforms) == in_list_order(ours(transforms)) != []


@pytest.mark.parametrize("event", ["html-page-context", "build-finished"])
def test_others_are_done_with_a_page_before_ours_begin(app, event):
    called = listeners(app, event)
    first = next(i for i, one in enumerate(called) if one.__module__.startswith("web."))
    others = {one.__module__.split(".")[0] for one in called[:first]}
    assert {"sphinx_book_theme", "myst_nb"} & others
    assert len(ours(called[first:])) == len(called[first:])


@pytest.mark.parametrize("extension", ORDER, ids=lambda e: e.name)
def test_the_list_names_the_moments_at_which_an_extension_acts(app, extension):
    named = set(re.split(r",\s*", extension.does.partition(":")[0]))
    events = {event for event in EVENTS if extension.name in ours(listeners(app, event))}
    assert {moment for moment in named if "-" in moment} == events
    assert named <= set(PRIORITY)


def test_the_book_leaves_the_order_to_the_list():
    config = yaml.safe_load(Path(TOP / "_config.yml").read_text(encoding="utf-8"))
    ours = [name for name in config["sphinx"]["extra_extensions"] if name.startswith("web")]
    assert ours == ["web.builder.extensions"]
