"""A real JupyterLab on a copy of the chapters, seen in a real browser: one server, one page."""

import shutil

import pytest
from lab import jupyter_lab

from web.chapters import contents


@pytest.fixture(scope="session")
def lab(tmp_path_factory, worker_id, testrun_uid):
    """JupyterLab with the environment's own settings: a chapter opens as a notebook."""
    folder = tmp_path_factory.mktemp("lab")
    if worker_id != "master":
        # One for all workers: this fails where the group of these tests was spread over two.
        (folder.parent.parent / f"lab-{testrun_uid}").mkdir()
    shutil.copytree(contents.TOP / "book", folder / "book")
    with jupyter_lab.run_lab(folder) as started:
        yield started


@pytest.fixture(scope="session")
def lab_page(lab, browser):
    """JupyterLab in a browser, ready to open notebooks."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.goto(f"{lab.address}lab?reset")
    page.wait_for_function("window.jupyterapp?.restored.then(() => true)")
    yield page
    context.close()


@pytest.fixture(scope="session")
def open_notebook(lab, lab_page):
    """``open_notebook("book/01-lookup.md")`` opens it, and closes what was open before."""
    opened = []

    def open_it(path):
        while opened:
            opened.pop().close()
        opened.append(jupyter_lab.Notebook(lab, lab_page, path))
        return opened[-1]

    yield open_it
    while opened:
        opened.pop().close()


# What `make test` opens: the start page, a chapter in NumPy, one with torch; the matrix all others.
ALWAYS = ("index.md", "01-lookup.md", "10-block.md")
NOTEBOOKS = [
    pytest.param(path.name, marks=() if path.name in ALWAYS else pytest.mark.matrix)
    for path in contents.notebooks()
]


@pytest.fixture(scope="session", params=NOTEBOOKS)
def notebook(request, open_notebook):
    """Each chapter, opened once; every check looks at that opening."""
    return open_notebook(f"book/{request.param}")


@pytest.fixture(scope="session")
def executed(notebook):
    """The chapter, run from top to bottom."""
    notebook.run_all()
    return notebook
