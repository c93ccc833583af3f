import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.mdp import MDP
from eubrl_edu.planning import backward_induction, solve
from eubrl_edu.planning.capped import solve_capped
from tests.planning.problems import models

DISCOUNTS = st.sampled_from([0.0, 0.5, 0.9, 0.99])


def dense_capped_sweeps(mdp, discount, cap, start):
    """The fixed point by brute force: sweeps of the Bellman-like operator on dense arrays."""
    transitions, values = mdp.transition_matrix(), start
    for _ in range(4000):
        following = np.minimum((mdp.rewards + discount * transitions @ values).max(axis=1), cap)
        if np.abs(following - values).max() <= 1e-14 * max(1, abs(cap)):
            break
        values = following
    return values


@given(models(), DISCOUNTS, st.floats(-3, 30))
def test_capped_values_are_the_fixed_point(mdp, discount, cap):
    found = solve_capped(mdp, discount, cap)
    q = mdp.rewards + discount * mdp.transition_matrix() @ found.v
    np.testing.assert_allclose(found.v, np.minimum(q.max(axis=1), cap), atol=1e-9)
    np.testing.assert_allclose(found.q, q, atol=1e-9)
    np.testing.assert_array_equal(found.policy, found.q.argmax(axis=1))
    assert found.residual <= 1e-9
    below = np.full(mdp.n_states, min(cap, -5 / (1 - discount)))
    expected = dense_capped_sweeps(mdp, discount, cap, below)
    np.testing.assert_allclose(found.v, expected, atol=1e-8)


@given(models(), models(), DISCOUNTS, st.floats(-3, 30))
def test_where_it_starts_does_not_matter(mdp, other, discount, cap):
    cold = solve_capped(mdp, discount, cap)
    if other.rewards.shape == mdp.rewards.shape:
        warm = solve_capped(mdp, discount, cap, solve_capped(other, discount, cap + 1))
        np.testing.assert_allclose(warm.v, cold.v, atol=1e-9)
    again = solve_capped(mdp, discount, cap, cold)
    np.testing.assert_allclose(again.v, cold.v, atol=1e-10)
    assert again.iterations == 1


@given(models(), DISCOUNTS)
def test_a_cap_out_of_reach_changes_nothing(mdp, discount):
    found = solve_capped(mdp, discount, 1e4 / (1 - discount))
    np.testing.assert_allclose(found.v, solve(mdp, discount).v, atol=1e-9)


@given(models(most_states=8), st.integers(1, 6), st.floats(-3, 6))
def test_capped_backward_induction(mdp, horizon, cap):
    found = backward_induction(mdp, horizon, cap=cap)
    transitions = mdp.transition_matrix()
    values = np.zeros(mdp.n_states)
    for step in reversed(range(horizon)):
        q = mdp.rewards + transitions @ values
        np.testing.assert_allclose(found.q[step], q, atol=1e-12)
        values = np.minimum(q.max(axis=1), cap)
        np.testing.assert_allclose(found.v[step], values, atol=1e-12)
    uncapped = backward_induction(mdp, horizon, cap=1e9)
    np.testing.assert_array_equal(uncapped.v, backward_induction(mdp, horizon).v)


@pytest.mark.parametrize("cap", [np.inf, np.nan, "3"])
def test_a_cap_must_be_finite(cap):
    mdp = MDP.from_dense(np.ones((1, 1, 1)), np.ones((1, 1)))
    with pytest.raises(ValueError, match="cap must be a finite number"):
        solve_capped(mdp, 0.9, cap)
    with pytest.raises(ValueError, match="cap must be a finite number"):
        backward_induction(mdp, 3, cap=cap)


@pytest.mark.parametrize("discount", [None, 0.9])
def test_values_beyond_the_range_of_floats_are_an_error_in_words(discount):
    mdp = MDP.from_dense(np.ones((1, 1, 1)), np.full((1, 1), -1e308))
    with pytest.raises(ValueError, match="beyond the range of floats"):
        if discount is None:
            backward_induction(mdp, 3, cap=1.0)
        else:
            solve_capped(mdp, discount, 1.0)
