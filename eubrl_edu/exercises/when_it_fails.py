"""The checks of notebook 11_when_it_fails."""

import math
from math import floor
from typing import Any

import numpy as np
from scipy.special import lambertw

from eubrl_edu.exercises.feedback import (
    ANY,
    Feedback,
    asks_for_function,
    asks_for_number,
    asks_for_numbers,
    check_formula,
    check_number,
    check_numbers,
)
from eubrl_edu.theory.counterexample import check_quasi_optimism, failing_prior
from eubrl_edu.theory.misspecification import (
    guided_reward,
    max_uncertainty,
    omission_bound,
    required_prior,
)


@asks_for_numbers(2)
def check_first_failure(numbers: np.ndarray) -> Feedback:
    """Check what both arms are worth under Beta(12, 12), after the one pulled did not pay."""
    alpha, mean = 12, 12 / (12 + 13)
    untried, tried = max_uncertainty(alpha), float(guided_reward(alpha, 0, 1))
    return check_numbers(
        numbers,
        (
            [untried, tried],
            "Right: the arm that did not pay is worth nearly three times the other.",
        ),
        ([tried, untried], "The right numbers, but the arm never pulled comes first."),
        ([math.sqrt(untried), ANY], "That is the root. In this section E is the variance itself."),
        ([untried, round(tried, 3)], "Nearly. Give the second to four decimal places."),
        ([untried, mean], "The first is right. The second is r̂; now mix it with E by P_U."),
        ([untried, ANY], "The first is right. The second: r̂ and E of Beta(12, 13), then P_U."),
        otherwise="The arm never pulled is worth E_max, the variance of Beta(12, 12).",
        absolute=1e-4,
    )


_TRIALS = [(12.0, 0.8), (30.7, 0.6), (0.5, 0.9)]


@asks_for_function(*_TRIALS)
def check_omission_bound(numbers: np.ndarray) -> Feedback:
    """Check a function (alpha, worse_mean) that returns S1 + S2."""
    return check_formula(
        numbers,
        _TRIALS,
        lambda alpha, worse_mean: omission_bound(alpha, worse_mean).total,
        (
            lambda alpha, mean: _bound_with(alpha, alpha + 1, _rate(mean)),
            "Almost: it is ⌊α⌋, rounded down. Use math.floor.",
        ),
        (
            lambda alpha, mean: _bound_with(floor(alpha), floor(alpha), _rate(mean)),
            "Almost: in S2 the exponent has ⌊α⌋ + 1.",
        ),
        (
            lambda alpha, mean: _bound_with(floor(alpha), floor(alpha) + 1, 2 * (mean - 5 / 16)),
            "Almost: C is the square of μ₂ − 5/16.",
        ),
        (lambda *trial: omission_bound(*trial).early, "That is S1. S2 is missing."),
        (lambda *trial: omission_bound(*trial).late, "That is S2. S1 is missing."),
    )


def _bound_with(whole: float, exponent: float, rate: float) -> float:
    early = whole * math.exp(-9 / 32 * whole)
    return early + math.exp(-rate * exponent) / (1 - math.exp(-rate))


def _rate(worse_mean: float) -> float:
    return 2 * (worse_mean - 5 / 16) ** 2


@asks_for_number()
def check_required_alpha(number: float) -> Feedback:
    """Check the smallest whole α for μ2 = 0.8 with which S1 + S2 is surely at most 0.04."""
    confidence, worse_mean = 0.04, 0.8
    required = required_prior(confidence, worse_mean)
    if number == required.alpha:
        return Feedback(True, "Right: beyond a1 and a2, and the next whole number.")
    if math.isclose(number, math.ceil(required.late)):
        return Feedback(False, "That is enough for a1, so for S2. It must be beyond a2 as well.")
    if math.isclose(number, max(required.late, required.early), abs_tol=0.1):
        return Feedback(False, "That is the threshold. Which whole number comes next?")
    if number > required.alpha and number == int(number):
        return Feedback(False, "That is beyond both, but a smaller whole number is, too.")
    other_branch = -32 / 9 * lambertw(-9 / 64 * confidence, 0).real
    if math.isclose(number, max(1, math.ceil(other_branch))):
        return Feedback(False, "That is the other branch of W: S1 is small there, and then rises.")
    return Feedback(False, "Compute a1 and a2 with the formulas above; α must be beyond both.")


def check_fall_of_bonus(answer: Any) -> Feedback:
    """Check by what factor P_U η E falls from n to 10 n under the Normal-Gamma prior."""
    few, many = check_quasi_optimism(failing_prior(0.05), [1_000, 10_000]).bonus
    return check_number(
        answer,
        (
            few / many,
            f"Right: the package says {few / many:.3g}. "
            "What is needed falls only by a factor of 10.",
        ),
        (10, "That is how fast E falls. The bonus contains E twice: once in P_U."),
        (math.sqrt(10), "E would fall like that if the reward were random. Here it never varies."),
        (many / few, "The other way round: by what factor does it fall?"),
        otherwise="E goes like 1/n here, and P_U = E / E_max. What is their product?",
        tolerance=0.1,
    )
