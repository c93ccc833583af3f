"""Each compiled function against the plain one that it must equal."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from eubrl_edu import planning
from eubrl_edu.planning import kernels
from eubrl_edu.planning.bellman import q_values
from tests.planning.problems import DISCOUNTS, models, posterior_mean, random_policy, relative_error


def arrays(model):
    return model.successors, model.weights, model.background, model.rewards


def room(model):
    """Room to work in, full of rubbish: what it holds must not matter."""
    integers, floats, target, weight = kernels.make_room(model.n_states, model.successors.shape[2])
    integers[:], floats[:], target[:], weight[:] = -(10**9), np.nan, -(10**9), np.nan
    return integers, floats, target, weight


@given(models(), st.integers(0, 1000))
def test_q_values(model, seed):
    values = np.random.default_rng(seed).normal(size=model.n_states)
    q = np.empty_like(model.rewards)
    kernels.q_values(*arrays(model), 0.9, values, q)
    np.testing.assert_allclose(q, q_values(model, values, 0.9), rtol=1e-13, atol=1e-13)


@given(models(), st.integers(0, 1000))
def test_sweep_is_gauss_seidel_both_ways(model, seed):
    rng = np.random.default_rng(seed)
    values, policy = rng.normal(size=model.n_states), random_policy(model, seed)
    expected, actions = values.copy(), policy.copy()
    transitions = model.transition_matrix() - model.background[..., None]
    for forward, order in enumerate([range(model.n_states - 1, -1, -1), range(model.n_states)]):
        kernels.sweep(*arrays(model), 0.9, values, policy, bool(forward))
        total = expected.sum()
        for state in order:
            q = model.rewards[state] + 0.9 * (
                transitions[state] @ expected + model.background[state] * total
            )
            if q.max() - q[actions[state]] > 1e-12:
                actions[state] = q.argmax()
            expected[state] = q[actions[state]]
        np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-11)
        assert np.array_equal(policy, actions)


@given(models(), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_evaluate_policy(model, discount, seed):
    policy = random_policy(model, seed)
    values = np.zeros(model.n_states)
    kernels.evaluate_policy(*arrays(model), discount, policy, values, room(model))
    assert relative_error(values, planning.evaluate_policy(model, policy, discount)) < 1e-10


@given(models(), st.lists(st.integers(0, 3), min_size=2, max_size=9))
def test_a_graph_that_is_still_there_serves_again(model, seeds):
    kept = kernels.make_room(model.n_states, model.successors.shape[2])
    for seed in seeds:
        policy = random_policy(model, seed)
        values, expected = np.zeros(model.n_states), np.zeros(model.n_states)
        kernels.evaluate_policy(*arrays(model), 0.9, policy, values, kept)
        kernels.evaluate_policy(*arrays(model), 0.9, policy, expected, room(model))
        assert np.array_equal(values, expected)


@given(models(), st.sampled_from(DISCOUNTS))
def test_solve(model, discount):
    values = np.zeros(model.n_states)
    policy = np.zeros(model.n_states, dtype=np.int64)
    q = np.full_like(model.rewards, np.nan)
    kernels.solve(*arrays(model), discount, values, policy, q, room(model))
    assert relative_error(q, planning.policy_iteration(model, discount).q) < 1e-9


@given(models(), st.integers(1, 6), st.sampled_from([1.0, 0.9]))
def test_backward_induction(model, horizon, discount):
    q = np.full((horizon, *model.rewards.shape), np.nan)
    v = np.full((horizon + 1, model.n_states), np.nan)
    policy = np.empty((horizon, model.n_states), dtype=np.int64)
    kernels.backward_induction(*arrays(model), discount, q, v, policy)
    expected = planning.backward_induction(model, horizon, discount)
    np.testing.assert_allclose(q, expected.q, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(v, expected.v, rtol=1e-12, atol=1e-12)


@given(
    st.lists(
        st.sampled_from([-1.0, 0.0, 1.0, 1 + 1e-12, 1 + 1e-9, -1 - 1e-12]) | st.floats(-9, 9),
        min_size=1,
        max_size=6,
    )
)
def test_greedy_actions(row):
    actions = np.empty(len(row), dtype=np.int64)
    count = kernels.greedy_actions(np.array(row), actions)
    assert actions[:count].tolist() == planning.greedy_actions(np.array(row))


@njit
def solve_twice(successors, weights, background, rewards, discount, values, policy, q, room):
    for _ in range(2):
        found = kernels.solve(
            successors, weights, background, rewards, discount, values, policy, q, room
        )
    return found


def test_solve_from_compiled_code_gives_the_same_bits():
    model = posterior_mean(15, 3, 100, 1e-4, 15, seed=2)
    values, policy = np.zeros(15), np.zeros(15, dtype=np.int64)
    q = np.empty((15, 3))
    evaluated, residual = solve_twice(*arrays(model), 0.99, values, policy, q, room(model))
    found = planning.solve(model, 0.99, planning.solve(model, 0.99))
    assert np.array_equal(q, found.q)
    assert np.array_equal(values, found.v)
    assert (evaluated, residual) == (found.iterations, found.residual)
