"""The checks of notebook 02_uncertainty."""

import math
from typing import Any

import numpy as np
from scipy.stats import entropy

from eubrl_edu.beliefs import DirichletTransitions
from eubrl_edu.beliefs.transitions import DirichletParameters
from eubrl_edu.exercises.feedback import Feedback, asks_for_function, check_number, check_numbers
from eubrl_edu.uncertainty import outcome_expectation, transition_variance


def check_doubt_of_a_coin(answer: Any) -> Feedback:
    """Check E_T of a coin that showed heads three times and tails once, with α = 1."""
    belief = DirichletTransitions(2, 1, alpha=1.0)
    belief.update(0, 0, 0, times=3)
    belief.update(0, 0, 1)
    row = belief.parameters(0, 0)
    doubt = transition_variance(row)
    total = 1 - sum((parameter / row.total) ** 2 for parameter in row.listed)
    return check_number(
        answer,
        (
            doubt,
            f"Right: {doubt:.3f}, of {total:.3f} in all. "
            f"The other {total - doubt:.3f} is the coin's own chance.",
        ),
        (total, "That is the total, doubt and dice together. How much do the *coins* vary?"),
        (total - doubt, "That is the dice: what would stay, on average, if the coin were known."),
        (doubt / 2, "That is one entry. The sum is over heads and tails."),
        (math.sqrt(doubt), "That is its root. The question asks for E_T itself."),
        (2 * 3 * 1 / (4**2 * 5), "Those are the counts alone: add α to each of them first."),
        otherwise="The parameters are the counts plus α, here 4 and 2. "
        "Add up the variances of both entries.",
    )


_CLOUDS = [
    np.random.default_rng(0).dirichlet([0.5, 1.0, 2.0, 0.7], size=50),
    np.random.default_rng(1).dirichlet([1.0, 2.0, 1.5], size=20),
]


@asks_for_function(*((cloud,) for cloud in _CLOUDS))
def check_doubt_of_a_cloud(numbers: np.ndarray) -> Feedback:
    """Check a function that returns the mutual information of a cloud of dice."""
    total = np.array([entropy(cloud.mean(axis=0)) for cloud in _CLOUDS])
    own = np.array([entropy(cloud, axis=1).mean() for cloud in _CLOUDS])
    return check_numbers(
        numbers,
        (
            total - own,
            "Right: what one throw would tell you, on average, about which of these dice it is.",
        ),
        (total, "That is the total. Subtract the part that is the dice's own chance."),
        (own, "That is the dice's own chance: the part that stays."),
        (own - total, "The other way round: doubt is never negative."),
        (
            [cloud.var(axis=0).sum() for cloud in _CLOUDS],
            "That is doubt by variance. The question asks for doubt by entropy, in nats.",
        ),
        ((total - own) / np.log(2), "That is in bits: use the natural logarithm."),
        otherwise="Entropy of the average (axis=0) minus the average of the entropies (axis=1).",
        tolerance=1e-6,
    )


def check_doubt_about_reward(answer: Any) -> Feedback:
    """Check E_R(s, a) for outcomes with P_b 0.8 and 0.2, and E_R 0.01 and 1."""
    likely, rare = 0.8, 0.2
    outcomes = DirichletParameters([], [likely, rare], [rare, likely], 1.0, 0.0, 0)
    right = outcome_expectation(outcomes, [0.01, 1.0], 0.0)
    return check_number(
        answer,
        (
            right,
            f"Right: {right:.3f}. Nearly all of it comes from the place that is seldom reached.",
        ),
        ((0.01 + 1) / 2, "The two places are not equally likely."),
        (rare * 0.01 + likely * 1, "The weights are swapped: 0.8 belongs to the first place."),
        (
            likely**2 * 0.01 + rare**2 * 1,
            "That would be the variance of the weighted sum if the probabilities themselves were "
            "beyond doubt. The paper takes the average: weights that are not squared.",
        ),
        (math.sqrt(right), "That is its root. The question asks for E_R itself."),
        otherwise="Weight each outcome's E_R by its probability, and add up.",
    )


def check_throws_to_halve(answer: Any) -> Feedback:
    """Check after how many throws of a fair die P_U is 0.1; after 96 it is 0.2."""

    def share(each: int) -> float:
        belief = DirichletTransitions(3, 1, alpha=1.0)
        prior = transition_variance(belief.parameters(0, 0))
        for face in range(3):
            belief.update(0, 0, face, times=each)
        return math.sqrt(transition_variance(belief.parameters(0, 0)) / prior)

    throws = 3 * next(each for each in range(1, 1000) if share(each) <= 0.1)
    return check_number(
        answer,
        (throws, f"Right: about four times as many, exactly {throws}."),
        (2 * 96, "Twice as many throws halve the *variance*, but P_U goes by its root."),
        (math.sqrt(2) * 96, "The root works the other way: the factor is 2², not √2."),
        (10 * 96, "That would divide it by √10, and bring it down to about 0.06."),
        (3 * 96, "That is how many it takes on top. How many is that in all?"),
        otherwise="P_U falls like 1/√n. By what factor must n grow to halve P_U?",
        tolerance=0.04,
    )
