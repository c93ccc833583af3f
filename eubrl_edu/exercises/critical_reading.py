"""The checks of notebook 12_reading_the_paper_critically."""

from typing import Any

import numpy as np

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.exercises.feedback import (
    Feedback,
    asks_for_function,
    asks_for_number,
    check_number,
    check_numbers,
)
from eubrl_edu.theory.inference import jensen_gap, log_optimality
from eubrl_edu.theory.misspecification import guaranteed_sticking


@asks_for_number()
def check_first_surprise(number: float) -> Feedback:
    """Check the fewest successes after which a failure raises the variance of Beta(1, 1)."""
    successes = np.arange(1, 20)
    rises = beta_variance(1.0 + successes, 2.0) > beta_variance(1.0 + successes, 1.0)
    fewest = int(successes[rises][0])
    if number == fewest:
        return Feedback(True, f"Right: {fewest} successes and a failure, and the lemma is refuted.")
    if number > fewest and number == round(number):
        return Feedback(False, "That is a counterexample. But a smaller one will do: look for it.")
    return Feedback(False, "Compare the variance of Beta(1 + k, 2) with that of Beta(1 + k, 1).")


_TRIALS = [(1.0, 1.0), (6.0, 1.0), (0.5, 3.0)]


@asks_for_function(*_TRIALS)
def check_expected_variance(numbers: np.ndarray) -> Feedback:
    """Check a function (a, b) that returns the mean variance of Beta(a, b) after one more draw."""
    a, b = np.transpose(_TRIALS)
    heads, tails, present = beta_variance(a + 1, b), beta_variance(a, b + 1), beta_variance(a, b)
    chance = beta_mean(a, b)
    right, even = chance * heads + (1 - chance) * tails, (heads + tails) / 2
    swapped = (1 - chance) * heads + chance * tails
    return check_numbers(
        numbers,
        (right, "Right: and each time it is below the present variance."),
        (even, "Heads and tails need not be equally likely: heads has the chance a/(a + b)."),
        (swapped, "The chances are swapped: heads, a/(a + b), leads to Beta(a + 1, b)."),
        (present, "That is the present variance. What will it be after one more toss?"),
        otherwise="Heads has the chance a/(a + b) and leads to Beta(a + 1, b). "
        "Where does tails lead?",
    )


def check_open_step(answer: Any) -> Feedback:
    """Check by how much the proof's step fails for β = 0.8 and 0.2, γ = 1/2, in one state."""
    j = 0.8 / (1 - 0.5)
    short = j - (0.2 + 0.5 * j)
    return check_number(
        answer,
        (short, "Right: 1.6 is claimed to be at most 1. It is 0.8 − 0.2 too much."),
        (j, "That is J. How far is it above β of the other action, plus γJ?"),
        (0.2 + 0.5 * j, "That is the right-hand side. By how much is J above it?"),
        (j - 0.2 / (1 - 0.5), "J belongs to the old plan on both sides: only β changes."),
        otherwise="J = 0.8 + J/2, so J = 1.6. Put it into both sides.",
        tolerance=0,
        absolute=1e-6,
    )


def check_guaranteed_share(answer: Any) -> Feedback:
    """Check what the misspecification proof guarantees for η = 0.1, as a share of all agents."""
    share = guaranteed_sticking(0.1)
    return check_number(
        answer,
        (share, "Right: 0.45. The smaller η is, the closer the proof comes to one half."),
        (1 - share, "That share takes the better arm first, or leaves. Which share stays?"),
        (0.9, "Of those that take the worse arm first, 90% stay. How many take it first?"),
        otherwise="The worse arm comes first in half of all cases; then 1 − η stay.",
        tolerance=0,
        absolute=5e-4,
    )


def check_jensen_gap(answer: Any) -> Feedback:
    """Check the Jensen gap for r_b = 0, E_b = 4 and P_U = 1/2."""
    gap, left = jensen_gap(0.0, 4.0, 0.5), log_optimality(0.0, 4.0, 0.5)
    return check_number(
        answer,
        (gap, "Right: the guided reward is 2, and the logarithm is 3.33."),
        (left, "That is the left-hand side. How far is it above the right-hand side?"),
        (2.0, "That is the right-hand side (or (E_b − r_b)²/8, the most the gap can be)."),
        (-gap, "The other way round: the logarithm of the mean is the larger."),
        otherwise="log(½e⁰ + ½e⁴) on the left, ½ · 0 + ½ · 4 on the right.",
        tolerance=0,
        absolute=5e-3,
    )
