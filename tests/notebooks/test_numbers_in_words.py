"""Numbers that a page tells in words, of more runs than it makes itself."""

import nbformat
import pandas as pd
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


def test_what_the_weight_costs_and_saves():
    """Page 09, of the table that ``python -m eubrl_edu.reproduction.shrinkage`` wrote."""
    page = nbformat.read(NOTEBOOKS / "09_regret_and_bounds.ipynb", as_version=4)
    (words,) = (cell.source for cell in page.cells if cell.id == "5ca259d2")
    rows = pd.read_csv(NOTEBOOKS.parent / "figures" / "data" / "shrinkage.csv")
    rows["share"] = rows.saved / rows.cost_added
    by_count, by_variance = (rows[rows.measure == each] for each in ("count", "variance"))
    (saves,) = by_count[by_count.low > 0].itertuples()
    assert (saves.study, saves.size) == ("deepsea-stochastic", 20)
    assert saves.share == pytest.approx(2 / 5, abs=0.03) and "two episodes\nin five" in words
    level = (by_variance.low <= 0) & (by_variance.high >= 0)
    alike = (by_variance.low == 0) & (by_variance.high == 0)
    assert (level.sum(), len(level), alike.sum()) == (25, 28, 9)
    assert "In 25 of 28 comparisons" in words and "nine of these" in words
    long_chains = by_variance[~level].set_index(["study", "size"])
    assert set(long_chains.index) == {
        ("lazychain-deterministic", 100),
        ("lazychain-deterministic", 200),
        ("lazychain-stochastic-near", 200),
    }
    assert -long_chains.share["lazychain-deterministic", 100] == pytest.approx(0.08, abs=0.005)
    assert long_chains.share["lazychain-deterministic", 200] == pytest.approx(0.9, abs=0.05)
    assert long_chains.failed_added["lazychain-deterministic", 200] == 3
    assert long_chains.high["lazychain-stochastic-near", 200] < 0
