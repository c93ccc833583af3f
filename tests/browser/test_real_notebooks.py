"""Every notebook in a real JupyterLab: run all, no error, and each lab answers its controls.

Each lab is looked at on a laptop's screen with the file browser open and on larger ones, in
presentation, and in the light and the dark theme by axe.
"""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.jupyter import ROOT, NotebookPage
from tests.browser.lab_on_page import LabOnPage

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))

SCREENS = (1366, 768), (1440, 900), (1920, 1080)
# What JupyterLab takes of a screen's height: menu, tabs, toolbar and status line.
SHELL = 208
# In presentation one scrolls to the lab, whose last line may be as low as the status line.
SHELL_AROUND_PRESENTATION = 190

PARTS = ".eubrl-controls", ".eubrl-figure", ".eubrl-words"

# The first key that may show a difference; a single step of a prior can be too small to see.
KEYS = ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "End", "Home")


def move(lab: LabOnPage, name: str) -> None:
    """Move a slider by keys until words and picture have changed."""
    words, picture = lab.words(), lab.picture_hash()
    for key in KEYS:
        lab.press_on_slider(name, key)
        if lab.changes(words, picture):
            return
    # On a busy machine the answer to the last key may take its time.
    lab.wait_for_change(words, picture)


def bottom(box: dict[str, float]) -> float:
    return box["y"] + box["height"]


def assert_seen_at_once(lab: LabOnPage) -> None:
    """Controls, picture and the first words fit on each screen, and the picture grows with it."""
    lab.page.locator("#filebrowser").wait_for()
    areas = []
    for width, height in SCREENS:
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.page.wait_for_timeout(300)
        controls = lab.root.locator(".eubrl-controls").bounding_box()
        picture = lab.picture.bounding_box()
        words = lab.root.locator(".eubrl-words").bounding_box()
        end = min(controls["y"], picture["y"]) + height - SHELL
        assert bottom(controls) <= end and bottom(picture) <= end, (width, controls, picture)
        assert words["y"] + 20 <= end, (width, words)
        # Beside the controls, not under them.
        assert picture["x"] > controls["x"] + controls["width"] - 1, width
        areas.append(picture["width"] * picture["height"])
    assert areas == sorted(areas) and areas[-1] > 1.3 * areas[0], areas


def what_axe_finds(page: Page) -> list[tuple[str, list[str]]]:
    """What keeps some people out of a lab: the rules that are broken, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    if not page.locator(".eubrl-lab").count():
        return []
    found = axe.Axe().run(page, context=".eubrl-lab").response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]


def assert_fits_in_presentation(lab: LabOnPage, title: str) -> None:
    """All of the lab is on each screen at once, with larger letters."""
    picture = lab.picture_hash()
    lab.press_button("Presentation")
    lab.wait_until(lambda: lab.picture_hash() != picture, "the letters did not grow")
    for width, height in SCREENS:
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.page.wait_for_timeout(300)
        whole = lab.root.bounding_box()
        assert whole["height"] <= height - SHELL_AROUND_PRESENTATION + 1, width
        for part in PARTS:
            box = lab.root.locator(part).bounding_box()
            assert bottom(box) <= bottom(whole) + 1, (width, part, box, whole)
        assert lab.root.locator(".eubrl-words").bounding_box()["height"] >= 36
        assert what_axe_finds(lab.page) == [], width
    # On a projector nothing has to be scrolled.
    for part in PARTS:
        hidden = lab.root.locator(part).evaluate("e => e.scrollHeight - e.clientHeight")
        assert hidden <= 2, (part, hidden)
    lab.screenshot(f"{title}-presentation")
    lab.press_button("Presentation")


def assert_good_in_both_themes(notebook: NotebookPage, title: str) -> None:
    """Axe finds nothing in a lab of the page, and no picture is a white slab in the dark."""
    for is_dark in (True, False):
        notebook.change_theme(is_dark)
        assert what_axe_finds(notebook.page) == [], is_dark
        for number, lab in enumerate(notebook.labs() if is_dark else []):
            lab.screenshot(f"{number}-{title}-dark")
            pixels = np.asarray(Image.open(io.BytesIO(lab.picture.screenshot())).convert("L"))
            assert np.percentile(pixels, 99) < 200


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_its_labs_answer(open_notebook, name):
    notebook = open_notebook(name)
    notebook.run_all()
    assert notebook.errors() == []
    page = name.removesuffix(".ipynb")
    assert_good_in_both_themes(notebook, f"{page}-at-first")
    for number, lab in enumerate(notebook.labs()):
        title = f"{page}-{number}"
        lab.screenshot(f"{title}-at-first")
        lab.uncover()
        words = lab.root.locator(".eubrl-words").text_content()
        alt = re.split(r"[│\n]", lab.picture.get_attribute("alt"))
        assert [part for part in alt if part.strip() not in words] == []
        assert_seen_at_once(lab)
        assert_fits_in_presentation(lab, title)
        if lab.button("More").count():
            lab.press_button("More")
        # The last slider says how far the learning has gone; at its start some of the others show
        # no difference yet.
        sliders = lab.slider_names()
        for _ in range(3):
            lab.press_on_slider(sliders[-1], "PageUp")
        for slider in sliders:
            move(lab, slider)
        lab.screenshot(f"{title}-moved")
        if lab.button("Play").count():
            words = lab.words()
            lab.press_button("Play")
            lab.wait_for_words(lambda now, before=words: now != before)
            lab.press_button("Pause")
    assert_good_in_both_themes(notebook, f"{page}-moved")
    assert notebook.errors() == []


def test_a_prediction_uncovers_a_race_with_all_of_its_runs(open_notebook):
    """They go on behind the cover; an answer is judged, and the picture shown, by all of them."""
    notebook = open_notebook("06_race.ipynb")
    notebook.run_all()
    lab = notebook.labs()[0]
    covered = lab.picture_hash()
    assert lab.words().strip() == ""
    lab.press_button("PSRL")
    lab.wait_until(lambda: lab.picture_hash() != covered, "it is still covered")
    verdict = lab.root.locator(".eubrl-verdict").inner_text()
    assert verdict.startswith("✗ You said: PSRL. It is: EUBRL.")
    assert "100 runs of each agent" in lab.words() and "runs of 100." not in lab.words()
    assert lab.button("Stop").is_disabled()
    lab.screenshot("06_race-predicted")
    assert notebook.errors() == []


def test_a_long_run_is_stopped_and_looked_through(open_notebook):
    """Stop, where there is something to stop: a model of the sea is drawn at thousands of steps."""
    notebook = open_notebook("05_eubrl_step_by_step.ipynb")
    notebook.run_all()
    lab = notebook.labs()[0]
    lab.uncover()
    lab.control("world").select_option("deepsea")
    lab.control("agent").select_option("PSRL")
    lab.wait_for_words(lambda words: "PSRL" in words)
    picture = lab.picture_hash()
    lab.press_button("More")
    lab.press_on_slider("size", "End")
    lab.type_into("steps", "5000")
    lab.wait_until(lambda: lab.button("Stop").is_enabled(), "nothing is under way")
    lab.press_button("Stop")
    lab.root.get_by_text(re.compile(r"Stopped at \d+%")).wait_for()
    assert lab.button("Stop").is_disabled()
    lab.wait_until(lambda: lab.picture_hash() != picture, "the stopped run is not shown")
    words, picture = lab.words(), lab.picture_hash()
    lab.press_on_slider("time", "End")
    lab.wait_for_change(words, picture)
    time, taken = map(int, re.search(r"Time (\d+) of (\d+)", lab.words()).groups())
    assert 0 < time <= taken < 5000
    assert notebook.errors() == []
