import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.planning import backward_induction, evaluate_horizon_policy, solve_horizon
from tests.planning.problems import dense_q, models, posterior_mean

SOLVERS = [backward_induction, solve_horizon]


def value_by_paths(model, policy, start, discount):
    """The expected return by summing over every path of states, one by one."""
    horizon, transitions = len(policy), model.transition_matrix()
    value = 0.0
    for tail in itertools.product(range(model.n_states), repeat=horizon - 1):
        probability, path = 1.0, (start, *tail)
        total = 0.0
        for step, state in enumerate(path):
            action = policy[step][state]
            total += discount**step * model.rewards[state, action]
            if step + 1 < horizon:
                probability *= transitions[state, action, path[step + 1]]
        value += probability * total
    return value


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("discount", [1.0, 0.7])
@pytest.mark.parametrize(("n_states", "horizon"), [(2, 3), (3, 2)])
def test_no_policy_is_better(solver, discount, n_states, horizon):
    model = posterior_mean(n_states, 2, 20, 0.1, n_states, seed=5)
    found = solver(model, horizon, discount)
    per_step = list(itertools.product(range(2), repeat=n_states))
    for start in range(n_states):
        values = [
            value_by_paths(model, policy, start, discount)
            for policy in itertools.product(per_step, repeat=horizon)
        ]
        assert found.v[0, start] == pytest.approx(max(values), rel=1e-12)
        assert value_by_paths(model, found.policy, start, discount) == pytest.approx(
            max(values), rel=1e-12
        )


@given(models(), st.integers(1, 8), st.sampled_from([1.0, 0.9, 0.0]))
def test_agrees_with_dense_induction(model, horizon, discount):
    values, q = np.zeros(model.n_states), []
    for _ in range(horizon):
        q.insert(0, dense_q(model, values, discount))
        values = q[0].max(axis=1)
    for solver in SOLVERS:
        found = solver(model, horizon, discount)
        np.testing.assert_allclose(found.q, q, rtol=1e-12, atol=1e-12)
        assert np.array_equal(found.v[:-1], found.q.max(axis=-1))
        assert np.array_equal(found.v[-1], np.zeros(model.n_states))
        assert np.array_equal(found.policy, found.q.argmax(axis=-1))
        assert (found.iterations, found.residual) == (horizon, 0.0)


@given(models(4, 2), st.integers(1, 4), st.sampled_from([1.0, 0.8]), st.integers(0, 1000))
def test_evaluation_sums_over_all_paths(model, horizon, discount, seed):
    policy = np.random.default_rng(seed).integers(model.n_actions, size=(horizon, model.n_states))
    found = evaluate_horizon_policy(model, policy, discount)
    for start in range(model.n_states):
        truth = value_by_paths(model, policy, start, discount)
        assert found[0, start] == pytest.approx(truth, rel=1e-10, abs=1e-10)
    assert np.array_equal(found[horizon], np.zeros(model.n_states))


@given(models(), st.integers(1, 5))
def test_evaluating_the_best_policy_gives_its_values(model, horizon):
    found = backward_induction(model, horizon)
    assert np.array_equal(evaluate_horizon_policy(model, found.policy), found.v)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("bad", [{"horizon": 0}, {"horizon": 1.5}, {"discount": 1.1}])
def test_bad_input(solver, bad):
    model = posterior_mean(2, 2, 5, 1.0, 2, seed=0)
    with pytest.raises(ValueError, match=next(iter(bad))):
        solver(model, **{"horizon": 3, **bad})


@pytest.mark.parametrize(
    "policy", [np.zeros((3, 4), int), np.full((3, 2), 2), np.zeros((0, 2), int)]
)
def test_bad_policies(policy):
    model = posterior_mean(2, 2, 5, 1.0, 2, seed=0)
    with pytest.raises(ValueError, match="policy"):
        evaluate_horizon_policy(model, policy)
