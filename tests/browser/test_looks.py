"""Every notebook in a real JupyterLab: no error, and each of its labs at length.

All its controls, three screens, presentation, both themes.

On a laptop's screen the file browser is open, and all has to fit beside it. Axe says what keeps
some people out.
"""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.every_control import use_every_control
from tests.browser.jupyter import NotebookPage
from tests.browser.lab_on_page import LabOnPage
from tests.browser.test_real_notebooks import NOTEBOOKS, answers, require_words_below

pytestmark = pytest.mark.long

SCREENS = (1366, 768), (1440, 900), (1920, 1080)
MOST_CROWDED = SCREENS[0]
# What JupyterLab takes of a screen's height: menu, tabs, toolbar and status line.
SHELL = 208
# In presentation one scrolls to the lab, whose last line may be as low as the status line.
SHELL_AROUND_PRESENTATION = 190

PRESENTED = ".eubrl-presentation"
USED_BEFORE = []  # the controls of labs that were used one by one, on this page or on another
PARTS = ".eubrl-controls", ".eubrl-figure", ".eubrl-words"


def bottom(box: dict[str, float]) -> float:
    return box["y"] + box["height"]


def assert_seen_at_once(lab: LabOnPage) -> None:
    """Controls, picture and the first words fit on each screen, and the picture grows with it."""
    lab.page.locator("#filebrowser").wait_for()
    areas = []
    for width, height in SCREENS:
        lab.resize(width, height)
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


def what_axe_finds(page: Page, where: str = ".eubrl-lab") -> list[tuple[str, list[str]]]:
    """What keeps some people out of a lab: the rules that are broken, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    if not page.locator(".eubrl-lab").count():
        return []
    found = axe.Axe().run(page, context=where).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]


def assert_fits_in_presentation(lab: LabOnPage, title: str) -> None:
    """All of the lab is on each screen at once, with larger letters."""
    lab.present()
    for width, height in SCREENS:
        lab.resize(width, height)
        whole = lab.root.bounding_box()
        assert whole["height"] <= height - SHELL_AROUND_PRESENTATION + 1, width
        for part in PARTS:
            box = lab.root.locator(part).bounding_box()
            assert bottom(box) <= bottom(whole) + 1, (width, part, box, whole)
        assert lab.root.locator(".eubrl-words").bounding_box()["height"] >= 36
        lab.assert_apart()
        if (width, height) == MOST_CROWDED:
            assert what_axe_finds(lab.page, PRESENTED) == []
    # On a projector nothing has to be scrolled.
    for part in PARTS:
        hidden = lab.root.locator(part).evaluate("e => e.scrollHeight - e.clientHeight")
        assert hidden <= 2, (part, hidden)
    lab.screenshot(f"{title}-presentation")
    if lab.button("More").count():
        assert_apart_with_more(lab)
    lab.press_button("Presentation")
    lab.settle()


def assert_apart_with_more(lab: LabOnPage) -> None:
    """In presentation, too, no control covers a word, and keys reach the last of them."""
    lab.press_button("More")
    lab.settle()
    for width, height in SCREENS:
        lab.resize(width, height)
        lab.assert_apart()
        last = lab.root.locator(".eubrl-controls :is(button, select, input):enabled").last
        last.blur()  # a control that has the focus would not be scrolled to
        last.focus()
        assert bottom(last.bounding_box()) <= bottom(lab.parts()["controls"]) + 1, width
        if (width, height) == MOST_CROWDED:
            assert what_axe_finds(lab.page, PRESENTED) == []
    lab.press_button("More")
    lab.settle()


def assert_good_in_both_themes(notebook: NotebookPage, title: str, dark_first: bool) -> None:
    """Axe finds nothing in a lab of the page, and no picture is a white slab in the dark.

    To change the theme takes seconds; what comes next begins with the one that is left.
    """
    for is_dark in (dark_first, not dark_first):
        notebook.change_theme(is_dark)
        assert what_axe_finds(notebook.page) == [], is_dark
        for number, lab in enumerate(notebook.labs() if is_dark else []):
            lab.screenshot(f"{number}-{title}-dark")
            pixels = np.asarray(Image.open(io.BytesIO(lab.picture.screenshot())).convert("L"))
            assert np.percentile(pixels, 99) < 200


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs_and_its_labs_fit_every_screen_and_answer_every_control(open_notebook, name):
    notebook = open_notebook(name)
    notebook.run_all()
    assert notebook.errors() == []
    page = name.removesuffix(".ipynb")
    assert_good_in_both_themes(notebook, f"{page}-at-first", dark_first=True)
    for number, lab in enumerate(notebook.labs()):
        title = f"{page}-{number}"
        lab.screenshot(f"{title}-at-first")
        lab.uncover()
        require_words_below(lab)
        assert_seen_at_once(lab)
        assert_fits_in_presentation(lab, title)
        assert_answers_every_slider(lab, title)
        if lab.button("Play").count():
            words = lab.words()
            lab.press_button("Play")
            lab.wait_for_words(lambda now, before=words: now != before)
            lab.press_button("Pause")
            lab.settle()
        # Labs with the same controls differ only in where they begin: once is enough.
        if (names := lab.control_names()) not in USED_BEFORE:
            for used in use_every_control(lab):
                assert notebook.complaints == [], (title, used)
            USED_BEFORE.append(names)
        assert notebook.errors() == [], title
    assert_good_in_both_themes(notebook, f"{page}-moved", dark_first=False)
    assert notebook.errors() == []


def assert_answers_every_slider(lab: LabOnPage, title: str) -> None:
    """With *More* open, and some of the learning done: at its start some show no difference yet."""
    has_more = lab.button("More").count()
    if has_more:
        lab.press_button("More")
        lab.settle()
    sliders = lab.slider_names()
    for _ in range(3):
        lab.press_on_slider(sliders[-1], "PageUp")
    for slider in sliders:
        assert answers(lab, slider), (title, slider)
    lab.screenshot(f"{title}-moved")
    if has_more:
        lab.press_button("More")
        lab.settle()
