"""Every notebook in a real JupyterLab: run all, no error, and each lab answers its controls."""

import pytest

from tests.browser.jupyter import ROOT, LabOnPage

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


# The first key that may show a difference; a single step of a prior can be too small to see.
KEYS = ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "End", "Home")


def move(lab: LabOnPage, name: str) -> None:
    """Move a slider by keys until words and picture have changed."""
    words, picture = lab.words(), lab.picture_hash()
    for key in KEYS:
        lab.press_on_slider(name, key)
        if lab.changes(words, picture):
            return
    raise AssertionError(f"{name} changes nothing; the lab says: {words}")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_its_labs_answer(open_notebook, name):
    notebook = open_notebook(name)
    notebook.run_all()
    assert notebook.errors() == []
    for number, lab in enumerate(notebook.labs()):
        title = f"{name.removesuffix('.ipynb')}-{number}"
        lab.screenshot(f"{title}-at-first")
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
        lab.press_button("Presentation")
        lab.screenshot(f"{title}-presentation")
    assert notebook.errors() == []
