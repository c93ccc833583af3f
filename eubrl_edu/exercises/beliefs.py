"""The checks of notebook 01_beliefs."""

import math
from typing import Any

import numpy as np

from eubrl_edu.beliefs import DirichletTransitions, NormalGammaRewards
from eubrl_edu.exercises.feedback import (
    Feedback,
    asks_for_function,
    asks_for_numbers,
    check_formula,
    check_number,
)
from eubrl_edu.uncertainty import transition_variance


@asks_for_numbers(4)
def check_posterior_mean(numbers: np.ndarray) -> Feedback:
    """Check P_b of A, B, C and D after A, A, B under a Dirichlet prior with α = 1."""
    belief = DirichletTransitions(n_states=4, n_actions=1, alpha=1.0)
    for next_state in (0, 0, 1):
        belief.update(0, 0, next_state)
    right = _posterior_means(belief)
    counts = np.array([2.0, 1.0, 0.0, 0.0])
    if np.allclose(numbers, right, atol=5e-3):
        return Feedback(True, "Right: three real visits, and four that the prior imagines.")
    if np.allclose(numbers, counts / 3, atol=5e-3):
        return Feedback(
            False,
            "Those are the observed frequencies. The prior adds α = 1 to each of the four counts.",
        )
    if np.allclose(numbers, np.ones(4) / 4, atol=5e-3):
        return Feedback(False, "That is the prior alone. Three observations have come in.")
    if np.allclose(numbers, counts + 1, atol=5e-3):
        return Feedback(False, "Those are the counts with α added. Divide them by their sum.")
    if not math.isclose(numbers.sum(), 1, abs_tol=0.02):
        if numbers.any() and np.allclose(numbers / numbers.sum(), right, atol=5e-3):
            return Feedback(
                False,
                "In the right proportions, but probabilities sum to 1. In the denominator, α "
                "counts once for each of the four next states.",
            )
        return Feedback(False, f"Probabilities sum to 1; these sum to {numbers.sum():.3g}.")
    return Feedback(False, "Add α to each count, then divide by the sum of all four.")


def check_visits_to_balance(answer: Any) -> Feedback:
    """Check when data and prior weigh the same, for 20 states and α = 0.5."""
    n_states, alpha = 20, 0.5
    belief = DirichletTransitions(n_states, n_actions=1, alpha=alpha)
    prior_weight = belief.parameters(0, 0).total
    return check_number(
        answer,
        (prior_weight, "Right: αS = 0.5 · 20 = 10, so 10 visits weigh as much as the prior."),
        (alpha, "That is α, the weight of one next state. The prior has one α for each state."),
        (n_states, "That is the number of states. How much does each of them count?"),
        (n_states / alpha, "Multiply: there are 20 states, and each counts as half a visit."),
        otherwise="The weights are n / (n + αS) and αS / (n + αS). When are they equal?",
        tolerance=1e-9,
    )


_TRIALS = [(0, 1.0, 1.0, 2.0), (3, 2.5, 0.5, 2.0), (40, 7.0, 2.0, 3.5)]


@asks_for_function(*_TRIALS)
def check_reward_uncertainty(numbers: np.ndarray) -> Feedback:
    """Check a function (n, beta, lambda0, alpha0) that returns the E_R of Normal-Gamma."""
    return check_formula(
        numbers,
        _TRIALS,
        _package_reward_uncertainty,
        (
            lambda n, beta, lambda0, alpha0: beta / ((lambda0 + n) * (alpha0 + n / 2)),
            "Almost: the denominator has α − 1, not α. That is why α₀ must be above 1.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / ((lambda0 + n) * (alpha0 + n - 1)),
            "Almost: a reward adds a half to α, not one.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / (lambda0 * (alpha0 + n / 2 - 1)),
            "Almost: λ grows too, by one for each reward.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / (lambda0 * (alpha0 - 1)),
            "That is right before the first reward. How do λ and α grow with n?",
        ),
        (
            lambda *trial: math.sqrt(_package_reward_uncertainty(*trial)),
            "That is √E_R. E_R itself is a variance; the root comes later, in E_b.",
        ),
    )


def check_fall_of_uncertainty(answer: Any) -> Feedback:
    """Check by what factor E_T falls from 100 to 1000 visits that all lead to one state."""
    few, many = (_transition_uncertainty_of_a_sure_pair(visits) for visits in (100, 1000))
    factor = few / many
    return check_number(
        answer,
        (factor, f"Right: the package says {factor:.3g}. Without surprise, E_T ~ 1/n²."),
        (
            10,
            "That is the factor for a pair with random next states, where E_T ~ 1/n. This one "
            "never surprises: compare BeliefLab(seen_a=100) with BeliefLab(seen_a=1000).",
        ),
        (1 / factor, "The other way round: by what factor does it fall?"),
        (1000, "Too much: that would be 1/n³."),
        otherwise="Put the counts (n, 0, 0) into the formula. "
        "How do numerator and denominator grow with n?",
        tolerance=0.13,  # 13% below, and 15% above
    )


def _posterior_means(belief: DirichletTransitions) -> np.ndarray:
    """P_b of every next state of the pair (0, 0)."""
    outcomes = [belief.prepare(0, 0, next_state) for next_state in range(belief.n_states)]
    row = belief.parameters(0, 0)
    return np.array([row.listed[outcome] / row.total for outcome in outcomes])


def _package_reward_uncertainty(n: int, beta: float, lambda0: float, alpha0: float) -> float:
    """E_R of a Normal-Gamma belief that has seen n rewards, all of them as expected."""
    belief = NormalGammaRewards(1, 1, 0.0, lambda0, alpha0, beta, on="action")
    if n:
        belief.update_batch(0, 0, 0, [0.0] * n)
    return belief.posterior((0, 0, 0))[1].item()


def _transition_uncertainty_of_a_sure_pair(visits: int) -> float:
    """E_T of a pair with three possible next states that led to the same one each time."""
    belief = DirichletTransitions(n_states=3, n_actions=1, alpha=1.0)
    belief.update(0, 0, 0, times=visits)
    return float(transition_variance(belief.parameters(0, 0)))
