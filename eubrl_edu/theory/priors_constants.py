"""Λ_T and Λ_R, the two numbers through which a prior enters the bounds as the paper states them."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.beliefs import Belief
from eubrl_edu.beliefs.belief import require_over
from eubrl_edu.theory.priors_class import PriorClass, classify_prior
from eubrl_edu.theory.problem import Problem, require_one_shape
from eubrl_edu.validation import LARGEST, require_above, require_at_least, require_between, shown


@dataclass(frozen=True)
class PriorConstants:
    """The two numbers through which a prior enters the paper's bounds, finite and at least 0.

    A third, which the paper leaves out, is named in `prior_dependent_regret_bound`.

    Attributes
    ----------
    transitions : float
        Λ_T = max C_g(s, a), a number of pseudo-visits for each state.
    rewards : float
        Λ_R = max C_s(s, a)(|r_b0(s, a)| + R_max), in units of reward.

    Raises
    ------
    ValueError
        If one is not finite or below 0.
    """

    transitions: float
    rewards: float

    def __post_init__(self):
        for name, value in vars(self).items():
            vars(self)[name] = require_at_least(name, value, 0)


def prior_constants(
    transition_constant, reward_constant, prior_mean, r_max: float
) -> PriorConstants:
    r"""Λ_T and Λ_R from the constants of each pair.

    .. math:: \Lambda_T = \max_{s,a} C_g(s,a), \qquad
              \Lambda_R = \max_{s,a} C_s(s,a)\left(|r_{b_0}(s,a)| + R_{\max}\right)

    (the paper, "From Frequentist to Bayesian", proof of the general result).

    Parameters
    ----------
    transition_constant, reward_constant : float or (S, A) array
        C_g and C_s, at least 0; α and τ0/τ for Dirichlet(α) and Normal(μ0, 1/τ0) priors.
    prior_mean : float or (S, A) array
        r_b0, the mean reward before any data.
    r_max : float
        R_max.

    Returns
    -------
    PriorConstants

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    c_g = require_between("transition_constant", transition_constant, 0, LARGEST)
    c_s = require_between("reward_constant", reward_constant, 0, LARGEST)
    mean = require_between("prior_mean", prior_mean, -LARGEST, LARGEST)
    require_one_shape(transition_constant=c_g, reward_constant=c_s, prior_mean=mean)
    if not np.size(c_g + c_s + mean):
        raise ValueError(
            "transition_constant, reward_constant and prior_mean must hold a number each, got none"
        )
    rewards = c_s * (np.abs(mean) + require_above("r_max", r_max, 0))
    return _constants(
        "reward_constant, prior_mean and r_max", float(np.max(c_g)), float(np.max(rewards))
    )


def class_constants(prior: PriorClass) -> PriorConstants:
    """Λ_T and Λ_R for the prior-dependent bounds, if the prior is in 𝕮.

    Parameters
    ----------
    prior : PriorClass
        What `classify_prior` says.

    Returns
    -------
    PriorConstants

    Raises
    ------
    ValueError
        If the prior lacks a property that the bounds need; the message says which, and why.
    """
    if not isinstance(prior, PriorClass):
        raise ValueError(f"prior must be what classify_prior returns, got {shown(prior)}")
    if prior.missing:
        reasons = "; ".join(f"{name} ({verdict.why})" for name, verdict in prior.missing.items())
        raise ValueError(f"the bound does not apply to this prior, which lacks: {reasons}")
    return _constants("prior", prior.transition_penalty, prior.reward_penalty)


def _constants(whose: str, transitions: float, rewards: float) -> PriorConstants:
    """Both numbers, or ``ValueError`` that says from what arguments they became too large."""
    if max(transitions, rewards) > LARGEST:
        raise ValueError(
            f"{whose} must make Λ_T and Λ_R of at most {LARGEST:g}, got {transitions:g} and "
            f"{rewards:g}"
        )
    return PriorConstants(transitions, rewards)


def constants_for(prior: Belief | PriorClass | PriorConstants, problem: Problem) -> PriorConstants:
    """Λ_T and Λ_R of a prior for a problem, or ``ValueError`` if the bounds do not apply to it."""
    if isinstance(prior, PriorConstants):
        return prior
    if isinstance(prior, Belief):
        require_over("prior", prior, problem.n_states, problem.n_actions)
        prior = classify_prior(prior, r_max=problem.r_max)
    if not isinstance(prior, PriorClass):
        raise ValueError(
            "prior must be a Belief, what classify_prior says of one, or PriorConstants, "
            f"got {shown(prior)}"
        )
    return class_constants(prior)
