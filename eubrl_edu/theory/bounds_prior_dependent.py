"""The paper's bounds that know the prior: what a wrong prior adds, through Λ_T and Λ_R."""

from dataclasses import dataclass

from eubrl_edu.beliefs import Belief
from eubrl_edu.theory.bounds_regret import RegretBound, regret_bound
from eubrl_edu.theory.bounds_sample_complexity import bad_steps_bound, largest_for
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.priors_class import PriorClass
from eubrl_edu.theory.priors_constants import PriorConstants, constants_for
from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.validation import require_at_least


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


@of_a_problem
def prior_dependent_regret_bound(
    problem: Problem, *, prior: Belief | PriorClass | PriorConstants, steps: float
) -> PriorDependentRegretBound:
    r"""Bound of the regret under a prior of the class 𝕮, with probability at least 1 − δ.

    .. math:: \widetilde{\mathcal O}\left(\frac{\sqrt{SAT}}{(1-\gamma)^{1.5}}
              + (1+\Lambda_T)\frac{S^2A}{(1-\gamma)^2} + \Lambda_R\frac{SA}{1-\gamma}\right)

    (the paper, "From Frequentist to Bayesian"). Its constants follow from the paper's procedure:
    ‖P_b0 − P‖₁ ≤ 2 adds 6Λ_T V↑S + 2Λ_R to 𝒴, and 2ΣJ ≤ 4𝒴SAℓ2/(1 − γ) + …, so the prior adds
    24Λ_T R_max S²Aℓ2/(1 − γ)² and 8Λ_R SAℓ2/(1 − γ).

    This is the formula that the paper states, and it leaves something out: where C1/√n ≤ E_b ≤
    C2/√n, the part with √T grows, too. With the λ of `regret_lambda` its learning grows by up to
    (1 + 2(C2/C1)²)/3; with a λ chosen for the prior the whole part grows by the root of that. For
    the E_R of a Normal prior (C2/C1)² is 1 + C_s (`eubrl_edu.errata.priors.rate_of_a_wide_band`).
    Like `regret_bound` it is open for an agent that plans at every step.

    Parameters
    ----------
    problem, steps
        As of `regret_bound`. The paper has no such bound for episodes: a horizon is refused.
    prior : Belief, PriorClass or PriorConstants
        The prior itself, taken for any world and the variance as its uncertainty; or what
        `classify_prior` says of it under the same R_max; or Λ_T and Λ_R.

    Returns
    -------
    PriorDependentRegretBound

    Raises
    ------
    ValueError
        If the prior is outside the class, with the property that it lacks; if an argument is
        outside its range; or if there is a horizon.
    """
    problem.require_discounted("prior-dependent bounds")
    constants = constants_for(prior, problem)
    frequentist = regret_bound(problem, steps=require_at_least("steps", steps, 1))
    common = problem.n_pairs * frequentist.log_terms.l2 * problem.effective_horizon
    return PriorDependentRegretBound(
        frequentist,
        transition_prior=24 * constants.transitions * problem.v_max * problem.n_states * common,
        reward_prior=8 * constants.rewards * common,
    )


@of_a_problem
def prior_dependent_sample_complexity(
    problem: Problem, *, epsilon: float, prior: Belief | PriorClass | PriorConstants
) -> float:
    r"""Bound of the number of bad steps under a prior of the class 𝕮.

    .. math:: \widetilde{\mathcal O}\left(\left(\frac{SA}{\epsilon^2(1-\gamma)^3}
              + (1+\Lambda_T+\Lambda_R)\frac{S^2A}{\epsilon(1-\gamma)^2}\right)
              \log\frac1\delta\right)

    (the paper, "From Frequentist to Bayesian", which gives no constants). Here it is the largest Γ
    with Γ ≤ W(Γ) + (48Λ_T V↑S + 16Λ_R) SAℓ_{2,Γ} / (ε(1 − γ)), from 8𝒴SAℓ2/(ε(1 − γ)) with the 𝒴
    of the prior.

    Like `prior_dependent_regret_bound` it leaves out what C1 and C2 do. Here ε fixes λ, so the
    part with 1/ε² grows by up to (1 + 2(C2/C1)²)/3. And Γ ≤ W(Γ) is open for an agent that plans at
    every step (`bad_steps_bound`).

    Parameters
    ----------
    problem, epsilon
        As of `sample_complexity_bound`; a horizon is refused.
    prior : Belief, PriorClass or PriorConstants
        As of `prior_dependent_regret_bound`.

    Returns
    -------
    float
        Steps.

    Raises
    ------
    ValueError
        As `prior_dependent_regret_bound`.
    """
    problem.require_discounted("prior-dependent bounds")
    constants = constants_for(prior, problem)
    epsilon = problem.require_epsilon(epsilon)
    bias = 48 * constants.transitions * problem.v_max * problem.n_states + 16 * constants.rewards
    bias *= problem.n_pairs * problem.effective_horizon / epsilon

    def at_most(count: float) -> float:
        l2 = problem_log_terms(problem, count).l2
        return bad_steps_bound(problem, epsilon, count).total + bias * l2

    return largest_for(epsilon, at_most)
