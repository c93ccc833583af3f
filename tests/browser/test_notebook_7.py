"""Every lab and a page of the course in a Notebook 7, if it is installed: run all, move a control.

What the other pages show besides, JupyterLab's own parts show in both; `test_looks` opens them all.
"""

import shutil

import nbformat
import pytest

from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage
from tests.browser.test_every_lab import SCENES, write_every_lab
from tests.browser.test_real_notebooks import require_answer

pytestmark = pytest.mark.long

PAGE = "00_start_here.ipynb"
EMPTY = "empty.ipynb"
# Notebook 7's own, once as a page is loaded, of an empty notebook too: its shortcuts hear of
# settings before their own are there (https://github.com/jupyter/notebook/issues/7862).
SHORTCUTS_ARE_LATE = "Cannot read properties of undefined (reading 'schema')"


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    pytest.importorskip("notebook")
    folder = tmp_path_factory.mktemp("notebook-7")
    with JupyterServer(folder, application="notebook") as server:
        yield server


@pytest.fixture
def open_in_notebook_7(browser, server):
    """A function that opens a notebook in a page of its own, and closes it afterwards."""
    with browser.new_context() as context:
        opened = []

        def open_(name):
            opened.append(NotebookPage(context.new_page(), server, name))
            return opened[-1]

        yield open_
        for notebook in opened:
            notebook.close()


def errors_but_its_own(notebook):
    errors = notebook.errors()
    if SHORTCUTS_ARE_LATE in errors:
        errors.remove(SHORTCUTS_ARE_LATE)
    return errors


def test_an_empty_notebook_has_no_other_error_than_notebooks_own(server, open_in_notebook_7):
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    empty = nbformat.v4.new_notebook(metadata={"kernelspec": python})
    nbformat.write(empty, server.notebooks / EMPTY)
    assert errors_but_its_own(open_in_notebook_7(EMPTY)) == []


def test_a_page_of_the_course_runs(server, open_in_notebook_7):
    shutil.copy(ROOT / "notebooks" / PAGE, server.notebooks)
    require_answers(open_in_notebook_7(PAGE), labs=1)


def test_every_lab_answers(server, open_in_notebook_7):
    require_answers(open_in_notebook_7(write_every_lab(server.notebooks)), labs=len(SCENES))


def require_answers(notebook, labs):
    """Run all, and move a control of each of so many labs."""
    notebook.run_all()
    assert errors_but_its_own(notebook) == []
    shown = notebook.labs()
    assert len(shown) == labs
    for lab in shown:
        require_answer(lab)
    assert errors_but_its_own(notebook) == []
