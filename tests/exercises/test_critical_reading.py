"""The checks of notebook 12: right answers from elsewhere pass, wrong ones get their hint."""

import numpy as np
import pytest
from scipy import stats

from eubrl_edu import exercises


def refused(feedback, hint):
    assert not feedback.passed
    assert hint in feedback.words


def fewest_successes():
    k = 1
    while stats.beta(1 + k, 2).var() <= stats.beta(1 + k, 1).var():
        k += 1
    return k


def test_first_surprise():
    assert exercises.check_first_surprise(fewest_successes()).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (5, "a smaller one"),
        (1, "Beta(1 + k, 2)"),
        (2.5, "Beta(1 + k, 2)"),
        ("two", "one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_first_surprises(answer, hint):
    refused(exercises.check_first_surprise(answer), hint)


def by_enumeration(a, b):
    prior = stats.beta(a, b)
    outcomes = {1: stats.beta(a + 1, b), 0: stats.beta(a, b + 1)}
    return sum(stats.bernoulli(prior.mean()).pmf(x) * after.var() for x, after in outcomes.items())


def test_expected_variance():
    assert exercises.check_expected_variance(by_enumeration).passed


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda a, b: (stats.beta(a + 1, b).var() + stats.beta(a, b + 1).var()) / 2, "a/(a + b)."),
        (lambda a, b: stats.beta(a, b).var(), "the present variance"),
        (lambda a, b: stats.beta(a + 1, b).var(), "Where does tails lead"),
        (lambda a, b: "b", "one number"),
        (lambda a, b: ..., "Nothing to check yet"),
        (lambda a: 0, "Calling your function failed"),
    ],
)
def test_wrong_expected_variances(function, hint):
    refused(exercises.check_expected_variance(function), hint)


def test_open_step():
    j = 0.0
    for _ in range(100):
        j = 0.8 + 0.5 * j
    assert exercises.check_open_step(j - (0.2 + 0.5 * j)).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (1.6, "That is J"),
        (1.0, "the right-hand side"),
        (1.2, "only β changes"),
        (0.3, "J = 1.6"),
        ("much", "one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_open_steps(answer, hint):
    refused(exercises.check_open_step(answer), hint)


def test_guaranteed_share():
    assert exercises.check_guaranteed_share(0.5 * 0.9).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.55, "Which share stays"),
        (0.9, "How many take it first"),
        (0.1, "comes first in half"),
        ([], "one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_guaranteed_shares(answer, hint):
    refused(exercises.check_guaranteed_share(answer), hint)


def test_jensen_gap():
    exact = np.log(0.5 + 0.5 * np.exp(4)) - 2
    assert exercises.check_jensen_gap(exact).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (np.log(0.5 + 0.5 * np.exp(4)), "the left-hand side"),
        (2, "the right-hand side"),
        (2 - np.log(0.5 + 0.5 * np.exp(4)), "The other way round"),
        (0, "on the left"),
        ({}, "one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_jensen_gaps(answer, hint):
    refused(exercises.check_jensen_gap(answer), hint)
