"""The formulas of "Prior Misspecification", against definitions, brute force and mpmath."""

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from eubrl_edu.theory.misspecification import (
    OmissionBound,
    guaranteed_sticking,
    guided_reward,
    max_uncertainty,
    omission_bound,
    required_prior,
    sharper_sufficient_estimate,
    sticking_bound,
    sufficient_average,
    sufficient_estimate,
    union_bound,
)

alphas = st.floats(0.01, 200.0)
worse_means = st.floats(0.33, 0.99)
counts = st.integers(0, 60)


def variance(alpha, ones, zeros):
    return beta_distribution(alpha + ones, alpha + zeros).var()


@given(alphas)
def test_max_uncertainty_is_the_variance_of_the_prior(alpha):
    assert max_uncertainty(alpha) == pytest.approx(variance(alpha, 0, 0), rel=1e-12)


@given(alphas, counts, counts)
def test_no_posterior_of_a_symmetric_prior_is_more_uncertain_than_the_prior(alpha, ones, zeros):
    assert variance(alpha, ones, zeros) <= max_uncertainty(alpha) * (1 + 1e-12)


@given(alphas, counts, counts)
def test_guided_reward_is_the_papers_equation(alpha, ones, zeros):
    posterior = beta_distribution(alpha + ones, alpha + zeros)
    probability = posterior.var() / variance(alpha, 0, 0)
    expected = (1 - probability) * posterior.mean() + probability * posterior.var()
    assert guided_reward(alpha, ones, zeros) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(alphas)
def test_sufficient_estimate_follows_its_definition(alpha):
    highest = variance(alpha, 0, 0)
    after_one = variance(alpha, 1, 0) / highest
    expected = highest / (4 * (1 - after_one)) + highest
    assert sufficient_estimate(alpha) == pytest.approx(expected, rel=1e-12)
    assert 1 / 16 < sufficient_estimate(alpha) < 5 / 16


@given(alphas, counts, counts)
def test_a_sufficient_estimate_keeps_the_agent(alpha, ones, zeros):
    if ones + zeros and (alpha + ones) / (2 * alpha + ones + zeros) >= sufficient_estimate(alpha):
        assert guided_reward(alpha, ones, zeros) >= max_uncertainty(alpha) * (1 - 1e-12)


@given(alphas, counts, counts, st.booleans())
def test_twice_the_max_uncertainty_keeps_the_agent(alpha, ones, zeros, rooted):
    estimate = (alpha + ones) / (2 * alpha + ones + zeros)
    highest = max_uncertainty(alpha, rooted)
    if ones + zeros and estimate >= sharper_sufficient_estimate(alpha, rooted):
        assert guided_reward(alpha, ones, zeros, rooted) >= highest * (1 - 1e-12)


@pytest.mark.parametrize(("alpha", "worse_mean", "estimate"), [(200, 0.8, 0.7), (50, 0.9, 0.6)])
def test_union_bound_where_the_terms_rise_at_first(alpha, worse_mean, estimate):
    n = np.arange(1, 60_000)
    average = sufficient_average(alpha, n, estimate)
    expected = np.exp(-2 * n * (worse_mean - average) ** 2).sum()
    found = union_bound(alpha, worse_mean, estimate)
    assert found == pytest.approx(expected, rel=1e-12, abs=0)


def test_the_remainder_of_a_slow_sum_is_bounded_tightly():
    alpha, estimate, margin = 30.0, 0.3, 0.005
    n = np.arange(1, 1_000_000)
    average = sufficient_average(alpha, n, estimate)
    expected = np.exp(-2 * n * (estimate + margin - average) ** 2).sum()
    assert expected <= union_bound(alpha, estimate + margin, estimate) <= expected * 1.0003


@given(alphas)
def test_the_sharper_estimate_is_twice_the_max_uncertainty(alpha):
    assert sharper_sufficient_estimate(alpha) == pytest.approx(1 / (2 * (2 * alpha + 1)), rel=1e-12)
    rooted = sharper_sufficient_estimate(alpha, rooted=True)
    assert rooted == pytest.approx(1 / np.sqrt(2 * alpha + 1), rel=1e-12)


def test_the_root_is_of_the_variance():
    assert max_uncertainty(3.0, rooted=True) == pytest.approx(np.sqrt(max_uncertainty(3.0)))
    posterior = beta_distribution(5.0, 4.0)
    probability = posterior.std() / beta_distribution(3.0, 3.0).std()
    expected = (1 - probability) * posterior.mean() + probability * posterior.std()
    assert guided_reward(3.0, 2, 1, rooted=True) == pytest.approx(expected)


@given(alphas, counts, counts)
def test_the_advantage_factorizes(alpha, ones, zeros):
    highest = max_uncertainty(alpha)
    probability = variance(alpha, ones, zeros) / highest
    estimate = (alpha + ones) / (2 * alpha + ones + zeros)
    factorized = (1 - probability) * (estimate - (1 + probability) * highest)
    advantage = guided_reward(alpha, ones, zeros) - highest
    assert advantage == pytest.approx(factorized, abs=1e-12)


@given(alphas, st.integers(1, 500), st.floats(0.05, 0.5))
def test_sufficient_average_gives_exactly_the_estimate(alpha, n, estimate):
    average = sufficient_average(alpha, n, estimate)
    assert (alpha + n * average) / (2 * alpha + n) == pytest.approx(estimate, abs=1e-9)


@given(st.floats(0.01, 60.0), worse_means)
def test_omission_bound_at_mpmath_precision(alpha, worse_mean):
    with mpmath.workdps(40):
        whole = mpmath.floor(alpha)
        margin = (mpmath.mpf(worse_mean) - mpmath.mpf(5) / 16) ** 2
        early = whole * mpmath.exp(-mpmath.mpf(9) / 32 * whole)
        late = mpmath.exp(-2 * margin * (whole + 1)) / (1 - mpmath.exp(-2 * margin))
        bound = omission_bound(alpha, worse_mean)
        assert bound.early == pytest.approx(float(early), rel=1e-12)
        assert bound.late == pytest.approx(float(late), rel=1e-12)
    assert bound.total == bound.early + bound.late


@given(st.floats(0.5, 60.0), worse_means)
def test_the_closed_form_is_above_the_sum_it_simplifies(alpha, worse_mean):
    n = np.arange(1, 20_000)
    average = sufficient_average(alpha, n, sufficient_estimate(alpha))
    terms = np.exp(-2 * n * (worse_mean - average) ** 2)
    whole = int(alpha)
    bound = omission_bound(alpha, worse_mean)
    assert terms[:whole].sum() <= bound.early + 1e-12
    assert terms[whole:].sum() <= bound.late + 1e-12


@given(st.floats(0.2, 120.0), st.floats(0.45, 0.99), st.integers(1, 40))
@example(30.0, 0.7, 1)
def test_union_bound_is_the_sum(alpha, worse_mean, first):
    for estimate in (sufficient_estimate(alpha), sharper_sufficient_estimate(alpha)):
        if worse_mean <= estimate + 0.03:
            continue
        n = np.arange(first, 60_000)
        average = sufficient_average(alpha, n, estimate)
        expected = np.exp(-2 * n * (worse_mean - average) ** 2).sum()
        found = union_bound(alpha, worse_mean, estimate, first)
        assert found == pytest.approx(expected, rel=1e-12, abs=0)


@given(st.floats(1e-6, 0.999), worse_means)
def test_thresholds_at_mpmath_precision(confidence, worse_mean):
    with mpmath.workdps(40):
        margin = (mpmath.mpf(worse_mean) - mpmath.mpf(5) / 16) ** 2
        exact = mpmath.mpf(confidence)
        late = mpmath.log(2 / (exact * (1 - mpmath.exp(-2 * margin)))) / (2 * margin) - 1
        early = -mpmath.mpf(32) / 9 * mpmath.lambertw(-mpmath.mpf(9) / 64 * exact, -1).real
        prior = required_prior(confidence, worse_mean)
        assert prior.late == pytest.approx(float(late), rel=1e-12, abs=1e-12)
        assert prior.early == pytest.approx(float(early), rel=1e-12)


@given(st.floats(1e-4, 0.999), worse_means)
def test_the_required_prior_meets_the_confidence(confidence, worse_mean):
    prior = required_prior(confidence, worse_mean)
    assert omission_bound(prior.alpha, worse_mean).total <= confidence
    assert sticking_bound(prior.alpha, worse_mean) >= guaranteed_sticking(confidence)
    assert prior.alpha > max(prior.late, prior.early) >= prior.alpha - 1


def test_the_thresholds_are_where_each_half_is_met():
    confidence, worse_mean = 0.1, 0.6
    prior = required_prior(confidence, worse_mean)
    rate = 2 * (worse_mean - 5 / 16) ** 2
    late = np.exp(-rate * (prior.late + 1)) / (1 - np.exp(-rate))
    early = prior.early * np.exp(-9 / 32 * prior.early)
    assert late == pytest.approx(confidence / 2, rel=1e-12)
    assert early == pytest.approx(confidence / 2, rel=1e-12)


def test_a_bound_above_one_says_nothing():
    assert omission_bound(3.0, 0.4).total > 1
    assert sticking_bound(3.0, 0.4) == 0.0
    assert OmissionBound(0.25, 0.5).total == 0.75


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: max_uncertainty(0.0), "alpha"),
        (lambda: omission_bound(-1.0, 0.5), "alpha"),
        (lambda: omission_bound(1.0, 0.3), "worse_mean"),
        (lambda: omission_bound(1.0, 1.0), "worse_mean"),
        (lambda: omission_bound(1.0, float("nan")), "worse_mean"),
        (lambda: union_bound(1.0, 0.1, 0.2), "worse_mean"),
        (lambda: required_prior(0.0, 0.5), "confidence"),
        (lambda: required_prior(1.0, 0.5), "confidence"),
        (lambda: guaranteed_sticking(2.0), "confidence"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
