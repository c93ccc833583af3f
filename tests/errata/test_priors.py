"""Every erratum on priors: its numbers show what it says, and what survives does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from eubrl_edu import theory
from eubrl_edu.errata import priors


def test_constant_of_the_wrong_state():
    numbers = priors.constant_of_the_wrong_state()
    assert numbers["C_1, j = 2"] < numbers["n² E_T"] < numbers["C_1, j = 1"]
    assert numbers["E_T with one state"] == 0.0


def test_unbounded_rewards():
    numbers = priors.unbounded_rewards()
    assert numbers["rewards ±1000"] > 1e5 * numbers["rewards ±1"]


def test_shape_of_at_most_one():
    numbers = priors.shape_of_at_most_one()
    assert numbers["variance before any reward"] < 0 == numbers["α − 1 after one reward"]


def test_constants_that_grow():
    assert list(priors.constants_that_grow().values()) == [2.0, 20.0, 200.0]


def test_max_uncertainty_below_one():
    numbers = priors.max_uncertainty_below_one()
    assert numbers["C₁"] < numbers["E_max"] < 1 / 4
    gap = numbers["R_max² λ/V↑"] * numbers["C₁"] / (4 * numbers["E_max"])
    assert numbers["widest gap of the rewards"] == pytest.approx(gap, rel=1e-3)


BANDS = {
    "lowest": st.floats(0.01, 1),
    "ratio": st.floats(1, 10),
    "share": st.floats(0, 1),
    "max_uncertainty": st.floats(1, 10),
    "m": st.floats(1, 1e6),
    "n": st.floats(1, 1e4),
    "upsilon": st.floats(0.1, 1e3),
}


@given(**BANDS)
def test_no_max_uncertainty_is_too_small(lowest, ratio, share, max_uncertainty, m, n, upsilon):
    """The gap of the rewards after m visits and more, for any E between C₁/√n and C₂/√n; R_max = 1.

    E(1) is at most E_max, so C₁ is.
    """
    highest, n = lowest * ratio, m * n
    max_uncertainty *= lowest
    eta = max_uncertainty * upsilon / lowest**2 + np.sqrt(m) / lowest
    e = (lowest + share * (highest - lowest)) / np.sqrt(n)
    p_u = e / max_uncertainty
    gap = p_u + upsilon / n - p_u * eta * e
    assert gap <= lowest / (4 * max_uncertainty * np.sqrt(m)) + 1e-9 * p_u * (1 + eta * e)
    # What it costs: n P_U η E, in the units of β.
    cost = ratio**2 * upsilon + highest**2 * np.sqrt(m) / (lowest * max_uncertainty)
    assert n * p_u * eta * e <= cost * (1 + 1e-9)


def test_lower_bound_in_place_of_a_rate():
    numbers = priors.lower_bound_in_place_of_a_rate()
    gamma = [numbers[f"n² E_R, Normal-Gamma, n = {n}"] for n in (1000, 100_000)]
    normal = [numbers[f"n² E_R, Normal, n = {n}"] for n in (1000, 100_000)]
    assert gamma == pytest.approx([3.0, 3.0], rel=0.01)
    assert normal == pytest.approx([1e3, 1e5], rel=0.01)


def test_tied_row():
    numbers = priors.tied_row()
    small, large = numbers.values()
    assert small > 90 and large > 900


def test_rewards_of_outcomes():
    numbers = priors.rewards_of_outcomes()
    assert numbers["r_b, visits (10, 0)"] > numbers["r_b, visits (5, 5)"]
    assert numbers["n E_R, visits (5, 5)"] > 1.5 > 1 > numbers["n E_R, visits (10, 0)"]


@given(st.floats(0.01, 50.0), st.integers(0, 80), st.integers(0, 80))
def test_repaired_lemma_on_the_variance(alpha, ones, zeros):
    """In expectation it falls, and it stays below an envelope that falls with every observation."""
    before = beta_distribution(alpha + ones, alpha + zeros)
    success = beta_distribution(alpha + ones + 1, alpha + zeros).var()
    failure = beta_distribution(alpha + ones, alpha + zeros + 1).var()
    assert before.mean() * success + (1 - before.mean()) * failure < before.var()
    assert before.var() <= (1 + 1e-12) / (4 * (2 * alpha + ones + zeros + 1))


@given(st.floats(0.5, 50.0), st.integers(0, 60), st.integers(0, 60))
def test_from_one_half_on_the_first_observation_leaves_the_largest_uncertainty(alpha, ones, zeros):
    if ones + zeros:
        first = beta_distribution(alpha + 1, alpha).var()
        assert beta_distribution(alpha + ones, alpha + zeros).var() <= first * (1 + 1e-12)


def test_never_tighter():
    added = list(priors.never_tighter().values())
    assert 0 < added[0] < added[1] < added[2]


def test_rate_of_a_wide_band():
    least, low, largest, high, squared, printed, chosen = priors.rate_of_a_wide_band().values()
    assert low <= least * (1 + 1e-12) and largest <= high
    assert (largest / least) ** 2 == pytest.approx(squared, rel=1e-3)
    # By how much λ is larger than the paper's, and what is then left of luck and learning.
    larger = np.geomspace(1, 100, 10_001)
    parts = (14 * larger + 16 * (1 + 2 * squared) / 3 / larger) / 30
    assert parts[0] == pytest.approx(printed) and parts.min() == pytest.approx(chosen)
    assert printed < squared and chosen == pytest.approx(0.8 * squared**0.5, rel=0.03)


@given(st.floats(0, 1e3), st.floats(0.01, 1), st.floats(0, 0.99), st.integers(0, 10**9))
def test_what_a_normal_prior_makes_of_the_error_terms(strength, lambda_, discount, n):
    """N β without its part with S is at most (4 + 8(C₂/C₁)²) V↑ℓ₁/λ, by the η of a wide band.

    The uncertainty is that of a reward alone, N(0, 1/τ0) with τ = 1, n ≥ 1; R_max = δ = 1.
    """
    n = float(1 + n)
    problem = theory.Problem(3, 2, 1.0, 1.0, discount)
    settings, l1 = theory.schedule(problem, lambda_), np.log(24 * 6)
    low, high = 1 / np.sqrt(strength + 1), 1.0
    # Of all counts that can come after the first, n has the least uncertainty.
    max_uncertainty = 1 / np.sqrt(strength) if strength > 1e-6 else 1e3
    eta = max_uncertainty * settings.upsilon / low**2 + np.sqrt(settings.m) / low
    uncertainty = 1 / np.sqrt(strength + n)
    p_u = uncertainty / max_uncertainty
    beta = theory.error_terms(problem, n, p_u * eta * uncertainty, p_u, lambda_)
    without = theory.error_terms(problem, n, 0.0, p_u, lambda_)
    states = without - (4 - p_u) * problem.v_max * l1 / (lambda_ * n)
    unit = problem.v_max * l1 / lambda_
    assert n * (beta - states) <= (4 + 8 * (high / low) ** 2) * unit * (1 + 1e-9)


@given(st.floats(0.1, 1), st.floats(1, 10), st.floats(1, 1e6), st.floats(0.1, 1e3))
def test_the_eta_of_a_wide_band_covers_upsilon(low, ratio, n, upsilon):
    """P_U η E − P_U R_max ≥ Υ/n for n ≤ m with C₁/√n ≤ E ≤ C₂/√n, E_max = C₂, R_max = 1."""
    high, m = low * ratio, n * 2
    eta = high * upsilon / low**2 + m**0.5 / low
    for uncertainty in np.linspace(low, high, 5) / n**0.5:
        p_u = uncertainty / high
        assert p_u * (eta * uncertainty - 1) >= upsilon / n * (1 - 1e-9)
        assert p_u * eta * uncertainty <= eta * high / n * (1 + 1e-9)
