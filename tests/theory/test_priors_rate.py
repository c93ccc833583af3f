"""Constants of the rate lemmas against every small history, slopes against known powers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalGammaRewards, NormalRewards
from eubrl_edu.environments import make_env
from eubrl_edu.theory.priors_rate import (
    dirichlet_rate,
    estimate_rate,
    normal_gamma_rate,
    normal_rate,
    uncertainty_along_visits,
)
from eubrl_edu.uncertainty import transition_variance

positive = st.floats(0.01, 20.0)


def check_between(value, bounds, n):
    low, high = bounds.at(n)
    assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [1e-3, 0.3, 1.0, 7.0])
@pytest.mark.parametrize("n_states", [1, 2, 3])
def test_dirichlet_constants_hold_for_every_small_history(alpha, n_states):
    bounds = dirichlet_rate(alpha, n_states)
    for counts in itertools.product(range(9), repeat=n_states):
        if n := sum(counts):
            transitions = DirichletTransitions(n_states, 1, alpha)
            for next_state, count in enumerate(counts):
                transitions.update(0, 0, next_state, count)
            check_between(transition_variance(transitions.parameters(0, 0)), bounds, n)


def test_the_lower_dirichlet_bound_has_the_right_power():
    transitions = DirichletTransitions(3, 1, 1.0)
    transitions.update(0, 0, 0, 10**6)
    value = transition_variance(transitions.parameters(0, 0))
    assert value * 10**12 == pytest.approx(2 * (3.0 - 1.0), rel=1e-4)


@given(positive, positive, st.integers(1, 10**6))
def test_normal_constants(tau0, tau, n):
    rewards = NormalRewards(1, 1, 0.0, tau0, tau, on="action")
    rewards.n[:] = n
    check_between(rewards.posterior()[1].item(), normal_rate(tau0, tau), n)


def test_normal_constants_are_met_at_both_ends():
    for n, position in ((1, 0), (10**9, 1)):
        value = 1 / (2.0 + 3.0 * n)
        assert value == pytest.approx(float(normal_rate(2.0, 3.0).at(n)[position]), rel=1e-6)


@given(
    st.floats(-3.0, 3.0),
    positive,
    st.floats(1.001, 9.0),
    positive,
    st.floats(0.1, 5.0),
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40),
)
def test_normal_gamma_constants_for_rewards_in_range(mu0, lambda0, alpha0, beta0, r_max, shares):
    model = NormalGammaRewards(1, 1, mu0, lambda0, alpha0, beta0, on="action")
    model.update_batch(0, 0, 0, np.array(shares) * r_max)
    bounds = normal_gamma_rate(mu0, lambda0, alpha0, beta0, r_max)
    check_between(model.posterior()[1].item(), bounds, len(shares))


def test_normal_gamma_constants_worked_by_hand():
    """From the docstring: D = 3, C_1 = 2 / (4 · 5/2), C_2 = 2 · 2/4 + (4 + 9)/4."""
    bounds = normal_gamma_rate(-1.0, 3.0, 3.0, 2.0, 2.0)
    assert (bounds.lower, bounds.upper) == pytest.approx((0.2, 4.25))


def test_the_lower_normal_gamma_bound_has_the_right_power():
    values = []
    for n in (10**5, 10**6):
        model = NormalGammaRewards(1, 1, 0.0, 1.0, 2.0, 1.0, on="action")
        model.update_batch(0, 0, 0, np.ones(n))
        values.append(model.posterior()[1].item() * n**2)
    assert values[1] == pytest.approx(2 * (1.0 + 0.5), rel=1e-3)  # 2(β0 + λ0(r − μ0)²/2)
    assert values[0] == pytest.approx(values[1], rel=1e-3)


def test_slopes_are_recovered_and_the_interval_covers():
    """Noise in the slope itself: 95% of the intervals should cover; at least 90% of 2000 must."""
    rng = np.random.default_rng(0)
    visits = np.array([10, 30, 100, 300, 1000])
    covered = 0
    for _ in range(2000):
        slopes = -0.5 + 0.1 * rng.standard_normal((6, 1))
        estimate = estimate_rate(visits, 3.0 * visits**slopes)
        covered += estimate.low <= -0.5 <= estimate.high
    assert 0.93 < covered / 2000 < 0.97


def test_the_curve_begins_at_the_prior_and_leaves_the_belief_alone():
    env = make_env("chain")
    belief = Belief(DirichletTransitions(5, 2, 1.0), NormalRewards(5, 2, on="action"))
    curve = uncertainty_along_visits(belief, env, 0, 0, [0, 1, 50], np.random.default_rng(0))
    transitions = DirichletTransitions(5, 2, 1.0)
    expected = np.sqrt(transition_variance(transitions.parameters(0, 0))) + 1.0
    assert curve[0] == pytest.approx(expected)
    assert curve[2] < curve[1] < curve[0]
    assert belief.n_observations == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: estimate_rate([1, 2], np.ones((1, 2))), "uncertainty"),
        (lambda: estimate_rate([1, 2], np.ones((2, 3))), "uncertainty"),
        (lambda: estimate_rate([0, 2], np.ones((2, 2))), "visits"),
        (lambda: estimate_rate([2, 2], np.ones((2, 2))), "visits"),
        (lambda: estimate_rate([1, 2], np.zeros((2, 2))), "uncertainty"),
        (lambda: normal_gamma_rate(0.0, 1.0, 1.0, 1.0, 1.0), "alpha0"),
        (lambda: dirichlet_rate(0.0, 2), "alpha"),
        (lambda: normal_rate(0.0, 1.0), "tau0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_visits_must_increase():
    env = make_env("bandit")
    belief = Belief(DirichletTransitions(1, 2), NormalRewards(1, 2))
    with pytest.raises(ValueError, match="visits"):
        uncertainty_along_visits(belief, env, 0, 0, [5, 2], np.random.default_rng(0))
