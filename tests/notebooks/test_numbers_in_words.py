"""Numbers that a page tells in words, of more runs than it makes itself."""

import nbformat
import pandas as pd
import pytest

from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.intervals import paired_difference
from eubrl_edu.reproduction import shrinkage
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


def of_the_weight() -> tuple[str, pd.DataFrame]:
    """Page 09's words, and the table that ``python -m eubrl_edu.reproduction.shrinkage`` wrote."""
    page = nbformat.read(NOTEBOOKS / "09_regret_and_bounds.ipynb", as_version=4)
    (words,) = (cell.source for cell in page.cells if cell.id == "5ca259d2")
    rows = pd.read_csv(NOTEBOOKS.parent / "figures" / "data" / "shrinkage.csv")
    return " ".join(words.split()), rows


def test_what_the_weight_costs_and_saves():
    words, rows = of_the_weight()
    rows["share"] = rows.saved / rows.cost_added
    by_count, by_variance = (rows[rows.measure == each] for each in ("count", "variance"))
    (saves,) = by_count[by_count.low > 0].itertuples()
    assert (saves.study, saves.size) == ("deepsea-stochastic", 20)
    assert saves.share == pytest.approx(2 / 5, abs=0.03) and "two episodes in five" in words
    assert ((by_count.high < 0).sum(), len(by_count)) == (20, 28)
    assert "a burden in 20 of 28 comparisons" in words
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
    assert -long_chains.share["lazychain-stochastic-near", 200] == pytest.approx(0.03, abs=0.005)
    assert "8 % of the steps" in words and "3 % at size 200" in words
    assert ((rows.low > 0).sum(), len(rows)) == (2, 56)
    assert "wins only two of these 56 comparisons" in words


@pytest.mark.long
def test_both_wins_of_the_weight_hang_on_the_eta_without_it():
    words, rows = of_the_weight()
    sea, chain = rows[rows.low > 0].sort_values("measure").itertuples()
    saved, _, _ = at_the_next_eta(sea)
    assert saved.low < 0 < saved.high
    found = f"it saves {saved.value:.0f} episodes, {saved.low:.0f} to {saved.high:.0f}"
    assert found.replace("-", "−") in words

    saved, failed, cells = at_the_next_eta(chain)
    tuning = shrinkage.outcomes(cells, shrinkage.TUNING_SEEDS, n_jobs=1)
    assert tuning.costs[0].mean() == tuning.costs[1].mean() and not failed.any()
    costs = f"{-saved.value:.0f} steps ({-saved.high:.0f} to {-saved.low:.0f})"
    assert f"no run fails, and the factor *costs* {costs}" in words


def at_the_next_eta(row):
    """What the weight saves if EUBRL without it has the next larger η, and which runs fail then.

    Also the cells without the weight, with the η that was chosen and with the larger one.
    """
    place = shrinkage.MULTIPLES.index(row.multiple_added)
    ours, *added = (
        shrinkage.variant(row.study, row.size, row.measure, *each)
        for each in (
            (True, row.multiple),
            (False, row.multiple_added),
            (False, shrinkage.MULTIPLES[place + 1]),
        )
    )
    found = shrinkage.outcomes([ours, added[1]], range(row.seeds), n_jobs=1)
    assert found.costs[0].mean() == pytest.approx(row.cost, rel=1e-5)
    return paired_difference(found.costs[1], found.costs[0]), found.failed[1], added
