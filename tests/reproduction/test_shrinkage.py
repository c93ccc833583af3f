"""The comparison with and without the weight 1 − P_U: pairs, signs and words."""

import numpy as np
import pandas as pd
import pytest

from eubrl_edu.reproduction import shrinkage


def test_a_variant_is_eubrl_with_or_without_the_weight():
    plain = shrinkage.variant("loop", 2, "count", True, 1.0)
    added = shrinkage.variant("loop", 2, "count", False, 1.0)
    agents = [cell.make_agent(cell.make_world()) for cell in (plain, added)]
    assert [agent.shrinkage for agent in agents] == [True, False]
    assert agents[0].eta == agents[1].eta == 2.0  # R_max of the loop
    assert agents[0].uncertainty == "count"


def test_eta_grows_with_the_size_where_the_paper_s_does():
    """The largest reward is 2N − 1 on the lazy chain, where the paper's η is 6N; in the loop, 2."""
    for size in (10, 50):
        world = shrinkage.STUDIES["lazychain-stochastic"].make_world(size)
        assert world.successor_rewards.max() == 2 * size - 1
        cells = [
            shrinkage.variant(f"lazychain-{each}", size, "variance", True, 3.0)
            for each in ("deterministic", "stochastic")
        ]
        assert [cell.make_agent(cell.make_world()).eta for cell in cells] == [6 * size] * 2
    assert shrinkage.variant("loop-scaling", 16, "count", True, 1.0).settings.eta == 2.0


def test_costs_are_those_of_single_runs_the_less_the_better():
    cells = [shrinkage.variant("loop", 2, "count", each, 0.25) for each in (True, False)]
    found = shrinkage.outcomes(cells, range(3), n_jobs=1)
    for row, cell in zip(found.costs, cells, strict=True):
        returns = [shrinkage.run_once(cell, seed)["total_return"] for seed in range(3)]
        np.testing.assert_array_equal(row, -np.array(returns))
    assert not found.failed.any() and (found.cpu_seconds > 0).all()


def test_a_run_that_fails_says_so_and_costs_the_limit():
    cells = [shrinkage.variant("loop-scaling", 2, "count", True, each) for each in (0.1, 0.5)]
    found = shrinkage.outcomes(cells, range(2), n_jobs=1)
    assert found.failed.tolist() == [[True, True], [False, False]]
    assert (found.costs[0] == 7000).all() and (found.costs[1] < 7000).all()


def test_where_no_eta_solves_the_world_the_search_says_so(monkeypatch):
    monkeypatch.setattr(shrinkage, "TUNING_SEEDS", range(10_000, 10_001))
    found = [
        shrinkage.best_multiple("lazychain-deterministic", 10, "count", each, n_jobs=1)
        for each in (True, False)
    ]
    assert [best.none_solves for best in found] == [True, False]
    assert found[0].multiple == shrinkage.MULTIPLES[0]


TABLE = pd.DataFrame(
    {
        "study": ["sea", "sea", "lazy", "lazy"],
        "size": [5, 10, 5, 10],
        "measure": "count",
        "metric": "steps",
        "eta": 1.0,
        "eta_added": 0.5,
        "multiple": 1.0,
        "multiple_added": [shrinkage.MULTIPLES[0]] * 3 + [1.0],
        "none_solves": False,
        "none_solves_added": [True, True, False, False],
        "cost": [8.0, 12.0, 9.5, 10.0],
        "cost_added": 10.0,
        "failed": [0, 3, 0, 20],
        "failed_added": [0, 0, 0, 20],
        "saved": [2.0, -2.0, 0.5, 0.0],
        "low": [1.0, -3.0, -1.0, 0.0],
        "high": [3.0, -1.0, 2.0, 0.0],
        "seeds": 20,
        "cpu_seconds": 90.0,
        "tuning_cpu_seconds": [30.0, 10.0, 40.0, 10.0],
    }
)


def test_the_words_say_who_wins_where():
    words = shrinkage.in_words(TABLE)
    assert "better than without it in sea (5), and worse in sea (10)." in words
    assert (
        "In 2 of 4 comparisons the interval contains 0; in 1 of them both cost the same in every "
        "run, in 1 because neither ever solves the world." in words
    )
    assert "No η of the grid solves sea (5, 10) without the weight;" in words
    assert "In lazy (5) the best η without the weight is at the grid's edge" in words
    assert "with the weight;" not in words and "with the weight is at" not in words
    assert "worse in no world" in shrinkage.in_words(TABLE[:1])


def test_the_report_s_section_has_the_words_what_is_open_and_a_row_for_each_comparison():
    section = shrinkage.shrinkage_section(TABLE)
    assert shrinkage.in_words(TABLE) in section
    assert "wins 1 of 4 comparisons, each at the η that did best on 10 other seeds" in section
    assert "loop-scaling (2, 4, 8, 16, 32); deepsea-deterministic (10, 20, 50)" in section
    assert "| sea | 10 | count | 20 | 1.00 | 0.500 | 12.0 (3 failed) | 10.0 | steps |" in section
    assert "−2.00 (−3.00 to −1.00) |" in section
    assert "All runs took 6.00 minutes of one processor, and the search for η 1.50." in section


def test_the_picture_has_a_line_for_each_world_in_shares_of_the_larger_cost():
    both = pd.concat([TABLE, TABLE.assign(measure="variance")])
    axes = shrinkage.shrinkage_figure(both).axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["sea 5", "sea 10", "lazy 5", "lazy 10"]
    for container in axes.containers:
        shares = container.lines[0].get_xdata().tolist()
        assert shares == pytest.approx([0.2, -2 / 12, 0.05, 0])


def test_a_small_comparison_from_end_to_end(monkeypatch):
    monkeypatch.setattr(shrinkage, "TUNING_SEEDS", range(10_000, 10_001))
    table = pd.DataFrame(shrinkage.compare(("loop",), seeds=5, n_jobs=1))
    assert table.measure.tolist() == ["count", "variance"]
    np.testing.assert_allclose(table.saved, table.cost_added - table.cost)
    np.testing.assert_allclose(table.eta, 2 * table.multiple)  # R_max of the loop
    assert (table.low <= table.saved).all() and (table.saved <= table.high).all()
    assert (table.cpu_seconds > 0).all() and (table.tuning_cpu_seconds > 0).all()
    assert not table[["none_solves", "failed", "failed_added"]].any(axis=None)
