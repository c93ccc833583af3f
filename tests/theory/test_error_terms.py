import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import Problem
from tests.theory.worlds import RandomWorld


def some_beta(world, discount, seed, scale):
    rng = np.random.default_rng(seed)
    problem = Problem(world.n_states, world.n_actions, 1.0, 0.1, discount)
    visits = rng.integers(0, scale, size=(world.n_states, world.n_actions))
    p_u = 1 / np.sqrt(np.maximum(visits, 1))
    bonus = p_u * 0.3 * p_u
    return problem, visits, p_u, bonus, theory.error_terms(problem, visits, bonus, p_u, 0.5)


@given(st.integers(0, 10**6), st.floats(0, 0.9), st.sampled_from([3, 10**3, 10**6, 10**9]))
def test_j_is_its_own_fixed_point(seed, discount, scale):
    world = RandomWorld(6, 2, seed)
    problem, _, _, _, beta = some_beta(world, discount, seed, scale)
    policy = np.random.default_rng(seed).integers(2, size=6)
    j = theory.bellman_like(world.model, policy, beta, discount, problem.v_max)
    states = np.arange(6)
    transitions = world.model.transition_matrix()[states, policy]
    target = np.minimum(beta[states, policy] + discount * transitions @ j, problem.v_max)
    np.testing.assert_allclose(j, target, atol=1e-9)
    assert (j >= 0).all()
    assert (j <= problem.v_max).all()

    swept = np.full(6, problem.v_max)  # from above, where monotone iteration can only fall
    for _ in range(250):
        following = np.minimum(beta[states, policy] + discount * transitions @ swept, problem.v_max)
        assert (following <= swept + 1e-9).all()
        swept = following
    np.testing.assert_allclose(j, swept, atol=1e-8)


@given(st.integers(0, 10**6), st.sampled_from([3, 10**4, 10**9]))
def test_beta_by_its_formula(seed, scale):
    problem, visits, p_u, bonus, beta = some_beta(RandomWorld(4, 2, seed), 0.9, seed, scale)
    l1 = np.log(24 * 8 / 0.1)
    for pair in np.ndindex(4, 2):
        n = visits[pair]
        if n == 0:
            assert beta[pair] == np.inf
            continue
        l3 = np.log(12 * 8 * (1 + np.log(n)) / 0.1)
        doubt = (4 - p_u[pair]) * problem.v_max * l1 / 0.5 + 30 * problem.v_max * 4 * l3
        np.testing.assert_allclose(beta[pair], bonus[pair] + doubt / n, rtol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([3, 10**4, 10**9]))
def test_j_of_an_episode_by_backward_induction(seed, horizon, scale):
    world = RandomWorld(4, 2, seed)
    *_, beta = some_beta(world, 0.9, seed, scale)
    policy = np.random.default_rng(seed).integers(2, size=(horizon, 4))
    j = theory.bellman_like_horizon(world.model, policy, beta, float(horizon))
    transitions = world.model.transition_matrix()
    assert (j[horizon] == 0).all()
    for step in range(horizon):
        for state in range(4):
            action = policy[step, state]
            target = beta[state, action] + transitions[state, action] @ j[step + 1]
            np.testing.assert_allclose(j[step, state], min(target, horizon), atol=1e-10)


@pytest.mark.filterwarnings("error")
def test_next_to_no_visit_is_as_uncertain_as_none():
    problem = Problem(1, 1, 1e50, 1e-50, horizon=1)
    assert theory.error_terms(problem, 1e-300, 10.0, 0.0, 1e-50) == np.inf
