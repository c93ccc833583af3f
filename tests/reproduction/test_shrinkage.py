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


def test_costs_are_those_of_single_runs_the_less_the_better():
    cells = [shrinkage.variant("loop", 2, "count", each, 0.25) for each in (True, False)]
    found = shrinkage.costs(cells, range(3), n_jobs=1)
    for row, cell in zip(found, cells, strict=True):
        returns = [shrinkage.run_once(cell, seed)["total_return"] for seed in range(3)]
        np.testing.assert_array_equal(row, -np.array(returns))


TABLE = pd.DataFrame(
    {
        "study": ["sea", "sea", "lazy"],
        "size": [5, 10, 5],
        "measure": "count",
        "cost_added": [10.0, 10.0, 10.0],
        "saved": [2.0, -2.0, 0.5],
        "low": [1.0, -3.0, -1.0],
        "high": [3.0, -1.0, 2.0],
    }
)


def test_the_words_say_who_wins_where():
    words = shrinkage.in_words(TABLE)
    assert "better in sea 5, worse in sea 10, and in 1 of 3" in words


def test_the_picture_has_a_point_a_row():
    figure = shrinkage.picture(TABLE)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["sea 5", "sea 10", "lazy 5"]
    assert figure.axes[0].containers[0].lines[0].get_xdata().tolist() == pytest.approx(
        [0.2, -0.2, 0.05]
    )
