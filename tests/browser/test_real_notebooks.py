"""What a reader does on a page in a real JupyterLab; `test_looks` goes through them all."""

import re

import pytest

from tests.browser.jupyter import ROOT
from tests.browser.lab_on_page import LabOnPage

pytestmark = pytest.mark.long

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))

# The first key that may show a difference; a single step of a prior can be too small to see.
KEYS = ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "End", "Home")


def answers(lab: LabOnPage, name: str) -> bool:
    """Move a slider by keys, and see whether words and picture change."""
    lab.settle()
    words, picture = lab.words(), lab.picture_hash()
    return any(lab.press_on_slider(name, key) and lab.changes(words, picture) for key in KEYS)


def unsaid(lab: LabOnPage) -> list[str]:
    """What a picture says to those who do not see it, but no words below it."""
    words = lab.root.locator(".eubrl-words").text_content()
    parts = re.split(r"[│\n]", lab.picture.get_attribute("alt"))
    return [part for part in parts if part.strip() not in words]


def require_words_below(lab: LabOnPage) -> None:
    """Wait until all that the picture's alternative text says stands below it, too."""
    lab.wait_until(lambda: unsaid(lab) == [], "the picture's text is not below it")


def require_answer(lab: LabOnPage) -> None:
    """Uncover the lab, compare words and picture, and move a slider by which both change."""
    lab.uncover()
    require_words_below(lab)
    # Some sliders show no difference before there is something learned.
    assert any(answers(lab, name) for name in reversed(lab.slider_names()))


def test_a_prediction_uncovers_a_race_with_all_of_its_runs(open_notebook):
    """They go on behind the cover; an answer is judged, and the picture shown, by all of them."""
    notebook = open_notebook("06_race.ipynb")
    notebook.run_all()
    lab = notebook.labs()[0]
    covered = lab.picture_hash()
    assert lab.words().strip() == ""
    lab.press_button("PSRL")
    lab.wait_until(lambda: lab.picture_hash() != covered, "it is still covered")
    lab.root.locator(".eubrl-verdict", has_text="✗ You said: PSRL. It is: EUBRL.").wait_for()
    lab.wait_for_words(lambda words: words.strip() != "")
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
    lab.settle()
    lab.control("agent").select_option("PSRL")
    lab.wait_for_words(lambda words: "PSRL" in words)
    lab.press_button("More")
    lab.settle()
    words, picture = lab.words(), lab.picture_hash()
    lab.press_on_slider("size", "End")
    lab.wait_for_change(words, picture)
    lab.settle()  # what is stopped below is the long run, and nothing before it
    before = lab.words()
    lab.type_into("steps", "5000")
    lab.wait_until(lambda: lab.button("Stop").is_enabled(), "nothing is under way")
    lab.press_button("Stop")
    lab.root.get_by_text(re.compile(r"Stopped at \d+%")).wait_for()
    assert lab.button("Stop").is_disabled()
    lab.wait_for_words(lambda words: words != before)
    lab.settle()
    words, picture = lab.words(), lab.picture_hash()
    lab.press_on_slider("time", "End")
    lab.wait_for_change(words, picture)
    time, taken = map(int, re.search(r"Time (\d+) of (\d+)", lab.words()).groups())
    assert 0 < time <= taken < 5000
    assert notebook.errors() == []
