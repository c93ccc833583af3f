"""The stage in a real Chromium: keys, clicks, large letters, and nothing from the network."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tests.browser.jupyter import ROOT
from tests.browser.lab_on_page import PATIENCE, SCREENSHOTS, LabOnPage

pytestmark = pytest.mark.long

PAGES = ("00_start_here", "02_uncertainty", "05_eubrl_step_by_step")
LATE = """
from eubrl_edu.labs import GuidanceLab

class LateLab(GuidanceLab):
    def __init__(self):
        import pathlib, time
        while not pathlib.Path("seen").exists():
            time.sleep(0.05)
        super().__init__()

LateLab()
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory, browser):
    """What ``eubrl-edu present`` says, on a port that somebody else has."""
    folder = tmp_path_factory.mktemp("stage")
    for page in PAGES:
        shutil.copy(ROOT / "notebooks" / f"{page}.ipynb", folder)
    cells = [nbformat.v4.new_markdown_cell("# Late"), nbformat.v4.new_code_cell(LATE)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "15_late.ipynb")
    with socket.create_server(("127.0.0.1", 0)) as other, (folder / "log").open("w+") as log:
        port = other.getsockname()[1]
        # In place of a browser, a program that says what it is to open.
        own = {"JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "BROWSER": "echo opened %s"}
        server = subprocess.Popen(
            [sys.executable, "-m", "eubrl_edu", "present", folder, f"--port={port}"],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | own,
        )
        try:
            give_up = time.monotonic() + PATIENCE / 1000
            while "opened file:" not in (words := (folder / "log").read_text("utf-8")):
                assert server.poll() is None and time.monotonic() < give_up, words
                time.sleep(0.1)
            yield port, words, folder
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE / 1000)


@pytest.fixture
def page(browser, said):
    address = re.search(r"http://127\.0\.0\.1:\S+token=\w+", said[1])[0]
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.asked, page.complaints = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: said.type == "error" and page.complaints.append(said.text))
    page.goto(address)
    # Its keys are heard once their part runs in the page; before the first step there is none.
    page.wait_for_function(
        "!window.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', cancelable: true }))"
    )
    yield page
    context.close()


def step(page) -> str:
    """The entry of the list that is marked; for a moment there may be none, or two."""
    return page.wait_for_function("""() => {
        const marked = document.querySelectorAll('.eubrl-here');
        return marked.length === 1 && marked[0].innerText;
    }""").json_value()


def shown(page) -> LabOnPage:
    return LabOnPage(page.locator(".eubrl-stage > .eubrl-lab"))


def press_next(page) -> None:
    """Press *n*, and wait until it has uncovered the answer, or gone on with the lab in place."""
    page.evaluate("""() => {
        const lab = document.querySelector('.eubrl-stage > .eubrl-lab');
        const here = document.querySelector('.eubrl-here').innerText;
        window.before = { lab, here, covered: lab.classList.contains('eubrl-covered') };
    }""")
    page.keyboard.press("n")
    # The list is marked before a lab is made: a new lab has come when it is there.
    page.wait_for_function("""() => {
        const lab = document.querySelector('.eubrl-stage > .eubrl-lab');
        const here = document.querySelector('.eubrl-here');
        if (!lab || !here) return false;
        if (here.innerText === before.here)
            return before.covered && !lab.classList.contains('eubrl-covered');
        return here.classList.contains('eubrl-step') || lab !== before.lab;
    }""")


def test_a_taken_port_is_said_and_the_next_free_one_taken(said):
    port, words, _ = said
    assert f"port {port} is already in use" in words
    taken = int(re.search(r"http://127\.0\.0\.1:(\d+)/", words)[1])
    assert taken > port


def test_a_browser_is_opened_at_the_stage(said):
    _, words, _ = said
    opened = Path(re.search(r"opened file://(\S+)", words)[1]).read_text("utf-8")
    assert re.search(r"http://127\.0\.0\.1:\S+/stage\.ipynb", words)[0] in opened


def test_labs_and_situations_follow_each_other_and_nothing_is_fetched(page):
    lab = shown(page)
    assert step(page) == "00 Start here"
    assert "eubrl-presentation" in lab.root.get_attribute("class")
    assert page.get_by_text("import").count() == 0
    page.screenshot(path=SCREENSHOTS / "stage-asks.png")
    page.keyboard.press("n")  # what is asked is answered first
    lab.wait_for_words(lambda words: words.startswith("After 1 try"))
    at_first = lab.words()
    page.screenshot(path=SCREENSHOTS / "stage-at-first.png")
    assert set(lab.parts()) == {"prediction", "controls", "figure", "words"}
    lab.assert_apart()

    page.keyboard.press("PageDown")
    lab.wait_for_words(lambda words: words != at_first)
    assert step(page) == "Lucky start"
    # On a slider the arrows are its own, and a presenter's remote control still turns the page.
    lucky = lab.words()
    lab.press_on_slider("η", "ArrowRight")
    lab.wait_for_words(lambda words: words != lucky)
    page.keyboard.press("PageUp")
    lab.wait_for_words(lambda words: words == at_first)
    page.keyboard.press("b")  # before the first there is none
    assert step(page) == "00 Start here"

    page.evaluate("window.before = document.querySelector('.eubrl-stage > .eubrl-lab')")
    page.get_by_role("button", name="05 EUBRL step by step · 2", exact=True).click()
    page.wait_for_function(
        "![null, before].includes(document.querySelector('.eubrl-stage > .eubrl-lab'))"
    )
    sea = shown(page)
    sea.uncover()
    assert "deepsea" in sea.root.inner_text()
    sea.wait_for_rest()
    page.screenshot(path=SCREENSHOTS / "stage-sea.png")
    assert sea.root.bounding_box()["height"] <= 1080
    sea.assert_apart()
    page.keyboard.press("b")
    sea.wait_until(lambda: not step(page).endswith("2"), "it does not go back")

    outside = [
        url for url in page.asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))
    ]
    assert outside == [] and page.complaints == []


SAYS = "getComputedStyle(document.querySelector('.eubrl-stage'), '::after')"


def test_while_a_lab_is_made_the_page_says_that_it_is_computed(page, said):
    shown(page)
    page.get_by_role("button", name="15 Late", exact=True).click()
    page.wait_for_function(f"{SAYS}.content === '\"Computing …\"'")
    # What is quick is done before anything is said.
    page.wait_for_function(f"{SAYS}.visibility === 'visible'")
    page.screenshot(path=SCREENSHOTS / "stage-computes.png")
    (said[-1] / "seen").touch()
    shown(page).wait_for_words(lambda words: words.startswith("After 1 try"))
    page.wait_for_function(f"{SAYS}.content === 'none'")


def test_in_a_small_window_the_list_stays_and_follows(page):
    page.set_viewport_size({"width": 900, "height": 300})
    lab = shown(page)
    lab.uncover()

    def is_in_window(part):
        box = part.bounding_box()
        if box is None:  # it is being made anew
            return False
        wide, high = box["x"] + box["width"], box["y"] + box["height"]
        window = page.viewport_size
        return min(box["x"], box["y"]) >= 0 and wide <= 900 and high <= window["height"]

    lab.wait_for_rest()
    assert is_in_window(page.locator(".eubrl-contents"))
    lab.root.locator(".eubrl-words").scroll_into_view_if_needed()
    assert lab.root.evaluate("lab => lab.scrollTop") > 100  # it is higher than the window
    assert is_in_window(lab.root.locator(".eubrl-words"))
    assert is_in_window(page.locator(".eubrl-contents"))
    page.set_viewport_size({"width": 900, "height": 200})
    names, here = [step(page)], page.locator(".eubrl-here")
    while names[-1] != "05 EUBRL step by step · 1":
        press_next(page)
        names.append(step(page))
        lab.wait_until(lambda: is_in_window(here), f"{names} are not all in the window")
    page.screenshot(path=SCREENSHOTS / "stage-small.png")
