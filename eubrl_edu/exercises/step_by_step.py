"""The checks of notebook 05_eubrl_step_by_step."""

import math
from typing import Any

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import (
    ANY,
    Feedback,
    asks_for_array_function,
    asks_for_number,
    asks_for_numbers,
    check_number,
    check_numbers,
)
from eubrl_edu.experiments import make_agent
from eubrl_edu.simulation import simulate
from eubrl_edu.uncertainty import (
    count_uncertainty,
    epistemic_uncertainty,
    epistemically_guided_reward,
    probability_of_uncertainty,
)


@asks_for_numbers(2)
def check_guided_step(numbers: np.ndarray) -> Feedback:
    """Check P_U and r^EUBRL for E_T = 0.04, E_R = 0.01, η = 0.5, E_max = 0.5 and r_b = 1."""
    transition, reward, eta, largest, mean = 0.04, 0.01, 0.5, 0.5, 1.0
    epistemic = epistemic_uncertainty(transition, reward, eta)
    probability = probability_of_uncertainty(epistemic, largest)
    guided = epistemically_guided_reward(mean, epistemic, probability)
    bonus, swapped = mean + epistemic, epistemically_guided_reward(mean, epistemic, 1 - probability)
    without_roots = eta * (transition + reward) / largest
    one_root = eta * math.sqrt(transition + reward) / largest
    return check_numbers(
        numbers,
        ([probability, guided], "Right: mostly sure, so mostly the reward, and a little doubt."),
        (
            [probability, bonus],
            "P_U is right. r_b + E_b is the bonus rule: here both have weights.",
        ),
        ([probability, swapped], "P_U is right, but the weights are swapped: r_b has 1 − P_U."),
        ([probability, ANY], "P_U is right. The rest is (1 − P_U) r_b + P_U E_b."),
        ([epistemic, ANY], "That is E_b. P_U is its share of E_max."),
        ([without_roots, ANY], "E_b takes the square roots of E_T and of E_R."),
        ([one_root, ANY], "Almost: each has a root of its own, √E_T + √E_R."),
        otherwise="Begin with E_b = η(√E_T + √E_R), then divide by E_max for P_U.",
        absolute=5e-4,
    )


_RNG = np.random.default_rng(0)
_MEAN, _EPISTEMIC, _LARGEST = _RNG.normal(size=(4, 2)), _RNG.random((4, 2)), 1.5


@asks_for_array_function(_MEAN, _EPISTEMIC, _LARGEST)
def check_guided_reward(numbers: np.ndarray) -> Feedback:
    """Check a function (mean_reward, epistemic, max_uncertainty) that returns r^EUBRL."""
    mean, epistemic, largest = _MEAN, _EPISTEMIC, _LARGEST
    probability = probability_of_uncertainty(epistemic, largest)
    right = epistemically_guided_reward(mean, epistemic, probability)
    swapped = epistemically_guided_reward(mean, epistemic, 1 - probability)
    of_now = epistemically_guided_reward(mean, epistemic, epistemic / epistemic.max())
    return check_numbers(
        numbers,
        (right, "Right: on random arrays your function agrees with the package."),
        (mean + epistemic, "That adds a bonus. Guidance shares: what r_b gains, E_b loses."),
        (swapped, "The weights are swapped: where P_U is 1, only E_b should count."),
        (mean + probability * epistemic, "Almost: r_b has a weight too, 1 − P_U."),
        (of_now, "E_max is not the largest E_b now but the one given, the largest so far."),
        otherwise="First P_U = E_b / E_max, then (1 − P_U) r_b + P_U E_b.",
    )


@asks_for_number("The answer should be one number above 0", lambda number: number > 0)
def check_smallest_eta(eta: float) -> Feedback:
    """Check that EUBRL finds the better loop with this η, and no longer with 1.3 times less."""
    if not _finds_the_better_loop(eta):
        words = f"With η = {eta:g} it stays in the loop that pays 1. Try a larger η."
        return Feedback(False, words)
    if _finds_the_better_loop(eta / 1.3):
        return Feedback(False, f"It does find it, but with η = {eta / 1.3:.3g} it still would.")
    return Feedback(
        True, f"Right: with η = {eta:g} it finds the loop; with {eta / 1.3:.3g} it no longer does."
    )


def check_visits_under_count(answer: Any) -> Feedback:
    """Check after how many visits P_U is down to 0.1 under the count measure."""
    visits = np.arange(2000)
    epistemic = count_uncertainty(visits, eta=1.0)
    probability = probability_of_uncertainty(epistemic, float(epistemic.max()))
    first = int(visits[probability <= 0.1 + 1e-12][0])
    small_alpha = "That is true of the variance with a small α. This measure only counts."
    return check_number(
        answer,
        (first, f"Right: {first} visits, although nothing there is random."),
        (10, "That would be 1/n. The measure is 1/√n."),
        (1, small_alpha),
        (2, small_alpha),
        otherwise="P_U = E_b / E_max = 1/√n here. When is that 0.1?",
        tolerance=1e-9,
    )


def _finds_the_better_loop(eta: float) -> bool:
    """Whether EUBRL with this η, seed 0, is paid 2 within 300 steps of the Loop with two loops."""
    env = make_env("loop", size=2)
    trajectory = simulate(make_agent("EUBRL", env, eta=eta), env, steps=300, seed=0)
    return bool((trajectory.rewards == 2).any())
