"""Every notebook once in a Notebook 7, as far as it is installed: run all, and move a control."""

import re
import shutil

import nbformat
import pytest

from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage
from tests.browser.test_real_notebooks import NOTEBOOKS, answers

pytestmark = pytest.mark.long

EMPTY = "empty.ipynb"
# Notebook 7's own, once as a page is loaded, of an empty notebook too: its shortcuts hear of
# settings before their own are there (https://github.com/jupyter/notebook/issues/7862).
SHORTCUTS_ARE_LATE = "Cannot read properties of undefined (reading 'schema')"


@pytest.fixture(scope="module")
def open_in_notebook_7(browser, tmp_path_factory):
    """A function that opens a notebook; what Notebook consists of is fetched once for all."""
    pytest.importorskip("notebook")
    folder = tmp_path_factory.mktemp("notebook-7")
    with JupyterServer(folder, application="notebook") as server, browser.new_context() as context:
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(notebook, server.notebooks)
        python = {"name": "python3", "display_name": "Python 3", "language": "python"}
        empty = nbformat.v4.new_notebook(metadata={"kernelspec": python})
        nbformat.write(empty, server.notebooks / EMPTY)
        yield lambda name: NotebookPage(context.new_page(), server, name)


def errors_but_its_own(notebook):
    errors = notebook.errors()
    if SHORTCUTS_ARE_LATE in errors:
        errors.remove(SHORTCUTS_ARE_LATE)
    return errors


def count_of_labs(name):
    """How many labs the cells of a notebook show."""
    cells = nbformat.read(ROOT / "notebooks" / name, as_version=4).cells
    return sum(bool(re.search(r"^\w+Lab\(", cell.source, re.MULTILINE)) for cell in cells)


def test_an_empty_notebook_has_no_other_error_than_notebooks_own(open_in_notebook_7):
    notebook = open_in_notebook_7(EMPTY)
    assert errors_but_its_own(notebook) == []
    notebook.close()
    notebook.page.close()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_a_control_of_each_lab_answers(open_in_notebook_7, name):
    notebook = open_in_notebook_7(name)
    notebook.run_all()
    assert errors_but_its_own(notebook) == []
    labs = notebook.labs()
    assert len(labs) == count_of_labs(name)
    for lab in labs:
        lab.uncover()
        # Some sliders show no difference before there is something learned.
        assert any(answers(lab, slider) for slider in reversed(lab.slider_names()))
    assert errors_but_its_own(notebook) == []
    notebook.close()
    notebook.page.close()
