"""The checks of notebook 11: the right answer by another way, and a hint for each usual mistake."""

import math

import pytest
from scipy import stats
from scipy.optimize import brentq

from eubrl_edu import exercises


def refused(feedback, hint):
    assert not feedback.passed
    assert hint in feedback.words


def worth_of_both_arms():
    untried, tried = stats.beta(12, 12), stats.beta(12, 13)
    unsure = tried.var() / untried.var()
    return untried.var(), (1 - unsure) * tried.mean() + unsure * tried.var()


def test_first_failure():
    assert exercises.check_first_failure(worth_of_both_arms()).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (worth_of_both_arms()[::-1], "comes first"),
        ([0.1, 0.0284], "the root"),
        ([0.01, 0.48], "The second is r̂"),
        ([0.01, 0.1], "Beta(12, 13)"),
        ([0.5, 0.5], "Beta(12, 12)"),
        (0.01, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_first_failures(answer, hint):
    refused(exercises.check_first_failure(answer), hint)


def by_adding_up(alpha, worse_mean):
    """S1 + S2 with the geometric series written out."""
    k, rate = int(alpha), 2 * (worse_mean - 0.3125) ** 2
    late = sum(math.exp(-rate * n) for n in range(k + 1, k + 20_000))
    return k * math.exp(-0.28125 * k) + late


def test_omission_bound():
    assert exercises.check_omission_bound(by_adding_up).passed


def bound(whole, exponent, rate):
    late = math.exp(-rate * exponent) / (1 - math.exp(-rate))
    return whole * math.exp(-9 / 32 * whole) + late


def rate(mean):
    return 2 * (mean - 5 / 16) ** 2


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda a, m: bound(a, a + 1, rate(m)), "math.floor"),
        (lambda a, m: bound(int(a), int(a), rate(m)), "⌊α⌋ + 1"),
        (lambda a, m: bound(int(a), int(a) + 1, 2 * (m - 5 / 16)), "the square"),
        (lambda a, m: int(a) * math.exp(-9 / 32 * int(a)), "S2 is missing"),
        (lambda a, m: by_adding_up(a, m) - int(a) * math.exp(-9 / 32 * int(a)), "S1 is missing"),
        (lambda a, m: 7.0, "your function returns 7"),
        (lambda a, m: "b", "should return one number"),
        (lambda a, m: ..., "Nothing to check yet"),
        (lambda: 0, "Calling your function failed"),
    ],
)
def test_wrong_omission_bounds(function, hint):
    refused(exercises.check_omission_bound(function), hint)


def thresholds():
    """Where S1 falls to 0.02 for good, and where S2 does, by root finding."""
    early = brentq(lambda k: k * math.exp(-9 / 32 * k) - 0.02, 32 / 9, 1000)
    late = brentq(lambda k: bound(0, k + 1, rate(0.8)) - 0.02, 0, 1000)
    return late, early


def test_required_alpha():
    assert exercises.check_required_alpha(math.floor(max(thresholds())) + 1).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (math.ceil(thresholds()[0]), "beyond a2 as well"),
        (thresholds()[1], "Which whole number"),
        (1, "other branch of W"),
        (30, "a smaller whole number is"),
        (None, "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_required_alphas(answer, hint):
    refused(exercises.check_required_alpha(answer), hint)


def bonus_after(n, strength=0.05):
    """P_U η E up to a constant: E_R of NG(0, strength, 2, strength) after n rewards of 1."""
    rate = strength + strength * n / (strength + n) / 2
    return rate / ((strength + n) * (2 + n / 2 - 1))


def test_fall_of_bonus():
    assert exercises.check_fall_of_bonus(bonus_after(1000) / bonus_after(10_000)).passed
    assert exercises.check_fall_of_bonus(100).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (10, "E twice"),
        (math.sqrt(10), "random"),
        (0.01, "other way round"),
        (1000, "What is their product"),
        ([], "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_falls_of_bonus(answer, hint):
    refused(exercises.check_fall_of_bonus(answer), hint)
