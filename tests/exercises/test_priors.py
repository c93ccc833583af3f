"""The checks of notebook 10: the right answer by another way, and a hint for each usual mistake."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from eubrl_edu import exercises


def refused(feedback, hint):
    assert not feedback.passed
    assert hint in feedback.words


def largest_constant(prior_share, scale):
    """The smallest c with weight(n) ≤ c·scale/n for all n: the limit of n·weight/scale."""
    n = 1e9
    return n * prior_share(n) / scale


def test_constants():
    transitions = largest_constant(lambda n: 10 / (10 + n), scale=20)
    rewards = largest_constant(lambda n: 4 / (4 + 2 * n), scale=1)
    assert exercises.check_constants([round(transitions, 6), round(rewards, 6)]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([10, 2], "It has its S already"),
        ([0.5, 4], "divide by it"),
        ([0.5, 0.5], "other way round"),
        ([1, 1], "what is c?"),
        (0.5, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_constants(answer, hint):
    refused(exercises.check_constants(answer), hint)


def test_power():
    slope = stats.linregress(np.log([100, 900]), np.log([0.3, 0.1])).slope
    assert exercises.check_power(slope).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.5, "below 0"),
        (-2, "other way round"),
        (-1, "leave a ninth"),
        (-1 / 3, "Solve 9^p"),
        (math.inf, "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_powers(answer, hint):
    refused(exercises.check_power(answer), hint)


def test_outcome_uncertainty():
    shares = stats.dirichlet([5, 2, 1]).mean()
    assert exercises.check_outcome_uncertainty(shares @ [0.02, 0.1, 1.0]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.036, "frequencies"),
        (1.12 / 3, "equally likely"),
        (1.12, "the sum"),
        (0.5, "weighted mean"),
        ("a", "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_outcome_uncertainties(answer, hint):
    refused(exercises.check_outcome_uncertainty(answer), hint)


@pytest.mark.parametrize(
    "answer",
    [
        *({"A", "C"}, "ac", "A, C", ["C", "A"], ("A", "C"), "A and C", "AC", "A & C", "A/C"),
        *("{A, C}.", {"A": 1, "C": 2}.keys(), np.array(["A", "C"]), pd.Series(["A", "C"])),
    ],
)
def test_members(answer):
    assert exercises.check_members(answer).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ({"A"}, "more of them"),
        (set(), "more of them"),
        ({"A", "B", "C"}, "B is not in the class. Missing: rate"),
        ({"D"}, "D is not in the class. Missing: decomposable or weakly informative"),
        ({"A", "E"}, "not E."),
        ("A and E", "D, not E."),
        ("A-C", "not -."),  # which could mean B, too
        (3, "a set of letters"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_members(answer, hint):
    refused(exercises.check_members(answer), hint)
