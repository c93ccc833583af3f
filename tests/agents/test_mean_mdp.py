import numpy as np
import pytest
from hypothesis import given

import eubrl_edu as eu
from tests.beliefs.dense import cases


@given(cases())
def test_it_solves_the_dense_mean_mdp(case):
    plan = eu.MeanMDP(case.belief(), discount=0.9).plan()
    np.testing.assert_allclose(plan.mean_reward, case.mean_reward(), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(plan.model.rewards, plan.mean_reward)
    values, rewards, transitions = np.zeros(case.n_states), case.mean_reward(), case.transitions()
    for _ in range(400):  # 0.9^400 = 5e-19
        q = rewards + 0.9 * transitions @ values
        values = q.max(axis=1)
    np.testing.assert_allclose(plan.v, values, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(plan.q, q, rtol=1e-8, atol=1e-8)


def test_it_never_leaves_what_pays_a_little():
    """Without a bonus, the loop that paid first is the one that it stays in."""
    env = eu.make_env("loop", size=3)
    belief = eu.Belief(
        eu.DirichletTransitions(env.n_states, env.n_actions, 1e-6),
        eu.NormalGammaRewards(env.n_states, env.n_actions, lambda0=1e-4, beta0=1e-4),
    )
    trajectory = eu.simulate(eu.MeanMDP(belief, discount=0.95), env, steps=300, seed=1)
    assert trajectory.rewards[-5:].sum() == pytest.approx(1.0)


def test_discount_must_be_below_one_without_a_horizon():
    belief = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalRewards(3, 2))
    with pytest.raises(ValueError, match=r"discount must be in \[0, 1\)"):
        eu.MeanMDP(belief, discount=1.0)
    assert eu.MeanMDP(belief, discount=1.0, horizon=4).plan().q.shape == (4, 3, 2)
