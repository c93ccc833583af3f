"""Numbers that a page tells in words, of more runs than it makes itself."""

import nbformat
import pytest

from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.intervals import paired_difference
from tests.notebooks.store import NOTEBOOKS


@pytest.mark.long
def test_what_doubling_earns_in_300_runs_of_chain():
    doubling, every_step = (
        run_study("chain", ["EUBRL"], seeds=300, progress=False, settings={"plan_every": every})
        for every in ("doubling", 1)
    )
    gain = paired_difference(doubling.total_return, every_step.total_return)
    page = nbformat.read(NOTEBOOKS / "12_reading_the_paper_critically.ipynb", as_version=4)
    words = f"300 runs it still does,\nbut only just: {gain.low:.0f} to {gain.high:.0f}".replace(
        "-", "−"
    )
    assert any(words in cell.source for cell in page.cells)
