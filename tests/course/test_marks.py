"""Each mark is that of the check which gave it, or there is none."""

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from eubrl_edu.course.marks import results_of

IMPORT = "from eubrl_edu.exercises import *"
EACH_LINE = "get_ipython().ast_node_interactivity = 'all'"
BEST, CUP = "check_best_return", "check_guided_cup"
CELLS = {
    f"{BEST}(400)": {BEST: "✓"},
    f"{BEST}(3)": {BEST: "✗"},
    f"{BEST}(...)": {BEST: "○"},
    f"{BEST}(400);": {BEST: "no result"},
    f"{BEST}(unknown)": {BEST: "NameError"},
    f"{BEST}(400)\n{CUP}(99)": {BEST: "no result", CUP: "✗"},
    f"{BEST}(3)\n{CUP}(1.625)": {BEST: "no result", CUP: "✓"},
    f"{BEST}(400)\n{BEST}(3)": {BEST: "✗"},
    f"shown = {BEST}(400)\n{CUP}(99)\nshown": {BEST: "no result", CUP: "no result"},
    f"{BEST}(400), {CUP}(1.625)": {BEST: "no result", CUP: "no result"},
    f"{BEST}(400)\n{CUP}(unknown)": {BEST: "NameError", CUP: "NameError"},
    f"{BEST}(400)\nunknown": {BEST: "NameError"},
    f"{CUP}({BEST}(400).passed)": {BEST: "no result", CUP: "✗"},
    f"print({BEST}(400), {CUP}(99))": {BEST: "no result", CUP: "no result"},
    f"%%time\na = {BEST}(400)\n{CUP}(99)\na": {BEST: "no result", CUP: "no result"},
    f"(lambda one, other: one)({BEST}(400), {CUP}(99))": {BEST: "no result", CUP: "no result"},
}
WHERE_EACH_LINE_SHOWS = {
    f"{BEST}(400)\n{CUP}(99)": {BEST: "✓", CUP: "✗"},
    f"{BEST}(3)\n{CUP}(1.625)": {BEST: "✗", CUP: "✓"},
    f"{BEST}(400)\n{BEST}(3)": {BEST: "✗"},
    f"{BEST}(3)\n{BEST}(400)": {BEST: "✓"},
    f"{BEST}(400)\n{CUP}(unknown)": {BEST: "✓", CUP: "NameError"},
    f"{BEST}(400)\nunknown": {BEST: "✓"},
    f"{BEST}(400)\n{BEST}(unknown)": {BEST: "NameError"},
    f"{BEST}(400)\n{CUP}(99);": {BEST: "no result", CUP: "no result"},
    f"a = {BEST}(400)\n{CUP}(99)\na": {BEST: "no result", CUP: "no result"},
}


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        pytest.param("", CELLS, id="last"),
        pytest.param(EACH_LINE, WHERE_EACH_LINE_SHOWS, id="each", marks=pytest.mark.long),
    ],
)
def test_marks_are_those_of_their_checks(setting, expected):
    cells = [new_code_cell(source) for source in (IMPORT, setting, *expected)]
    NotebookClient(new_notebook(cells=cells), kernel_name="python3", allow_errors=True).execute()
    assert {cell.source: results_of(cell) for cell in cells[2:]} == expected


def test_a_cell_that_was_not_run():
    assert results_of(new_code_cell(f"{BEST}(400)\n{CUP}(1)")) == dict.fromkeys(
        (BEST, CUP), "not run"
    )
