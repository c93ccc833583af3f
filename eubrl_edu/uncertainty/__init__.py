"""Epistemic uncertainty and what the paper makes of it: E_T, E_R, E_b, P_U, the guided reward.

``formulas`` has the paper's equations, ``predictive`` what planning reads of a belief, kept
current with it; ``predictive_kernels`` is the same for one pair, compiled from the formulas.
"""

from eubrl_edu.beliefs.belief import outcome_expectation, predictive_probability
from eubrl_edu.uncertainty.formulas import (
    MEASURES,
    count_uncertainty,
    epistemic_uncertainty,
    epistemically_guided_reward,
    probability_of_uncertainty,
    reward_with_uncertainty_added,
    transition_mutual_information,
    transition_variance,
)

__all__ = [
    "MEASURES",
    "count_uncertainty",
    "epistemic_uncertainty",
    "epistemically_guided_reward",
    "outcome_expectation",
    "predictive_probability",
    "probability_of_uncertainty",
    "reward_with_uncertainty_added",
    "transition_mutual_information",
    "transition_variance",
]
