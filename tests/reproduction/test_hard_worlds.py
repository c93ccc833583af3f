import pandas as pd
import pytest

from eubrl_edu.reproduction import hard_worlds
from eubrl_edu.theory import Problem, first_informative_step


@pytest.fixture(scope="module")
def table():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hard_worlds, "AGENTS", ("EUBRL", "Q-learning"))
        patch.setattr(hard_worlds, "STEPS", 60)
        patch.setattr(hard_worlds, "SEEDS", 3)
        yield hard_worlds.compare(n_jobs=1)


def test_each_agent_has_a_regret_at_both_gaps(table):
    assert table.agent.tolist() == ["EUBRL", "Q-learning"] * 2
    assert table.gap.nunique() == 2
    assert ((0 <= table.low) & (table.low <= table.regret) & (table.regret <= table.high)).all()


def test_the_section_has_a_row_for_each_agent_and_says_where_bounds_begin():
    rows = [
        {"gap": gap, "agent": agent, "regret": 2 * gap, "low": gap, "high": 3 * gap}
        for gap in (0.5, 5.0)
        for agent in ("one", "other")
    ]
    section = hard_worlds.hard_worlds_section(pd.DataFrame(rows))
    assert "| one | 1.0 (0.5 to 1.5) | 10.0 (5.0 to 15.0) |" in section
    assert "ξ = 0.5, the hardest" in section
    found = first_informative_step(Problem(5, 3, 1.0, 0.1, 0.9))
    assert f"{found:.0e}".replace("e+", "e") in section
