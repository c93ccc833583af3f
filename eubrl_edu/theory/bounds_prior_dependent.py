"""Bounds that know the prior: what a wrong prior adds, through Λ_T and Λ_R."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.theory.bounds_regret import RegretBound, regret_bound
from eubrl_edu.theory.bounds_sample_complexity import bad_steps_bound, largest_consistent
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.validation import require_at_least


@dataclass(frozen=True)
class PriorConstants:
    """The two numbers through which a prior enters the bounds.

    Attributes
    ----------
    transitions : float
        Λ_T = max C_g(s, a), a number of pseudo-visits for each state.
    rewards : float
        Λ_R = max C_s(s, a)(|r_b0(s, a)| + R_max), in units of reward.
    """

    transitions: float
    rewards: float


@dataclass(frozen=True)
class PriorDependentRegretBound:
    """A regret bound with what the prior adds, in units of reward.

    Attributes
    ----------
    frequentist : RegretBound
        The bound without a prior.
    transition_prior, reward_prior : float
        What the prior over transitions and that over rewards add.
    """

    frequentist: RegretBound
    transition_prior: float
    reward_prior: float

    @property
    def total(self) -> float:
        """The bound itself."""
        return self.frequentist.total + self.transition_prior + self.reward_prior


def prior_constants(transition_constant, reward_constant, prior_mean, r_max: float):
    r"""Λ_T and Λ_R of a prior.

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
    """
    for name, value in (
        ("transition_constant", transition_constant),
        ("reward_constant", reward_constant),
    ):
        require_at_least(name, np.min(value), 0)
    rewards = np.asarray(reward_constant) * (np.abs(prior_mean) + r_max)
    return PriorConstants(float(np.max(transition_constant)), float(np.max(rewards)))


def prior_dependent_regret_bound(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    discount: float,
    steps: float,
    prior: PriorConstants,
    r_max: float = 1.0,
) -> PriorDependentRegretBound:
    r"""Bound of the regret under a prior of the class 𝕮, with probability at least 1 − δ.

    .. math:: \widetilde{\mathcal O}\left(\frac{\sqrt{SAT}}{(1-\gamma)^{1.5}}
              + (1+\Lambda_T)\frac{S^2A}{(1-\gamma)^2} + \Lambda_R\frac{SA}{1-\gamma}\right)

    (the paper, "From Frequentist to Bayesian"). Its constants follow from the paper's procedure:
    ‖P_b0 − P‖₁ ≤ 2 adds 6Λ_T V↑S + 2Λ_R to 𝒴, and 2ΣJ ≤ 4𝒴SAℓ2/(1 − γ) + …, so the prior adds
    24Λ_T R_max S²Aℓ2/(1 − γ)² and 8Λ_R SAℓ2/(1 − γ).

    Parameters
    ----------
    n_states, n_actions, delta, discount, steps, r_max
        As of `regret_bound`.
    prior : PriorConstants
        Λ_T and Λ_R.

    Returns
    -------
    PriorDependentRegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    frequentist = regret_bound(
        n_states=n_states,
        n_actions=n_actions,
        delta=delta,
        discount=discount,
        steps=steps,
        r_max=r_max,
    )
    problem = Problem(n_states, n_actions, r_max, delta, discount)
    common = problem.n_pairs * frequentist.log_terms.l2 * problem.effective_horizon
    return PriorDependentRegretBound(
        frequentist,
        transition_prior=24 * prior.transitions * problem.v_max * n_states * common,
        reward_prior=8 * prior.rewards * common,
    )


def prior_dependent_sample_complexity(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    discount: float,
    epsilon: float,
    prior: PriorConstants,
    r_max: float = 1.0,
) -> float:
    r"""Bound of the number of bad steps under a prior of the class 𝕮.

    .. math:: \widetilde{\mathcal O}\left(\left(\frac{SA}{\epsilon^2(1-\gamma)^3}
              + (1+\Lambda_T+\Lambda_R)\frac{S^2A}{\epsilon(1-\gamma)^2}\right)
              \log\frac1\delta\right)

    (the paper, "From Frequentist to Bayesian", which gives no constants). Here it is the largest Γ
    with Γ ≤ W(Γ) + (48Λ_T V↑S + 16Λ_R) SAℓ_{2,Γ} / (ε(1 − γ)), from 8𝒴SAℓ2/(ε(1 − γ)) with the 𝒴
    of the prior.

    Parameters
    ----------
    n_states, n_actions, delta, discount, epsilon, r_max
        As of `sample_complexity_bound`.
    prior : PriorConstants
        Λ_T and Λ_R.

    Returns
    -------
    float
        Steps.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    problem = Problem(n_states, n_actions, r_max, delta, discount)
    epsilon = problem.require_epsilon(epsilon)
    bias = 48 * prior.transitions * problem.v_max * n_states + 16 * prior.rewards
    bias *= problem.n_pairs * problem.effective_horizon / epsilon

    def at_most(count: float) -> float:
        l2 = problem_log_terms(problem, count).l2
        return bad_steps_bound(problem, epsilon, count).total + bias * l2

    return largest_consistent(at_most)
