import numpy as np
import pytest
from scipy import stats

from eubrl_edu.environments import Bandit


def test_one_state_and_two_rewards():
    env = Bandit((0.75, 0.25))
    np.testing.assert_array_equal(env.model.transition_matrix(), np.ones((1, 2, 1)))
    np.testing.assert_allclose(env.model.rewards, [[0.75, 0.25]])
    np.testing.assert_allclose(env.successor_rewards, [[[0.75], [0.25]]])
    assert env.model.successors.shape == (1, 2, 1)
    assert env.outcome_rewards.tolist() == [[[1.0, 0.0], [1.0, 0.0]]]


@pytest.mark.parametrize("arm", [0, 1])
def test_arms_are_bernoulli(arm):
    """Binomial test at level 1e-6."""
    env = Bandit((0.6, 0.4))
    env.reset(seed=0)
    rewards = [env.step(arm)[1] for _ in range(3000)]
    assert set(rewards) == {0.0, 1.0}
    successes = int(sum(rewards))
    assert stats.binomtest(successes, 3000, env.success_probabilities[arm]).pvalue > 1e-6


@pytest.mark.parametrize("probabilities", [(0.5,), (0.5, 1.1), (-0.1, 0.5), (0.5, np.nan), "ab"])
def test_bad_probabilities(probabilities):
    with pytest.raises(ValueError, match="success_probabilities"):
        Bandit(probabilities)
