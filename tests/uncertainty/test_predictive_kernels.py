"""Each compiled function against the plain one that it must equal.

That the tables they fill are those of `PosteriorPredictive`, to the last bit, is tested with it.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu.uncertainty import predictive_kernels
from tests.beliefs.dense import cases

REWARD_BELIEFS = [
    eu.KnownRewards(np.array([[0.5], [-2.0]])),
    eu.NormalGammaRewards(2, 1, mu0=0.3, lambda0=0.2, alpha0=1.7, beta0=0.4),
    eu.NormalRewards(2, 1, mu0=-0.3, tau0=0.2, tau=3.0),
    eu.BetaBernoulliRewards(2, 1, alpha0=0.3, beta0=2.0),
]


@given(cases())
def test_independent_row(case):
    transitions = case.belief().transitions
    if transitions.tied:
        return
    room = np.full((4, transitions.table.width), np.nan)
    for state in range(case.n_states):
        for action in range(case.n_actions):
            got = predictive_kernels.independent_row(
                state,
                action,
                transitions.table.listed[state, action],
                transitions.counts,
                transitions.visits,
                transitions.alpha,
                room,
            )
            for numbers, expected in zip(got, transitions.parameters(state, action), strict=True):
                np.testing.assert_array_equal(numbers, expected)


@pytest.mark.parametrize("rewards", REWARD_BELIEFS, ids=lambda rewards: type(rewards).__name__)
@given(st.lists(st.booleans(), max_size=10))
def test_reward_posterior(rewards, ones):
    rewards = rewards.copy()
    if not isinstance(rewards, eu.KnownRewards):
        for one in ones:
            rewards.update(1, 0, 0, float(one))
    kind, names, prior = predictive_kernels.reward_arguments(rewards)
    at = 1, 0, 0
    first, second = (getattr(rewards, name)[at] for name in names)
    got = predictive_kernels.reward_posterior(kind, prior, rewards.n[at], first, second)
    assert got == rewards.posterior(at)


def test_a_reward_belief_of_ones_own_has_no_compiled_twin():
    class Doubtful(eu.NormalGammaRewards):
        """Another posterior than its class says."""

    assert predictive_kernels.reward_arguments(Doubtful(2, 1)) is None
