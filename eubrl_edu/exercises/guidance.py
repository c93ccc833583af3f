"""The checks of notebook 04_guidance."""

from typing import Any

import numpy as np

from eubrl_edu.exercises.feedback import (
    ANY,
    Feedback,
    asks_for_numbers,
    check_number,
    check_numbers,
)
from eubrl_edu.uncertainty import epistemically_guided_reward


@asks_for_numbers(2)
def check_bonus_and_guidance(numbers: np.ndarray) -> Feedback:
    """Check what both rules make of r_b = −2, E_b = 1.2 and P_U = 0.6."""
    mean, epistemic, probability = -2.0, 1.2, 0.6
    bonus = mean + epistemic
    guided = epistemically_guided_reward(mean, epistemic, probability)
    swapped = epistemically_guided_reward(mean, epistemic, 1 - probability)
    added = mean + probability * epistemic
    return check_numbers(
        numbers,
        ([bonus, guided], "Right: a bonus counts the bad guess in full, guidance only 40% of it."),
        ([guided, bonus], "The right numbers in the wrong order: first the bonus."),
        ([bonus, swapped], "The bonus is right. In guidance r_b has the weight 1 − P_U."),
        ([bonus, added], "The bonus is right. Guidance also takes weight from r_b."),
        ([bonus, ANY], "The bonus is right. Guidance is (1 − P_U) r_b + P_U E_b."),
        otherwise="A bonus adds: r_b + E_b.",
        absolute=5e-3,
    )


@asks_for_numbers(2)
def check_lowest_point(numbers: np.ndarray) -> Feedback:
    """Check where guidance values an arm with r_b = 0.6 and E_max = 1 least, and how much."""
    mean, largest = 0.6, 1.0
    probabilities = np.linspace(0, 1, 10_001)
    worths = epistemically_guided_reward(mean, probabilities * largest, probabilities)
    lowest, worth = probabilities[worths.argmin()], worths.min()
    return check_numbers(
        numbers,
        ([lowest, worth], f"Right: {worth:.2f}, less than with no doubt at all."),
        ([mean / largest, ANY], "There the curve is back at r_b. The lowest point is half way."),
        ([0.5, ANY], "Only if r_b = E_max. Set the derivative −r_b + 2 p E_max to 0."),
        ([lowest, ANY], "The place is right. Put it into (1 − p) r_b + p² E_max."),
        otherwise="The lowest point is at p = r_b / (2 E_max).",
        absolute=5e-3,
    )


def check_where_doubt_deters(answer: Any) -> Feedback:
    """Check from which r_b on P_U = 0.5 lowers the guided reward below r_b, for E_max = 2."""
    probability, largest = 0.5, 2.0
    rewards = np.linspace(-3, 6, 9001)
    guided = epistemically_guided_reward(rewards, probability * largest, probability)
    first = float(rewards[guided < rewards - 1e-9][0])
    return check_number(
        answer,
        (first, "Right: where r_b is more than E_b, doubt deters."),
        (largest, "That is E_max. At P_U = 0.5 the arm's own E_b is smaller."),
        (2 * largest, "From there on the curve only falls. When does doubt deter at P_U = 0.5?"),
        (0.5, "That is P_U. Compare r_b with E_b = P_U E_max."),
        otherwise="(1 − P_U) r_b + P_U E_b < r_b means P_U E_b < P_U r_b.",
    )


def check_eta_to_stay(answer: Any) -> Feedback:
    """Check which η keeps EUBRL at an arm with r_b = 0.636 and P_U = 0.141; the known pays 0.6."""
    mean, probability, known = 0.636, 0.141, 0.6
    lacks = known - (1 - probability) * mean
    right = lacks / probability**2
    return check_number(
        answer,
        (
            # With its tolerance: from what is just enough to 5% more.
            1.025 * right,
            f"Right, about {right:.1f}. With η = 3 it tries the arm once more, and then stops.",
        ),
        (2, "With η = 2 it stops: 0.859 · 0.636 + 0.141 · 0.282 is 0.586."),
        (1, "That was already too little after the first try."),
        (lacks / probability, "E_b is P_U times E_max, so P_U comes in squared."),
        (known / probability**2, "r_b still has a say, with the weight 1 − P_U."),
        otherwise="Solve (1 − P_U) r_b + P_U² η = 0.6 for η.",
        tolerance=0.027,
    )
