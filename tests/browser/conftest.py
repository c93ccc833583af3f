"""One server, one browser and one JupyterLab in it for all tests of a file.

Not for longer: while Playwright is open, its event loop counts as the running one, and tests
elsewhere start loops of their own.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage, find_chromium, launch_chromium


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def browser():
    path = find_chromium()
    if path is None:
        reason = "no Chromium or Chrome is installed"
        if os.environ.get("EUBRL_REQUIRE_BROWSER"):
            pytest.fail(f"{reason}, and EUBRL_REQUIRE_BROWSER asks for one")
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright, path)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    with JupyterServer(tmp_path_factory.mktemp("jupyter")) as server:
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(notebook, server.notebooks)
        yield server


@pytest.fixture(scope="module")
def jupyterlab(browser):
    """A page for a JupyterLab, in which notebooks are opened one after the other."""
    return browser.new_page()


@pytest.fixture(scope="module")
def open_notebook(jupyterlab, server):
    """A function that opens a notebook of the server's folder, in place of the one before."""
    opened = []

    def close():
        while opened:
            opened.pop().close()

    def open_(name, width=1400, height=1000):
        close()
        jupyterlab.set_viewport_size({"width": width, "height": height})
        opened.append(NotebookPage(jupyterlab, server, name))
        return opened[0]

    yield open_
    close()
