"""Every erratum on model: its numbers show what it says, and what survives does."""

import pytest
from scipy.stats import beta as beta_distribution

from eubrl_edu.errata import model


def test_undiscounted_objective_prefers_another_policy():
    numbers = model.undiscounted_objective()
    assert numbers["discounted, at once"] > numbers["discounted, for ever"]
    at_once, for_ever = (
        numbers[f"sum of log-probabilities, {policy}"] for policy in ("at once", "for ever")
    )
    assert at_once < for_ever


def test_unnormalized_probability():
    numbers = model.unnormalized_probability()
    assert numbers["exp(r)"] > 1
    assert numbers["shift by one for each"] != numbers["shift by one normalizer for both"]


def test_two_meanings_of_reward_uncertainty():
    numbers = model.two_meanings_of_reward_uncertainty()
    exact = 100 * beta_distribution(1, 1).var()
    assert numbers["variance, rewards known and shares unknown"] == pytest.approx(exact, rel=0.01)
    half = numbers["variance, rewards unknown and shares known"]
    assert half == pytest.approx(0.5, rel=0.02)
    assert half < numbers["aggregate, rewards unknown and shares known"] == 1.0


def test_uncertainty_above_the_priors():
    numbers = model.uncertainty_above_the_priors()
    assert numbers["after one failure"] > 8 * numbers["prior"]


def test_clipped_visited_row():
    numbers = model.clipped_visited_row()
    assert numbers["posterior"] > 0.99 and numbers["clipped"] < 0.3
