"""The checks of notebook 07_deep_exploration."""

import math
from typing import Any

import numpy as np

from eubrl_edu.exercises.feedback import Feedback, asks_for_numbers, check_number, check_numbers


def check_years_of_dithering(answer: Any) -> Feedback:
    """Check how many years a random walker needs in the DeepSea of 40 rows, at 1 ms an episode."""
    seconds = 2.0**40 / 1000
    year = 365.25 * 24 * 3600
    return check_number(
        answer,
        (seconds / year, "Right: a working life, for one treasure. And with ten more rows?"),
        (seconds, "That is in seconds. How many seconds are there in a year?"),
        (1000 * seconds / year, "That would be at one episode a second. Here it is a thousand."),
        otherwise="One episode in 2^40 succeeds, and a thousand episodes take a second.",
        tolerance=0.02,
    )


@asks_for_numbers(2)
def check_far_unknown(numbers: np.ndarray) -> Feedback:
    """Check what an unknown pair 19 steps ahead is worth now, for γ = 0.99 and for γ = 0.5."""
    steps, discounts = 19, np.array([0.99, 0.5])
    right = discounts**steps
    # A step more or less changes the first by a hundredth.
    if (np.abs(numbers / right - 1) < [0.005, 0.02]).all():
        return Feedback(
            True, "Right: with γ = 0.99 it still counts at the start; with 0.5, hardly at all."
        )
    if np.allclose(numbers, discounts ** (steps + 1), rtol=0.02, atol=0):
        return Feedback(False, "Almost: one step too many. Each of the 19 steps multiplies by γ.")
    if np.allclose(numbers, discounts ** (steps - 1), rtol=0.005, atol=0):
        return Feedback(False, "Almost: one step too few. Each of the 19 steps multiplies by γ.")
    if np.allclose(numbers, discounts * steps, rtol=0.02, atol=0):
        return Feedback(False, "Each step multiplies by γ once more: it is a power.")
    if math.isclose(numbers[0], right[0], rel_tol=0.005):
        if math.isclose(numbers[1], right[1], rel_tol=0.1) or numbers[1] == 0:
            return Feedback(False, "The first is right. 0.5 to the same power needs more digits.")
        return Feedback(False, "The first is right. The second is 0.5 to the same power, 19.")
    return Feedback(False, "Each step between now and then multiplies by γ. There are 19.")


@asks_for_numbers(2)
def check_means_with_failures(numbers: np.ndarray) -> Feedback:
    """Check the mean episodes of two agents when runs without success count as their limit."""
    fast = np.mean([60.0] * 17 + [500.0] * 3)
    sure = 110.0
    return check_numbers(
        numbers,
        (
            [fast, sure],
            "Right: the slower one is ahead, and the other's true mean is above 126, as three of "
            "its runs were cut short.",
        ),
        ([60, sure], "That forgets the failures. Each of them took 500 episodes."),
        ([0.85 * 60, sure], "The three failures took no time in your mean. They took 500 each."),
        ([280, sure], "Seventeen runs took 60 and only three took 500: count every run."),
        otherwise="Add the episodes of all 20 runs, then divide by 20; for each agent.",
        absolute=0.5,
    )
