"""Every erratum on misspecification: its numbers show what it says, and what survives does."""

import numpy as np

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.errata import misspecification


def test_variance_that_rises_but_not_in_expectation():
    numbers = misspecification.variance_that_rises()
    assert numbers["after a failure more"] > numbers["after five successes"]
    assert numbers["mean over what comes next"] < numbers["after five successes"]


def test_probability_of_uncertainty_that_rises():
    numbers = misspecification.probability_of_uncertainty_that_rises()
    assert numbers["P_U after two"] > 2 * numbers["P_U after one"]


def test_more_than_half():
    numbers = misspecification.more_than_half()
    assert numbers["δ0"] < numbers["exact"] <= 0.5 < numbers["1 − δ0"]


def test_under_unequal_priors_nearly_all_stay_on_the_worse_arm():
    """Beta(1, 999) on the better arm, 0.6; Beta(5, 5) on the worse, 0.5, which is never left."""
    rng, highest = np.random.default_rng(0), beta_variance(5.0, 5.0)

    def guided(ones, zeros):
        p_u = beta_variance(ones, zeros) / highest
        return (1 - p_u) * beta_mean(ones, zeros) + p_u * p_u * highest

    paid = np.cumsum(rng.random((2000, 300)) < 0.5, axis=1)
    failed = np.arange(1, 301) - paid
    assert guided(5.0, 5.0) > guided(1.0, 999.0)
    assert (guided(5.0 + paid, 5.0 + failed) > guided(1.0, 999.0)).all()


def test_without_the_root():
    numbers = misspecification.without_the_root()
    assert numbers["α = 1, root"] < numbers["α = 1, variance"] / 10
    assert numbers["α = 22, root"] > 0.499
