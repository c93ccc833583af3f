import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.planning import evaluate_policy
from tests.planning.problems import (
    DISCOUNTS,
    dense_policy_values,
    models,
    posterior_mean,
    random_policy,
    relative_error,
)


@given(models(), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_agrees_with_a_dense_solve(model, discount, seed):
    policy = random_policy(model, seed)
    truth = dense_policy_values(model, policy, discount)
    assert relative_error(evaluate_policy(model, policy, discount), truth) < 1e-10


def test_nothing_known_by_hand():
    # Nothing known of either state: every step pays the mean reward on average.
    model = posterior_mean(2, 1, 0, 1.0, 1, seed=0)
    assert not model.terminal_states
    values = evaluate_policy(model, [0, 0], 0.5)
    expected = model.rewards[:, 0] + model.rewards.mean()
    np.testing.assert_allclose(values, expected, rtol=1e-14)


@pytest.mark.parametrize("policy", [[0, 0], [0, 0, 2], [0, -1, 0], [0.0, 0.0, 0.0], 0])
def test_bad_policies(policy):
    model = posterior_mean(3, 2, 10, 1.0, 3, seed=0)
    with pytest.raises(ValueError, match="policy must"):
        evaluate_policy(model, np.array(policy), 0.9)


def test_bad_discount():
    model = posterior_mean(3, 2, 10, 1.0, 3, seed=0)
    with pytest.raises(ValueError, match="discount"):
        evaluate_policy(model, np.zeros(3, dtype=int), 1.0)
