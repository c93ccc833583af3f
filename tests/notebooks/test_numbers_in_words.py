"""Numbers that a page tells in words, of more runs than it makes itself.

Words are looked for in tests that take no time, so that a page reworded is
noticed at once; what takes minutes is only to make the numbers anew.
"""

import re

import nbformat
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.intervals import paired_difference
from eubrl_edu.labs.optimum import find_optimum
from eubrl_edu.reproduction import shrinkage
from tests.notebooks.store import NOTEBOOKS


def told(page: str, words: str) -> tuple[float, ...]:
    """Numbers that stand at each ``#`` of ``words``, which ``page`` has exactly once."""
    read = nbformat.read(NOTEBOOKS / f"{page}.ipynb", as_version=4)
    text = " ".join(" ".join(cell.source.split()) for cell in read.cells)
    (found,) = re.finditer(re.escape(words).replace(r"\#", r"(−?\d+)"), text)
    return tuple(float(number.replace("−", "-")) for number in found.groups())


def told_of_doubling():
    return told(
        "12_reading_the_paper_critically",
        "With 300 runs the sign is the other way round: the interval of what doubling gains "
        "is # to #, which only just includes 0",
    )


def test_page_12_tells_what_doubling_earns():
    low, high = told_of_doubling()
    assert low < 0 < high and high < -low / 10


@pytest.mark.long
def test_what_doubling_earns_in_300_runs_of_chain():
    doubling, every_step = (
        run_study("chain", ["EUBRL"], seeds=300, progress=False, settings={"plan_every": every})
        for every in ("doubling", 1)
    )
    gain = paired_difference(doubling.total_return, every_step.total_return)
    assert told_of_doubling() == (round(gain.low), round(gain.high))


def test_the_two_groups_of_a_race():
    """What parts the runs of Mean-MDP in the Chain, in page 06."""
    chain, paid = eu.make_env("chain"), []
    optimum = find_optimum(chain, discount=0.99, steps=1000).returns[-1]
    for seed in range(100):
        run = engine.simulate(eu.make_agent("Mean-MDP", chain), chain, steps=1000, seed=seed)
        if 2000 <= optimum - run.rewards.sum() <= 2150:
            paid.append({int(a) for a in run.actions[run.rewards == 10]})
    by_left, by_right = (sum(action in each for each in paid) for action in (0, 1))
    assert (len(paid), by_right, by_left) == (41, 7, 15)
    page = nbformat.read(NOTEBOOKS / "06_race.ipynb", as_version=4)
    words = "only seven of 41 runs. (In fifteen others it was *left* that earned the 10"
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
    assert saves.share == pytest.approx(2 / 5, abs=0.03)
    saved = f"{saves.saved:.0f} of {saves.cost_added:.0f}"
    interval = f"with an interval from {saves.low:.0f} to {saves.high:.0f}"
    assert f"two episodes in five ({saved}, {interval})" in words
    assert ((by_count.high < 0).sum(), len(by_count)) == (20, 28)
    assert "does harm in 20 of 28 comparisons" in words
    level = (by_variance.low <= 0) & (by_variance.high >= 0)
    alike = (by_variance.low == 0) & (by_variance.high == 0)
    assert (level.sum(), len(level), alike.sum()) == (27, 28, 9)
    assert "In 27 of 28 comparisons" in words and "nine of these" in words
    (costs,) = by_variance[~level].itertuples()
    assert (costs.study, costs.size) == ("lazychain-deterministic", 100)
    assert -costs.share == pytest.approx(0.08, abs=0.005) and "8% more steps" in words
    assert ((rows.low > 0).sum(), len(rows)) == (1, 56)
    assert "wins only one of these 56 comparisons" in words


def told_at_the_next_eta():
    return told("09_regret_and_bounds", "it saves # episodes, # to #")


def test_page_09_tells_on_what_the_win_hangs():
    value, low, high = told_at_the_next_eta()
    assert low < 0 < value < high


@pytest.mark.long
def test_the_win_of_the_weight_hangs_on_the_eta_without_it():
    (sea,) = of_the_weight()[1].query("low > 0").itertuples()
    saved = at_the_next_eta(sea)
    assert told_at_the_next_eta() == (round(saved.value), round(saved.low), round(saved.high))


def at_the_next_eta(row):
    """What the weight saves if EUBRL without it has the next larger η."""
    larger = shrinkage.MULTIPLES[shrinkage.MULTIPLES.index(row.multiple_added) + 1]
    pair = [
        shrinkage.variant(row.study, row.size, row.measure, *each)
        for each in ((True, row.multiple), (False, larger))
    ]
    ours, theirs = shrinkage.outcomes(pair, range(row.seeds), n_jobs=1).costs
    assert ours.mean() == pytest.approx(row.cost, rel=1e-5)
    return paired_difference(theirs, ours)
