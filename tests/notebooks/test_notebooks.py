"""What is stored in the notebooks is whole, and their exercises can be solved."""

import base64
import io
import re
import warnings

import nbformat
import numpy as np
import pytest
from PIL import Image

from tests.notebooks.exercises import find_exercises, run_trials, with_trials
from tests.notebooks.last_bits import DIRECTIONS, unsteady_cells
from tests.notebooks.store import NOTEBOOKS, WIDGET_VIEW, execute

PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))

# What would differ on another machine or on another day.
UNSTABLE = re.compile(r"0x[0-9a-f]{6,}|/home/|/tmp/|/Users/|[A-Z]:\\\\|site-packages")
# Rounding decides whether it is shown.
SIGNED_ZERO = re.compile(r"(?<![\w.])[-−]0(\.0*)?(?![\w.])")


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    return [output for cell in code_cells(notebook) for output in cell.outputs]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_file_is_valid_and_its_cells_have_names(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) >= (4, 5)
    names = [cell["id"] for cell in notebook.cells]
    assert len(set(names)) == len(names)


def test_no_two_sections_of_a_page_have_the_same_heading(notebook):
    """By its heading a learner is told which cell to run first."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    headings = re.findall(r"^#+ +(.+)", text, re.MULTILINE)
    assert len(set(headings)) == len(headings) > 5


def test_every_code_cell_has_been_run_in_order(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook) if cell.source.strip()]
    assert counts == list(range(1, len(counts) + 1))
    assert outputs(notebook)


def test_metadata_names_the_kernel_and_holds_no_widget_state(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    assert "widgets" not in notebook.metadata


def test_stored_outputs_have_no_error_and_no_warning(notebook):
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text


def test_stored_outputs_are_the_same_everywhere(notebook):
    for output in outputs(notebook):
        data = output.get("data", {})
        assert WIDGET_VIEW not in data, "store the notebook with `make notebooks`"
        assert "image/svg+xml" not in data
        words = output.get("text", "") + data.get("text/plain", "")
        assert not UNSTABLE.search(words), words
        assert not SIGNED_ZERO.search(words), words


def test_stored_pictures_are_pictures(notebook):
    for output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
            assert np.asarray(picture.convert("L")).std() > 1


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_solutions_pass_their_checks_and_wrong_answers_do_not(path, monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)
    run_trials(nbformat.read(path, as_version=4))


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_page_whose_exercises_are_solved_runs_to_its_end(path):
    notebook = nbformat.read(path, as_version=4)
    if find_exercises(notebook):
        execute(with_trials(notebook))


@pytest.mark.long
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_in_words_hangs_on_last_bits(path, direction):
    assert unsteady_cells(nbformat.read(path, as_version=4), direction) == []
