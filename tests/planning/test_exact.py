import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu.mdp import MDP
from eubrl_edu.planning import (
    bellman_residual,
    evaluate_policy,
    policy_iteration,
    solve,
    solve_horizon,
)
from tests.planning.problems import (
    DISCOUNTS,
    best_of_all_policies,
    dense_optimum,
    dense_policy_values,
    dense_q,
    lazy_chain,
    models,
    posterior_mean,
    relative_error,
    without_geometry,
)


@settings(max_examples=200)
@given(models(), st.sampled_from(DISCOUNTS))
def test_agrees_with_dense_policy_iteration(model, discount):
    truth = dense_optimum(model, discount)
    found = solve(model, discount)
    assert relative_error(found.v, truth) < 1e-9
    assert relative_error(found.q, dense_q(model, truth, discount)) < 1e-9
    assert relative_error(dense_policy_values(model, found.policy, discount), truth) < 1e-9
    assert np.array_equal(found.v, found.q.max(axis=1))
    # The residual is that of the values before the last backup.
    assert (
        bellman_residual(model, found.v, discount) <= found.residual + 1e-12 * np.abs(truth).max()
    )


@settings(max_examples=40)
@given(models(4, 3), st.sampled_from(DISCOUNTS))
def test_no_policy_is_better(model, discount):
    assert relative_error(solve(model, discount).v, best_of_all_policies(model, discount)) < 1e-9


@given(models(), models(), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_warm_equals_cold_whatever_the_start(model, other, discount, seed):
    rng = np.random.default_rng(seed)
    cold = solve(model, discount)
    start = cold._replace(
        v=rng.normal(size=model.n_states) * 100,
        policy=rng.integers(model.n_actions, size=model.n_states),
    )
    before = start.v.copy(), start.policy.copy()
    warm = solve(model, discount, start)
    assert relative_error(warm.q, cold.q) < 1e-9
    assert np.array_equal(start.v, before[0])
    assert np.array_equal(start.policy, before[1])


@given(models(), st.sampled_from(DISCOUNTS))
def test_from_its_own_solution_one_evaluation_is_enough(model, discount):
    cold = solve(model, discount)
    warm = solve(model, discount, cold)
    assert warm.iterations == 1
    assert np.array_equal(warm.policy, cold.policy)


def test_the_same_problem_gives_the_same_bits():
    for model in (posterior_mean(25, 3, 200, 1e-6, 3, seed=1), without_geometry(300, 2, 5, 1)):
        first, second = solve(model, 0.99), solve(model, 0.99)
        assert np.array_equal(first.q, second.q)
        assert np.array_equal(first.policy, second.policy)


def test_the_residual_is_that_of_the_values_evaluated_last():
    # Whatever rounding leaves, it is not hidden: rarely nothing, never much.
    models = [posterior_mean(20, 3, 200, 1e-4, 20, seed=seed) for seed in range(20)]
    found = [solve(model, 0.99) for model in models]
    truth = [policy_iteration(model, 0.99) for model in models]
    residuals = [solution.residual / np.abs(solution.v).max() for solution in found]
    assert sum(residual > 0 for residual in residuals) > 10
    assert max(residuals) < 1e-13
    assert all(
        np.abs(ours.v - theirs.v).max() <= 99 * (ours.residual + theirs.residual) + 1e-12
        for ours, theirs in zip(found, truth, strict=True)
    )


@pytest.mark.parametrize("discount", [0.9, 0.999, 0.9999])
@pytest.mark.parametrize("n_states", [300, 700])
def test_a_big_component_without_geometry(n_states, discount):
    model = without_geometry(n_states, 3, 6, seed=n_states)
    found = solve(model, discount)
    assert relative_error(found.v, dense_optimum(model, discount)) < 1e-9


@pytest.mark.parametrize("settled", [False, True])
def test_only_a_policy_that_still_changes_is_evaluated_roughly(settled):
    # In the end values are as exact from a poor start, where the first evaluation is rough.
    model = without_geometry(700, 3, 6, seed=2)
    truth = dense_optimum(model, 0.999)
    start = solve(model, 0.999)
    if not settled:
        rng = np.random.default_rng(0)
        start = start._replace(v=rng.normal(size=700) * 1e3, policy=rng.integers(3, size=700))
    found = solve(model, 0.999, start)
    assert (found.iterations == 1) == settled
    assert found.residual <= 1e-13 * np.abs(truth).max()
    assert relative_error(found.v, truth) < 1e-11


@pytest.mark.parametrize("flip", [0.0, 0.2])
@pytest.mark.parametrize("discount", [0.99, 0.999, 0.9999])
def test_a_long_chain(flip, discount):
    model = lazy_chain(60, flip)
    found = solve(model, discount)
    assert relative_error(found.v, dense_optimum(model, discount)) < 1e-9
    assert found.v[0] == found.v[-1] == 0


def test_a_wide_grid_agrees_with_the_readable_solver():
    width = 25
    x, y = np.meshgrid(np.arange(width), np.arange(width), indexing="ij")
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    to = [
        (np.clip(x + dx, 0, width - 1) * width + np.clip(y + dy, 0, width - 1)).ravel()
        for dx, dy in moves
    ]
    successors = np.stack([np.stack([to[a], to[a - 1], to[a - 3]], -1) for a in range(4)], 1)
    weights = np.tile([0.8, 0.1, 0.1], (width * width, 4, 1))
    rewards = np.random.default_rng(0).normal(size=(width * width, 4))
    model = MDP(successors, weights, np.zeros((width * width, 4)), rewards)
    found, truth = solve(model, 0.999), policy_iteration(model, 0.999)
    assert relative_error(found.v, truth.v) < 1e-9


@pytest.mark.parametrize("discount", [0.9, 0.999])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_quantecon(discount, seed):
    markov = pytest.importorskip("quantecon.markov")
    model = posterior_mean(40, 3, 300, 1e-4, 40, seed=seed)
    problem = markov.DiscreteDP(model.rewards, model.transition_matrix(), discount)
    theirs = problem.solve(method="policy_iteration")
    found = solve(model, discount)
    assert relative_error(found.v, theirs.v) < 1e-9
    assert np.array_equal(found.policy, theirs.sigma)


def test_arrays_of_any_layout_are_taken_and_left_alone():
    model = posterior_mean(10, 3, 60, 1e-2, 10, seed=4)
    odd = MDP(
        model.successors.astype(np.int32),
        np.asfortranarray(model.weights),
        model.background[::-1].copy()[::-1],
        model.rewards.copy(),
    )
    odd.rewards.setflags(write=False)
    assert np.array_equal(solve(odd, 0.95).q, solve(model, 0.95).q)
    assert odd.successors.dtype == np.int32


def test_nothing_known_and_nothing_listed():
    # K = 0: no successor was ever seen, every row is the uniform background.
    rewards = np.array([[1.0, 0.0], [0.0, 3.0]])
    model = MDP(np.zeros((2, 2, 0), int), np.zeros((2, 2, 0)), np.full((2, 2), 0.5), rewards)
    found = solve(model, 0.5)
    np.testing.assert_allclose(found.v, [1 + 2, 3 + 2], rtol=1e-15)
    assert found.policy.tolist() == [0, 1]


def test_equal_actions_are_kept():
    model = MDP.from_dense(np.full((3, 4, 3), 1 / 3), np.ones((3, 4)))
    start = solve(model, 0.9)._replace(policy=np.array([3, 1, 2]))
    warm = solve(model, 0.9, start)
    assert warm.policy.tolist() == [3, 1, 2]
    np.testing.assert_allclose(warm.v, 10, rtol=1e-14)
    np.testing.assert_allclose(evaluate_policy(model, warm.policy, 0.9), 10, rtol=1e-14)


def test_bad_input():
    model = posterior_mean(4, 2, 10, 1.0, 4, seed=0)
    with pytest.raises(ValueError, match="discount must be in"):
        solve(model, 1.0)
    with pytest.raises(ValueError, match="start must be"):
        solve(model, 0.9, solve(posterior_mean(5, 2, 10, 1.0, 4, seed=0), 0.9))
    with pytest.raises(ValueError, match="start must be"):
        solve(model, 0.9, solve(posterior_mean(4, 3, 10, 1.0, 4, seed=0), 0.9))


def test_numba_is_loaded_at_the_first_solve_only():
    code = "import sys, eubrl_edu.planning; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("stray", [-1, 2, 10**6])
def test_a_successor_that_is_no_state_is_refused(stray):
    successors = np.array([[[0], [1]], [[1], [0]]])
    mdp = MDP(successors, np.ones((2, 2, 1)), np.zeros((2, 2)), np.zeros((2, 2)))
    start = solve(mdp, 0.9)
    mdp.successors[0, 1] = stray
    for stale in (None, start):
        with pytest.raises(ValueError, match="successors must be integers from 0 to 1"):
            solve(mdp, 0.9, stale)
    with pytest.raises(ValueError, match="successors must be integers from 0 to 1"):
        solve_horizon(mdp, 3)
