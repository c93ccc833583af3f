import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.planning import bellman_residual, greedy_actions, greedy_policy, q_values
from tests.planning.problems import dense_optimum, dense_q, models


@given(models(), st.integers(0, 1000))
def test_q_values_are_those_of_the_dense_model(model, seed):
    values = np.random.default_rng(seed).normal(size=model.n_states)
    np.testing.assert_allclose(
        q_values(model, values, 0.9), dense_q(model, values, 0.9), rtol=1e-12, atol=1e-12
    )


@given(models())
def test_residual_is_zero_at_the_optimum_and_only_there(model):
    values = dense_optimum(model, 0.9)
    assert bellman_residual(model, values, 0.9) < 1e-12
    # Shifting V by c shifts max Q by γ c.
    assert bellman_residual(model, values + 1, 0.9) == pytest.approx(0.1, abs=1e-9) or (
        model.terminal_states
    )


def test_greedy_policy_takes_the_first_best_action():
    q = np.array([[1.0, 2.0, 2.0], [0.0, -1.0, -2.0]])
    assert greedy_policy(q).tolist() == [1, 0]
    assert greedy_policy(np.stack([q, -q])).tolist() == [[1, 0], [0, 2]]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("sign", [1, -1])
def test_ties_are_relative_to_the_row(scale, sign):
    row = scale * sign * np.array([1.0, 1 + 1e-13, 1 - sign * 1e-6, 1 - 1e-13])
    assert greedy_actions(row) == [0, 1, 3]


def test_ties_of_zeros_and_of_one_action():
    assert greedy_actions(np.zeros(3)) == [0, 1, 2]
    assert greedy_actions(np.array([0.0, 1e-300])) == [1]
    assert greedy_actions(np.array([-5.0])) == [0]


@pytest.mark.parametrize("scale", [1e-12, -1.0, 1e12])
def test_the_greedy_policy_is_the_first_of_the_greedy_actions(scale):
    base = np.random.default_rng(0).choice([-1.0, 0.0, 1.0, 1.0 + 1e-13, 1.0 - 1e-9], (200, 3))
    q = scale * base
    assert greedy_policy(q).tolist() == [greedy_actions(row)[0] for row in q]
    assert greedy_policy(q).tolist() != np.argmax(q, axis=1).tolist()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6))
def test_the_best_action_is_among_the_greedy_ones(row):
    actions = greedy_actions(np.array(row))
    assert int(np.argmax(row)) in actions
    assert actions == sorted(set(actions))
    assert all(max(row) - row[action] <= 1.001e-10 * max(map(abs, row)) for action in actions)
