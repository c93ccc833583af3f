"""Every erratum on misspecification: its numbers show what it says, and what survives does."""

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


def test_without_the_root():
    numbers = misspecification.without_the_root()
    assert numbers["α = 1, root"] < numbers["α = 1, variance"] / 10
    assert numbers["α = 22, root"] > 0.499
