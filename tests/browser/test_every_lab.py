"""Every lab in a real JupyterLab, one below the other: no error, and each answers a slider."""

from pathlib import Path

import nbformat

from eubrl_edu import labs
from eubrl_edu.course.scenes import find_scenes
from tests.browser.jupyter import ROOT
from tests.browser.test_real_notebooks import require_answer

# Of each lab its first call in the pages.
SCENES = {scene.line.partition("(")[0]: scene for scene in find_scenes(ROOT / "notebooks")[::-1]}


def write_every_lab(folder: Path) -> str:
    """Write a notebook of all labs into a folder; its name."""
    cells = [nbformat.v4.new_code_cell(f"{scene.needs}\n{scene.line}") for scene in SCENES.values()]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    page = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    nbformat.write(page, folder / "every_lab.ipynb")
    return "every_lab.ipynb"


def test_every_lab_answers(server, open_notebook):
    assert SCENES.keys() == set(labs.__all__)
    notebook = open_notebook(write_every_lab(server.notebooks))
    notebook.run_all()
    assert notebook.errors() == []
    shown = notebook.labs()
    assert len(shown) == len(SCENES)
    for lab in shown:
        require_answer(lab)
    unfold = [lab for lab in shown if lab.button("More").count()]
    assert len(unfold) > len(shown) / 2
    for lab in unfold:
        require_words_in_place(lab)
    assert notebook.errors() == []


def require_words_in_place(lab):
    """*More* makes the controls longer; the words stay right below the picture, beside them."""
    lab.press_button("More")
    lab.settle()
    parts = lab.parts()
    words, picture, controls = parts["words"], parts["figure"], parts["controls"]
    assert words["y"] < picture["y"] + picture["height"] + 12
    assert words["x"] > controls["x"] + controls["width"] - 1
