"""The lower bound on log P(O = 1) and its gap, against mpmath and direct minimisation."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from eubrl_edu.theory.inference import jensen_gap, log_optimality, widest_probability
from eubrl_edu.uncertainty import epistemically_guided_reward

rewards = st.floats(-30.0, 30.0)
probabilities = st.floats(0.0, 1.0)


def exact(mean_reward, epistemic, probability):
    with mpmath.workdps(50):
        r, e, p = map(mpmath.mpf, (mean_reward, epistemic, probability))
        log_probability = mpmath.log((1 - p) * mpmath.exp(r) + p * mpmath.exp(e))
        return float(log_probability), float(log_probability - ((1 - p) * r + p * e))


def check_widest_probability(difference):
    with mpmath.workdps(50):
        d = mpmath.mpf(difference)
        expected = float(1 / d - 1 / (mpmath.exp(d) - 1))
    assert widest_probability(0.0, difference) == pytest.approx(expected, abs=1e-10)


@given(rewards, rewards, probabilities)
def test_both_are_what_mpmath_says(mean_reward, epistemic, probability):
    log_probability, gap = exact(mean_reward, epistemic, probability)
    assert log_optimality(mean_reward, epistemic, probability) == pytest.approx(
        log_probability, abs=1e-10
    )
    assert jensen_gap(mean_reward, epistemic, probability) == pytest.approx(gap, abs=1e-10)


@given(st.floats(-0.0199, 0.0199) | st.floats(-1e-9, 1e-9), probabilities)
def test_the_gap_of_a_small_difference_has_its_digits(difference, probability):
    gap = exact(0.0, difference, probability)[1]
    assert jensen_gap(0.0, difference, probability) == pytest.approx(gap, rel=1e-9, abs=1e-40)


@given(rewards, rewards, probabilities)
def test_the_guided_reward_is_a_lower_bound(mean_reward, epistemic, probability):
    guided = epistemically_guided_reward(mean_reward, epistemic, probability)
    assert guided <= log_optimality(mean_reward, epistemic, probability) + 1e-9
    gap = jensen_gap(mean_reward, epistemic, probability)
    assert 0 <= gap <= (epistemic - mean_reward) ** 2 / 8 * (1 + 1e-9)


@given(rewards, rewards)
def test_nothing_is_lost_where_u_is_known(mean_reward, epistemic):
    assert jensen_gap(mean_reward, epistemic, 0.0) == 0.0
    assert jensen_gap(mean_reward, epistemic, 1.0) == pytest.approx(0.0, abs=1e-12)
    assert log_optimality(mean_reward, epistemic, 0.0) == mean_reward
    assert log_optimality(mean_reward, epistemic, 1.0) == epistemic


@given(rewards, probabilities)
def test_nothing_is_lost_where_both_rewards_are_equal(reward, probability):
    assert jensen_gap(reward, reward, probability) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("difference", [-20.0, -1.0, -0.01, 0.01, 0.5, 3.0, 40.0])
def test_the_widest_gap_is_found_by_searching(difference):
    found = minimize_scalar(
        lambda p: -jensen_gap(1.0, 1.0 + difference, p),
        bounds=(0, 1),
        method="bounded",
        options={"xatol": 1e-10},
    )
    widest = widest_probability(1.0, 1.0 + difference)
    assert widest == pytest.approx(found.x, abs=1e-3)
    assert jensen_gap(1.0, 1.0 + difference, widest) >= -found.fun - 1e-12


def test_the_widest_probability_is_smooth_and_bounded():
    assert widest_probability(0.0, 0.0) == 0.5
    near = widest_probability(0.0, np.array([0.000999, 0.001001]))
    assert near[0] == pytest.approx(near[1], abs=1e-6)
    assert widest_probability(0.0, 5000.0) == pytest.approx(1 / 5000)


@given(st.floats(-50.0, 50.0).filter(lambda difference: abs(difference) > 1e-6))
def test_the_widest_probability_at_mpmath_precision(difference):
    check_widest_probability(difference)


@pytest.mark.parametrize("difference", [-0.09, 0.002, 0.05])
def test_the_widest_probability_of_small_differences(difference):
    check_widest_probability(difference)


def test_arrays_go_through():
    probability = np.linspace(0, 1, 5)
    gaps = jensen_gap(0.0, np.full(5, 2.0), probability)
    assert gaps.shape == (5,)
    assert gaps[2] == jensen_gap(0.0, 2.0, 0.5)


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_bad_probability_is_named(probability):
    with pytest.raises(ValueError, match="probability"):
        jensen_gap(0.0, 1.0, probability)
    with pytest.raises(ValueError, match="probability"):
        log_optimality(0.0, 1.0, probability)
