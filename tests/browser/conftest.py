"""One server and one browser for all tests in this folder."""

import os
import shutil
from pathlib import Path

import pytest

from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage, find_chromium, launch_chromium


# While Playwright is open, its event loop counts as the running one, and tests elsewhere start
# loops of their own: so the tests of this folder come last.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.browser)
    items[:] = [item for item in items if item not in ours] + ours


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory):
    with JupyterServer(tmp_path_factory.mktemp("jupyter")) as server:
        for notebook in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(notebook, server.notebooks)
        yield server


@pytest.fixture
def open_notebook(browser, server):
    """A function that opens a notebook of the server's folder in a page of its own."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    yield lambda name: NotebookPage(context.new_page(), server, name)
    context.close()
