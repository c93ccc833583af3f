"""The checks of notebook 12_reading_the_paper_critically."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback, nothing_yet, number_in
from eubrl_edu.theory.inference import jensen_gap, log_optimality
from eubrl_edu.theory.misspecification import guaranteed_sticking


def check_first_surprise(answer: Any) -> Feedback:
    """Check the fewest successes after which a failure raises the variance of Beta(1, 1)."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    successes = np.arange(1, 20)
    rises = beta_variance(1.0 + successes, 2.0) > beta_variance(1.0 + successes, 1.0)
    fewest = int(successes[rises][0])
    if number == fewest:
        return Feedback(True, f"Right: {fewest} successes and a failure, and the lemma is refuted.")
    if number > fewest and number == round(number):
        return Feedback(False, "That is a counterexample. But a smaller one will do: look for it.")
    return Feedback(False, "Compare the variance of Beta(1 + k, 2) with that of Beta(1 + k, 1).")


def check_expected_variance(function: Callable[[float, float], Any]) -> Feedback:
    """Check a function (a, b) that returns the mean variance of Beta(a, b) after one more draw."""
    trials = [(1.0, 1.0), (6.0, 1.0), (0.5, 3.0)]
    try:
        answers = [function(*trial) for trial in trials]
    except Exception as error:
        return Feedback(False, f"Calling your function failed: {type(error).__name__}: {error}.")
    if answers[0] is ... or answers[0] is None:
        return nothing_yet("your function does not return a number.")
    numbers = [number_in(answer) for answer in answers]
    if None in numbers:
        return Feedback(False, f"Your function should return one number, not {answers[0]!r}.")
    right, even, swapped = [], [], []
    for a, b in trials:
        outcomes = beta_variance(a + 1, b), beta_variance(a, b + 1)
        chance = beta_mean(a, b)
        right.append(chance * outcomes[0] + (1 - chance) * outcomes[1])
        even.append((outcomes[0] + outcomes[1]) / 2)
        swapped.append((1 - chance) * outcomes[0] + chance * outcomes[1])
    if np.allclose(numbers, right):
        return Feedback(True, "Right: and each time it is below the present variance.")
    if np.allclose(numbers, even):
        return Feedback(False, "A success is not as likely as a failure: its chance is a/(a + b).")
    if np.allclose(numbers, swapped):
        return Feedback(
            False, "The chances are swapped: heads, a/(a + b), leads to Beta(a + 1, b)."
        )
    if np.allclose(numbers, [beta_variance(*trial) for trial in trials]):
        return Feedback(False, "That is the present variance. What will it be after one more toss?")
    return Feedback(
        False, "Heads has the chance a/(a + b) and leads to Beta(a + 1, b). Where does tails lead?"
    )


def check_open_step(answer: Any) -> Feedback:
    """Check by how much the proof's step fails for β = 0.8 and 0.2, γ = 1/2, in one state."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    j = 0.8 / (1 - 0.5)
    short = j - (0.2 + 0.5 * j)
    if math.isclose(number, short, abs_tol=1e-6):
        return Feedback(True, "Right: 1.6 is claimed to be at most 1. It is 0.8 − 0.2 too much.")
    if math.isclose(number, j, abs_tol=1e-6):
        return Feedback(False, "That is J. How far is it above β of the other action, plus γJ?")
    if math.isclose(number, 0.2 + 0.5 * j, abs_tol=1e-6):
        return Feedback(False, "That is the right side. By how much is J above it?")
    if math.isclose(number, j - 0.2 / (1 - 0.5), abs_tol=1e-6):
        return Feedback(False, "J stays that of the old plan on both sides: only β changes.")
    return Feedback(False, "J = 0.8 + J/2, so J = 1.6. Put it into both sides.")


def check_guaranteed_share(answer: Any) -> Feedback:
    """Check what the misspecification proof guarantees for η = 0.1, as a share of all agents."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    share = guaranteed_sticking(0.1)
    if math.isclose(number, share, abs_tol=5e-4):
        return Feedback(True, "Right: not quite one half, and no proof could give more.")
    if math.isclose(number, 1 - share, abs_tol=5e-4):
        return Feedback(
            False, "That share takes the better arm first, or leaves. Which share stays?"
        )
    if math.isclose(number, 0.9, abs_tol=5e-4):
        return Feedback(False, "That is once the worse arm was taken first. How often is it?")
    return Feedback(False, "The worse arm comes first in half of all cases; then 1 − η stay.")


def check_jensen_gap(answer: Any) -> Feedback:
    """Check the Jensen gap for r_b = 0, E_b = 4 and P_U = 1/2."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    if math.isclose(number, jensen_gap(0.0, 4.0, 0.5), abs_tol=5e-3):
        return Feedback(True, "Right: the guided reward is 2, and the logarithm is 3.33.")
    if math.isclose(number, log_optimality(0.0, 4.0, 0.5), abs_tol=5e-3):
        return Feedback(False, "That is the left side. The gap is what it exceeds the right by.")
    if math.isclose(number, 2.0, abs_tol=5e-3):
        return Feedback(
            False, "That is the largest it could be, (E_b − r_b)²/8; or the right side."
        )
    if math.isclose(number, -jensen_gap(0.0, 4.0, 0.5), abs_tol=5e-3):
        return Feedback(False, "The other way round: the logarithm of the mean is the larger.")
    return Feedback(False, "log(½e⁰ + ½e⁴) on the left, ½ · 0 + ½ · 4 on the right.")
