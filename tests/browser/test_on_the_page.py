"""A lab on a laptop's screen: sharp, answered by keys alone, and saved as a page of its own."""

import nbformat
import pytest

from eubrl_edu.labs import GuidanceLab
from tests.browser.lab_on_page import PATIENCE

pytestmark = pytest.mark.long

LAPTOP = 1366, 768


SETUP = """
from eubrl_edu.exercises import predictions
from eubrl_edu.labs import *
"""


@pytest.fixture(scope="module")
def open_labs(server, open_notebook):
    """A function that opens a notebook with these labs on a laptop's screen, and runs it."""

    def opened(*calls):
        cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *calls)]
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
        nbformat.write(notebook, server.notebooks / "on_the_page.ipynb")
        page = open_notebook("on_the_page.ipynb", *LAPTOP)
        page.run_all()
        return page

    return opened


def test_a_picture_has_a_dot_for_each_of_the_screens(jupyterlab, open_labs):
    width, height = LAPTOP
    sharp = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": False}
    screen = jupyterlab.context.new_cdp_session(jupyterlab)
    notebook = open_labs("GuidanceLab()")
    screen.send("Emulation.setDeviceMetricsOverride", sharp)
    notebook.run_all()
    (lab,) = notebook.labs()
    lab.wait_for_dots(2, GuidanceLab.figure_inches[0])
    assert notebook.errors() == []
    screen.detach()


# While it answers the first key, the page holds back what the others change, but not the click.
BUSY = """
import time
slider = lab.asked.children[1].children[0]
slider.observe(lambda change: time.sleep(0.5), "value")
"""


@pytest.mark.parametrize("more", ["", BUSY], ids=["idle", "busy"])
def test_a_prediction_is_made_by_keys_alone(open_labs, more):
    notebook = open_labs("lab = PlanningLab(prediction=predictions.SWEEPS_TO_THE_START)\nlab", more)
    (lab,) = notebook.labs()
    covered = lab.picture_hash()
    assert lab.picture.get_attribute("alt").startswith("○ Covered until you have said")
    assert not lab.root.locator(".eubrl-controls").is_visible() and lab.words().strip() == ""
    lab.root.locator(".eubrl-prediction .noUi-handle").focus()
    for _ in range(8):
        lab.page.keyboard.press("ArrowRight")
    lab.button("That is my prediction").focus()
    lab.page.keyboard.press("Enter")
    verdict = lab.root.locator(".eubrl-verdict")
    verdict.wait_for()
    assert verdict.inner_text().startswith("✗ You said 8 sweeps. It is 7 sweeps.")
    lab.wait_for_words(lambda now: "After 0 sweeps" in now)
    lab.wait_until(lambda: lab.picture_hash() != covered, "it is still covered")
    lab.wait_until(
        lambda: lab.page.evaluate("!!document.activeElement.closest('.eubrl-controls')"),
        "the keyboard has lost its place",
    )
    assert notebook.errors() == []


def test_what_save_says_moves_nothing(open_labs):
    notebook = open_labs("GuidanceLab()")
    (lab,) = notebook.labs()
    lab.resize(1400, 1000)
    seen = lab.root.locator(".eubrl-figure, .eubrl-words, .eubrl-controls, button:visible")
    places = lambda: [part.bounding_box() for part in seen.all()]  # noqa: E731
    before = places()
    lab.press_button("Save")
    lab.root.get_by_text("Saved: GuidanceLab-1 (").wait_for()
    lab.wait_for_rest()
    assert places() == before and len(before) > 9
    assert notebook.errors() == []


def test_in_a_presentation_on_a_laptop_the_race_has_all_its_controls_in_sight(open_labs):
    notebook = open_labs("RaceLab(prediction=predictions.FIRST_IN_THE_LOOPS)")
    (lab,) = notebook.labs()
    lab.uncover()
    lab.present()
    controls = lab.parts()["controls"]
    for name in ("Two loops", "Run", "More", "Presentation"):
        button = lab.button(name).bounding_box()
        assert controls["y"] <= button["y"], name
        assert button["y"] + button["height"] <= controls["y"] + controls["height"] + 1, name


def test_a_cell_run_out_of_order_says_what_to_run_first(open_labs):
    notebook = open_labs("answer = 3", "print(answer)", "del answer")
    notebook.notebook.locator(".jp-CodeCell .cm-content").nth(2).click()
    notebook.page.keyboard.press("Control+Enter")
    words = "Run cell 2 of the page before this one: it makes `answer`."
    notebook.notebook.get_by_text(words).wait_for()


def test_a_saved_page_answers_from_a_file_without_a_network(browser, tmp_path):
    path = GuidanceLab().save_page(tmp_path / "page.html", over={"eta": [0.5, 1.0, 2.0]})
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(path.as_uri())
    picture, words = page.locator("#picture"), page.locator("#words")
    before = picture.get_attribute("src"), words.inner_text()
    page.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("output").inner_text() == "2"
    assert picture.get_attribute("src") != before[0] and words.inner_text() != before[1]
    assert picture.get_attribute("alt") == words.inner_text()
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 500
    context.close()
    assert not troubles
