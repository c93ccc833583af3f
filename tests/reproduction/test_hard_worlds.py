import numpy as np
import pandas as pd
import pytest

from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.reproduction import hard_worlds
from eubrl_edu.theory import Problem, first_informative_step


@pytest.fixture(scope="module")
def table():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hard_worlds, "AGENTS", ("EUBRL", "Q-learning"))
        patch.setattr(hard_worlds, "STEPS", 60)
        patch.setattr(hard_worlds, "SEEDS", 3)
        return hard_worlds.compare(n_jobs=1)


def test_each_agent_has_a_regret_at_both_gaps(table):
    assert table.agent.tolist() == ["EUBRL", "Q-learning"] * 2
    assert table.gap.nunique() == 2
    assert ((0 <= table.low) & (table.low <= table.regret) & (table.regret <= table.high)).all()


def test_the_section_has_a_row_for_each_agent_and_says_where_bounds_begin():
    rows = [
        {"gap": gap, "agent": agent, "regret": 20 * gap, "low": 10 * gap, "high": 30 * gap}
        for gap in (0.05, 0.5)
        for agent in ("one", "other")
    ]
    section = hard_worlds.hard_worlds_section(pd.DataFrame(rows))
    assert "| one | 1.0 (0.5 to 1.5) | 10.0 (5.0 to 15.0) |" in section
    assert "ξ = 0.05, the hardest" in section
    # √(SAT)/(1 − γ)^1.5 and T/(1 − γ); 100 SA/(1 − γ)⁴.
    assert "| *order of the lower bound* | 6,000 | 6,000 |" in section
    assert "| *T V↑* | 20,000 | 20,000 |" in section
    assert "1.8e+07 L" in section
    found = first_informative_step(Problem(5, 3, 1.0, 0.1, 0.9))
    assert f"{found:.0e}".replace("e+", "e") in section


@pytest.mark.parametrize("gap", [0.001, 0.1])
def test_the_most_that_can_be_lost_is_what_a_ring_without_better_actions_loses(gap):
    """By symmetry a poor state and a rich one have one value each: two equations."""

    def values(leave):
        onward = np.array([[1 - leave, leave], [0.1, 0.9]])
        return np.linalg.solve(np.eye(2) - 0.9 * onward, [0.0, 1.0])

    lost = (values(0.1 + gap) - values(0.1)).max()
    assert hard_worlds.most_regret(gap) == pytest.approx(hard_worlds.STEPS * lost)


def test_who_is_left_out_would_tell_nothing_new(monkeypatch):
    assert set(AGENT_NAMES) - set(hard_worlds.AGENTS) == {"EUBRL-tied", "EUBRL+"}
    with pytest.raises(ValueError, match="EUBRL-tied"):
        hard_worlds.total_regret("EUBRL-tied", gap=0.1, seed=0)
    monkeypatch.setattr(hard_worlds, "STEPS", 60)
    assert hard_worlds.total_regret("EUBRL+", 0.1, 0) == hard_worlds.total_regret("EUBRL", 0.1, 0)
