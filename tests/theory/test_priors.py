"""The two parts of a posterior predictive's error, against the package's own posteriors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.agents import MeanMDP
from eubrl_edu.beliefs import (
    Belief,
    BetaBernoulliRewards,
    DirichletTransitions,
    NormalGammaRewards,
    NormalRewards,
)
from eubrl_edu.theory.priors import beta_error, dirichlet_error, normal_error, normal_gamma_error

positive = st.floats(0.01, 50.0)
means = st.floats(-5.0, 5.0)
reward_lists = st.lists(st.floats(-10.0, 10.0), max_size=30)


def predictive_mean(reward_belief, rewards):
    """r_b of one pair after the given rewards, from the class that agents use."""
    belief = Belief(DirichletTransitions(1, 1), reward_belief)
    for reward in rewards:
        belief.update(0, 0, reward, 0)
    return MeanMDP(belief, 0.5).plan().mean_reward[0, 0]


def check_parts(error, predictive, empirical, prior_mean, truth):
    np.testing.assert_allclose(error.total, predictive - truth, rtol=1e-9, atol=1e-9)
    assert error.data_weight + error.prior_weight == pytest.approx(1.0, abs=1e-12)
    assert 0.0 <= error.data_weight < 1.0
    np.testing.assert_allclose(
        error.frequentist, error.data_weight * (empirical - truth), atol=1e-12
    )
    np.testing.assert_allclose(
        error.prior_bias, error.prior_weight * (prior_mean - truth), atol=1e-12
    )


@given(st.data(), st.integers(1, 6))
def test_dirichlet_error_is_the_error_of_the_posterior(data, n_states):
    counts = data.draw(st.lists(st.integers(0, 5), min_size=n_states, max_size=n_states))
    weights = data.draw(st.lists(positive, min_size=n_states, max_size=n_states))
    alpha = data.draw(positive)
    truth = np.array(weights) / sum(weights)
    transitions = DirichletTransitions(n_states, 1, alpha)
    belief = Belief(transitions, NormalRewards(n_states, 1))
    for next_state, count in enumerate(counts):
        for _ in range(count):
            belief.update(0, 0, 0.0, next_state)
    predictive = MeanMDP(belief, 0.5).plan().model.transition_matrix()[0, 0]
    empirical = np.array(counts) / sum(counts) if sum(counts) else truth
    error = dirichlet_error(counts, alpha, truth)
    check_parts(error, predictive, empirical, np.full(n_states, 1 / n_states), truth)


@given(st.lists(st.tuples(st.integers(0, 9), positive, positive), min_size=1, max_size=6))
def test_dirichlet_error_with_a_parameter_of_its_own_for_each_state(rows):
    counts, alpha, weights = map(np.array, zip(*rows, strict=True))
    truth = weights / weights.sum()
    predictive = (counts + alpha) / (counts + alpha).sum()
    empirical = counts / counts.sum() if counts.sum() else truth
    error = dirichlet_error(counts, alpha, truth)
    check_parts(error, predictive, empirical, alpha / alpha.sum(), truth)


@given(reward_lists, means, means, positive, positive)
def test_normal_error_is_the_error_of_the_posterior(rewards, truth, mu0, tau0, tau):
    error = normal_error(rewards, truth, mu0, tau0, tau)
    predictive = predictive_mean(NormalRewards(1, 1, mu0, tau0, tau, on="action"), rewards)
    check_parts(error, predictive, np.mean(rewards) if rewards else truth, mu0, truth)


@given(reward_lists, means, means, positive, st.floats(1.01, 9.0), positive)
def test_normal_gamma_error_is_the_error_of_the_posterior(
    rewards, truth, mu0, lambda0, alpha0, beta0
):
    error = normal_gamma_error(rewards, truth, mu0, lambda0)
    model = NormalGammaRewards(1, 1, mu0, lambda0, alpha0, beta0, on="action")
    predictive = predictive_mean(model, rewards)
    check_parts(error, predictive, np.mean(rewards) if rewards else truth, mu0, truth)


@given(st.lists(st.integers(0, 1), max_size=30), st.floats(0, 1), positive, positive)
def test_beta_error_is_the_error_of_the_posterior(rewards, truth, alpha0, beta0):
    error = beta_error(rewards, truth, alpha0, beta0)
    predictive = predictive_mean(BetaBernoulliRewards(1, 1, alpha0, beta0, on="action"), rewards)
    prior_mean = alpha0 / (alpha0 + beta0)
    check_parts(error, predictive, np.mean(rewards) if rewards else truth, prior_mean, truth)


def test_without_data_all_error_is_the_priors():
    assert normal_error([], 1.0, 0.0, 2.0, 1.0).prior_bias == -1.0
    assert normal_error([], 1.0, 0.0, 2.0, 1.0).frequentist == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dirichlet_error([1, 2], 1.0, [0.5, 0.4]), "truth"),
        (lambda: dirichlet_error([1, 2, 3], 1.0, [0.5, 0.5]), "counts"),
        (lambda: dirichlet_error([1, -1], 1.0, [0.5, 0.5]), "counts"),
        (lambda: dirichlet_error([1, 1], 0.0, [0.5, 0.5]), "alpha"),
        (lambda: normal_error([1.0], 0.0, 0.0, 0.0, 1.0), "tau0"),
        (lambda: normal_error([1.0], 0.0, 0.0, 1.0, -1.0), "tau"),
        (lambda: normal_gamma_error([1.0], 0.0, 0.0, 0.0), "lambda0"),
        (lambda: normal_gamma_error([float("nan")], 0.0, 0.0, 1.0), "rewards"),
        (lambda: beta_error([0.5], 0.5, 1.0, 1.0), "rewards"),
        (lambda: beta_error([1], 0.5, 0.0, 1.0), "alpha0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
