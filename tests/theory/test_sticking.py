"""Simulated and exact shares of agents that stay on the worse arm, and the paper's bound."""

import itertools

import numpy as np
import pytest
from scipy.stats import beta as beta_distribution

from eubrl_edu.beliefs import Belief, BetaBernoulliRewards, DirichletTransitions
from eubrl_edu.theory.misspecification import (
    guaranteed_sticking,
    max_uncertainty,
    omission_bound,
    required_prior,
    sharper_sufficient_estimate,
    sticking_bound,
    union_bound,
)
from eubrl_edu.theory.sticking import simulate_bandit, sticking_forever, sticking_probability

CONFIDENCE = 0.999


def clopper_pearson(successes, n, confidence=CONFIDENCE):
    """An exact interval for a probability, from the number of successes in n trials."""
    tail = (1 - confidence) / 2
    low = beta_distribution.ppf(tail, successes, n - successes + 1) if successes else 0.0
    high = beta_distribution.isf(tail, successes + 1, n - successes) if successes < n else 1.0
    return low, high


def by_enumeration(worse_mean, alpha, steps, rooted=False):
    """The same as `sticking_probability`, over all 2^steps histories, with the belief's class."""
    result = np.zeros(steps)
    power = 0.5 if rooted else 1.0
    untried = (1 / (4 * (2 * alpha + 1))) ** power
    for history in itertools.product((0, 1), repeat=steps - 1):
        belief = Belief(
            DirichletTransitions(1, 1), BetaBernoulliRewards(1, 1, alpha, alpha, on="action")
        )
        probability = 0.5
        result[0] += probability / 2 ** (steps - 1)
        for n, reward in enumerate(history, start=1):
            belief.update(0, 0, reward, 0)
            mean, variance = (table.item() for table in belief.rewards.posterior())
            uncertainty = variance**power
            guided = (1 - uncertainty / untried) * mean + uncertainty**2 / untried
            probability *= worse_mean if reward else 1 - worse_mean
            probability *= 0.5 if abs(guided - untried) < 1e-12 else float(guided > untried)
            result[n] += probability / 2 ** (steps - 1 - n)
    return result


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.25, 0.5, 1.0, 3.0])
@pytest.mark.parametrize(("worse_mean", "rooted"), [(0.1, True), (0.4, False), (0.8, False)])
def test_exact_probability_equals_enumeration(alpha, worse_mean, rooted):
    exact = sticking_probability(worse_mean, alpha, 8, rooted)
    expected = by_enumeration(worse_mean, alpha, 8, rooted)
    np.testing.assert_allclose(exact, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("alpha", "means"), [(0.1, (0.9, 0.8)), (0.3, (0.6, 0.1)), (4, (0.7, 0.4))]
)
def test_simulation_agrees_with_the_exact_probability(alpha, means):
    n_agents, steps = 4000, 60
    runs = simulate_bandit(means, alpha, n_agents, steps, np.random.default_rng(1))
    exact = sticking_probability(means[1], alpha, steps)
    for t in (0, 1, 5, steps - 1):
        low, high = clopper_pearson(round(runs.stuck[t] * n_agents), n_agents)
        assert low <= exact[t] <= high


@pytest.mark.parametrize(("confidence", "worse_mean"), [(0.1, 0.8), (0.3, 0.6), (0.05, 0.9)])
def test_simulated_frequency_is_not_below_the_bound(confidence, worse_mean):
    alpha = required_prior(confidence, worse_mean).alpha
    n_agents = 4000
    runs = simulate_bandit(
        (min(1.0, worse_mean + 0.1), worse_mean), alpha, n_agents, 300, np.random.default_rng(2)
    )
    _, high = clopper_pearson(round(runs.stuck[-1] * n_agents), n_agents)
    assert high >= sticking_bound(alpha, worse_mean) >= guaranteed_sticking(confidence)


@pytest.mark.parametrize("worse_mean", [0.45, 0.6, 0.9])
@pytest.mark.parametrize("alpha", [0.5, 2.0, 10.0, 30.0])
def test_the_bound_holds_for_the_exact_probability_for_ever(alpha, worse_mean):
    low, high = sticking_forever(worse_mean, alpha, 600)
    assert low <= high <= 0.5 + 1e-12
    assert sticking_bound(alpha, worse_mean) <= low + 1e-12
    leaving = 1 - low / 0.5
    assert leaving <= omission_bound(alpha, worse_mean).total


@pytest.mark.parametrize("steps", [2, 10, 40])
def test_what_may_still_leave_widens_the_interval(steps):
    alpha, worse_mean = 0.7, 0.5
    low, high = sticking_forever(worse_mean, alpha, steps)
    leaving = union_bound(alpha, worse_mean, sharper_sufficient_estimate(alpha), first=steps) / 2
    assert low == pytest.approx(max(0.0, high - leaving))
    assert low <= sticking_probability(worse_mean, alpha, 1500)[-1] <= high
    assert low < high or steps == 40


def test_a_strong_prior_sticks_more_than_a_weak_one():
    assert sticking_probability(0.4, 0.1, 400)[-1] < 0.3
    assert sticking_forever(0.4, 5.0, 400)[0] > 0.49


def test_the_better_arm_may_be_stuck_to_as_well():
    runs = simulate_bandit((0.9, 0.8), 5.0, 1000, 100, np.random.default_rng(3))
    assert set(runs.actions[-1]) == {0, 1}
    assert (runs.actions == runs.actions[0]).all()  # at α = 5 everyone stays where it began
    assert runs.actions[-1].mean() == runs.stuck[-1]
    means = [runs.rewards[runs.actions == arm].mean() for arm in (0, 1)]
    assert means == pytest.approx([0.9, 0.8], abs=0.02)


def test_the_same_seed_gives_the_same_runs():
    first, second = (
        simulate_bandit((0.6, 0.4), 0.3, 50, 40, np.random.default_rng(4)) for _ in range(2)
    )
    assert (first.actions == second.actions).all()
    assert (first.rewards == second.rewards).all()


def test_agents_act_on_the_guided_reward_of_their_own_history():
    alpha, steps = 0.2, 40
    runs = simulate_bandit((0.6, 0.3), alpha, 20, steps, np.random.default_rng(5))
    highest = max_uncertainty(alpha)
    for agent in range(20):
        posterior = np.full((2, 2), alpha)
        for action, reward in zip(runs.actions[:, agent], runs.rewards[:, agent], strict=True):
            variance = beta_distribution(posterior[:, 0], posterior[:, 1]).var()
            mean = posterior[:, 0] / posterior.sum(axis=1)
            guided = mean + variance / highest * (variance - mean)
            assert guided[action] >= guided[1 - action] - 1e-9
            posterior[action, 1 - reward] += 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda rng: simulate_bandit((1.5, 0.5), 1.0, 5, 5, rng), "means"),
        (lambda rng: simulate_bandit((0.6, 0.5), 0.0, 5, 5, rng), "alpha"),
        (lambda rng: simulate_bandit((0.6, 0.5), 1.0, 0, 5, rng), "n_agents"),
        (lambda rng: simulate_bandit((0.6, 0.5), 1.0, 5, 0, rng), "steps"),
        (lambda rng: sticking_probability(0.5, -1.0, 5), "alpha"),
        (lambda rng: sticking_probability(0.5, 1.0, 0), "steps"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.random.default_rng(0))
