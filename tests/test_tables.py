"""Small tables in notebooks say what their arrays say."""

import html
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu.agents.plan import GuidedPlan, Plan
from eubrl_edu.tables import MOST_ROWS, table_of_pairs


def read(shown):
    """A table as another reader understands it; numbers as numbers."""
    lines = ElementTree.fromstring(f"<div>{shown}</div>").iter("tr")
    heads, *rows = [[cell.text for cell in line] for line in lines]
    frame = pd.DataFrame(rows, columns=heads)
    for name in frame:
        if pd.to_numeric(frame[name], errors="coerce").notna().all():
            frame[name] = pd.to_numeric(frame[name])
    return frame.set_index(["state", "action"])


def test_rows_are_the_first_pairs_and_how_many_follow_is_said():
    numbers = np.arange(40.0).reshape(20, 2) / 7
    shown = table_of_pairs("a < b", {"x": numbers})
    frame = read(shown)
    assert len(frame) == MOST_ROWS and "… and 28 more pairs" in shown and "a &lt; b" in shown
    for (state, action), row in frame.iterrows():
        assert row["x"] == pytest.approx(numbers[state, action], rel=5e-3)


def test_a_belief_shows_visits_and_what_follows():
    belief = eu.Belief(
        eu.DirichletTransitions(3, 2, alpha=0.5),
        eu.NormalGammaRewards(3, 2, mu0=0.0, lambda0=0.05, alpha0=2.0, beta0=0.05),
        (2,),
    )
    for next_state in (1, 0, 1):
        belief.update(0, 1, 1.0, next_state)
    frame = read(belief._repr_html_())
    assert frame["n"].to_dict() == {pair: 3 if pair == (0, 1) else 0 for pair in np.ndindex(3, 2)}
    # (α + n) / (3 α + n) = 2.5 / 4.5
    assert frame.loc[(0, 1), "likeliest next state (P_b)"] == "1 (0.556)"
    assert frame.loc[(1, 1), "likeliest next state (P_b)"] == "as the prior says"
    assert frame.loc[(0, 1), "r_b"] == pytest.approx(belief.mean_mdp().rewards[0, 1], rel=5e-3)


def test_an_agent_shows_its_plan_once_it_has_one():
    world = eu.make_env("loop")
    agent = eu.make_agent("EUBRL", world)
    assert agent._repr_html_() == f"<p>{html.escape(repr(agent))}</p>"
    plan = agent.plan()
    assert agent._repr_html_().startswith(f"<p>{html.escape(repr(agent))}</p>")
    pd.testing.assert_frame_equal(read(agent._repr_html_()), read(plan._repr_html_()))


def test_a_plan_shows_what_it_consists_of():
    model = eu.make_env("chain").model
    shape = model.rewards.shape
    parts = {name: np.random.default_rng(3).random(shape) for name in "abcde"}
    q = np.arange(float(np.prod(shape))).reshape(shape)
    plain = Plan(model, parts["a"], np.stack([q, -q]), np.zeros((3, len(q))))
    assert list(read(plain._repr_html_())) == ["r_b", "planned with", "Q"]
    assert read(plain._repr_html_())["Q"].tolist() == q.ravel().tolist()  # the first step's
    guided = GuidedPlan(
        model, parts["a"], q, q.max(axis=1), parts["b"], parts["c"], parts["d"], 1.0, parts["e"]
    )
    frame = read(guided._repr_html_())
    for name, expected in {"E_b": "d", "P_U": "e", "r_b": "a"}.items():
        np.testing.assert_allclose(frame[name], parts[expected].ravel(), rtol=5e-3)
    np.testing.assert_allclose(frame["guided reward"], model.rewards.ravel(), rtol=5e-3)
