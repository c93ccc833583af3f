"""The checks of notebook 09_regret_and_bounds."""

import math
from typing import Any

import numpy as np

from eubrl_edu.exercises.feedback import (
    ANY,
    Feedback,
    asks_for_number,
    asks_for_numbers,
    check_number,
    check_numbers,
)
from eubrl_edu.theory import (
    Problem,
    epistemic_resistance,
    first_informative_step,
    regret_bound,
    regret_threshold,
)
from eubrl_edu.theory.bounds_sample_complexity import around_the_end

CHAIN = {"n_states": 5, "n_actions": 2, "discount": 0.95, "delta": 0.1}


@asks_for_numbers(2)
def check_regret_and_bad_steps(numbers: np.ndarray) -> Feedback:
    """Check regret and bad steps for V* = 3, 3, 5, 5, V^π = 1, 2.5, 5, 4.9 and ε = 0.5."""
    per_step = np.array([3, 3, 5, 5]) - np.array([1, 2.5, 5, 4.9])
    total, bad = per_step.sum(), (per_step > 0.5).sum()
    return check_numbers(
        numbers,
        ([total, bad], "Right: three steps cost something, one of them more than ε."),
        ([total, 2], "Almost: the second step loses ε exactly, and bad ones lose more."),
        ([total, 3], "A loss of up to ε is forgiven. How many steps lose more?"),
        ([bad, total], "The right numbers in the wrong order: the regret comes first."),
        ([total, ANY], "The regret is right. A step is bad where it loses more than ε."),
        otherwise="Subtract V^π from V* step by step, then add up the four.",
        absolute=1e-6,
    )


@asks_for_numbers(2)
def check_resistance(numbers: np.ndarray) -> Feedback:
    """Check resistance, and the share of 9/2 that is left, for P_U = 1 (taken) and 0.35 (best)."""
    right, swapped = epistemic_resistance(1.0, 0.35), epistemic_resistance(0.35, 1.0)
    left = 1 - right / 4.5
    return check_numbers(
        numbers,
        ([right, left], "Right: going where one knows nothing takes off more than half."),
        ([swapped, ANY], "The factor 2 belongs to the action taken, 9/7 to the optimal one."),
        ([right, 4.5 - right], "That is 9/2 − R. What share of 9/2 is it?"),
        ([right, right / 4.5], "That share is taken off. What share is left?"),
        ([right, ANY], "The resistance is right. Subtract it from 9/2, then divide by 9/2."),
        otherwise="Put P_U of both actions into 2 P_U(taken) + 9/7 P_U(optimal).",
        absolute=0.005,
    )


@asks_for_number("The answer should be a number of steps", lambda number: number >= 1)
def check_first_telling_step(number: float) -> Feedback:
    """Check from which T on the regret bound of the Chain is below T · V↑."""
    right = first_informative_step(**CHAIN)
    if math.isclose(number, right, rel_tol=0.1):
        return Feedback(True, "Right: at a thousand steps a second, most of a day in the Chain.")
    _, other = around_the_end(
        lambda steps: regret_bound(**CHAIN, steps=steps).dominant == "lower_order", 1e-3
    )
    if math.isclose(number, other, rel_tol=0.1):
        return Feedback(False, "There the largest term changes. Where does the grey end?")
    if right / 3 < number < 3 * right:
        return Feedback(False, "The right order of magnitude. Come within a tenth of the answer.")
    if math.isclose(number, regret_threshold(Problem(r_max=1.0, **CHAIN)), rel_tol=0.1):
        return Feedback(False, "That is S³A/(1 − γ): an order of growth, without its constants.")
    if number < right:
        return Feedback(False, "There T·V↑ is still the smaller one, so the bound says nothing.")
    return Feedback(
        False, "There the bound says something, but it starts to do so much earlier: go back."
    )


def check_steps_for_a_tenth(answer: Any) -> Feedback:
    """Check how many times as many steps make a bound that grows with √T a tenth per step."""
    return check_number(
        answer,
        (100, "Right: each further digit takes a hundred times as many steps."),
        (10, "Ten times the steps, √10 times the regret: per step that is only √10 times less."),
        (math.sqrt(10), "The other way round: √(that number) is to be 10."),
        otherwise="The bound for each step is √T / T. When is that a tenth?",
        tolerance=0.02,
    )
