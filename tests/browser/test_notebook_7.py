"""Every notebook once in a Notebook 7, as far as it is installed: run all, and move a control."""

import shutil

import pytest

from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage
from tests.browser.test_real_notebooks import NOTEBOOKS, answers

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def notebook_7(browser, tmp_path_factory):
    pytest.importorskip("notebook")
    folder = tmp_path_factory.mktemp("notebook-7")
    with JupyterServer(folder, application="notebook") as server:
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(notebook, server.notebooks)
        yield server


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_the_first_control_answers(browser, notebook_7, name):
    page = browser.new_page()
    notebook = NotebookPage(page, notebook_7, name)
    notebook.run_all()
    assert notebook.errors() == []
    for lab in notebook.labs():
        lab.uncover()
        assert any(answers(lab, slider) for slider in lab.slider_names())
    assert notebook.errors() == []
    notebook.close()
    page.close()
