"""The paper's printed numbers, and ours beside them."""

import math

import pandas as pd
import pytest

from eubrl_edu.reproduction.published import beside_published, published


def runs(study, agent, returns):
    return pd.DataFrame({"study": study, "agent": agent, "return_1000": returns})


def test_both_tables_are_there():
    table = published()
    assert table.study.value_counts().to_dict() == {"chain": 9, "loop": 5}
    eubrl = table[table.agent == "EUBRL"].set_index("study").value
    assert eubrl.to_dict() == {"chain": 3473.0, "loop": 395.0}


def test_errors_that_are_missing_or_a_range():
    errors = published().set_index(["study", "agent"]).standard_error
    assert math.isnan(errors["chain", "BEB"])
    assert errors["chain", "VBRB"] == 20.0


@pytest.mark.parametrize(("returns", "reached"), [([394.0] * 5, True), ([392.0] * 5, False)])
def test_runs_without_spread_beside_a_number_without_error(returns, reached):
    table = beside_published(runs("loop", "RMAX", returns)).set_index(["study", "agent"])
    assert table.reached["loop", "RMAX"] == reached


def test_three_combined_standard_errors():
    """500 returns of mean m and standard error 12 beside 3473 ± 16: combined 20."""
    spread = 12 * math.sqrt(500) * math.sqrt(499 / 500)
    for mean, score, reached in ((3413.1, -2.995, True), (3412.9, -3.005, False)):
        returns = [mean - spread, mean + spread] * 250
        row = beside_published(runs("chain", "EUBRL", returns)).set_index("agent").loc["EUBRL"]
        row = row[row.study == "chain"].iloc[0]
        assert row.score == pytest.approx(score)
        assert row.reached == reached


def test_what_was_not_run_is_not_reached():
    table = beside_published(runs("chain", "EUBRL", []))
    assert table["mean"].isna().all() and not table.reached.any()
