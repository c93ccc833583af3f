"""Every notebook in a real JupyterLab: run all, no error, and each lab answers its controls."""

import re

import pytest

from tests.browser.jupyter import ROOT, LabOnPage

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


# What the shell of JupyterLab leaves of 1080 pixels.
ROOM_FOR_A_NOTEBOOK = 960

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


def show_on_projector(lab: LabOnPage) -> None:
    """Press Presentation on a screen of 1920 by 1080: all of the lab must be on it at once."""
    lab.page.set_viewport_size({"width": 1920, "height": 1080})
    picture = lab.picture_hash()
    lab.press_button("Presentation")
    lab.wait_until(lambda: lab.picture_hash() != picture, "the letters did not grow")
    assert lab.root.bounding_box()["height"] <= ROOM_FOR_A_NOTEBOOK


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_its_labs_answer(open_notebook, name):
    notebook = open_notebook(name)
    notebook.run_all()
    assert notebook.errors() == []
    for number, lab in enumerate(notebook.labs()):
        title = f"{name.removesuffix('.ipynb')}-{number}"
        lab.screenshot(f"{title}-at-first")
        lab.uncover()
        has_more = lab.button("More").count()
        if has_more:
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
        if has_more:
            lab.press_button("More")
        show_on_projector(lab)
        lab.screenshot(f"{title}-presentation")
        lab.press_button("Presentation")
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
