"""Every notebook in a real JupyterLab: run all, no error, and each lab answers its controls."""

import pytest

from tests.browser.jupyter import ROOT, LabOnPage

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def move(lab: LabOnPage, name: str) -> None:
    """Move a slider by keys and see words and picture change; at its end, move it back first."""
    handle = lab.slider(name)
    at_the_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
    words, picture = lab.words(), lab.picture_hash()
    lab.press_on_slider(name, "ArrowLeft" if at_the_end else "ArrowRight")
    lab.wait_for_change(words, picture)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_and_its_labs_answer(open_notebook, name):
    notebook = open_notebook(name)
    notebook.run_all()
    assert notebook.errors() == []
    for number, lab in enumerate(notebook.labs()):
        title = f"{name.removesuffix('.ipynb')}-{number}"
        lab.screenshot(f"{title}-at-first")
        for slider in lab.slider_names():
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
