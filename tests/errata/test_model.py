"""Every erratum on model: its numbers show what it says, and what survives does."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from eubrl_edu.errata import model


def test_undiscounted_objective_prefers_another_policy():
    numbers = model.undiscounted_objective()
    assert numbers["discounted, at once"] > numbers["discounted, for ever"]
    at_once, for_ever = (
        numbers[f"sum of log-probabilities, {policy}"] for policy in ("at once", "for ever")
    )
    assert at_once < for_ever


def test_unnormalised_probability():
    numbers = model.unnormalised_probability()
    assert numbers["exp(r)"] > 1
    assert numbers["shift by one for each"] != numbers["shift by one normaliser for both"]


def test_two_meanings_of_reward_uncertainty():
    numbers = model.two_meanings_of_reward_uncertainty()
    exact = 100 * beta_distribution(1, 1).var()
    assert numbers["variance, rewards known and shares unknown"] == pytest.approx(exact, rel=0.01)
    half = numbers["variance, rewards unknown and shares known"]
    assert half == pytest.approx(0.5, rel=0.02)
    assert half < numbers["aggregate, rewards unknown and shares known"] == 1.0


def test_uncertainty_above_the_priors():
    lopsided, after, milder, after_milder = model.uncertainty_above_the_priors().values()
    assert after > lopsided and after_milder < milder


@given(st.floats(0.01, 50), st.floats(0.01, 50))
def test_a_failure_raises_the_variance_of_a_lopsided_prior_only(ones, zeros):
    n = ones + zeros
    margin = n**2 - zeros * (3 * n + 2)
    assume(abs(margin) > 1e-6 * n**2)
    before, after = (beta_distribution(ones, b).var() for b in (zeros, zeros + 1))
    assert (after > before) == (margin > 0)


def test_clipped_visited_row():
    numbers = model.clipped_visited_row()
    assert numbers["posterior"] > 0.99 and numbers["clipped"] < 0.3
