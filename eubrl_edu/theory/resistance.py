"""Epistemic resistance: how much the unfamiliarity of actions takes off the per-step bound."""

from math import sqrt

import numpy as np

from eubrl_edu.theory.problem import Problem, of_a_problem, require_one_shape, require_probability
from eubrl_edu.validation import require_at_least, require_between

LARGEST_RESISTANCE = 23 / 7  # 2 + 9/7, where both probabilities of uncertainty are 1
# 1 − (2/9)(23/7): what remains of the leading term where every P_U is 1.
LEAST_SHARE = 17 / 63


def epistemic_resistance(p_u_policy, p_u_optimal):
    r"""Epistemic resistance.

    .. math:: \mathfrak R^t(s) = 2 P_U^t(s, \pi_t(s)) + \tfrac97 P_U^t(s, \pi^\star(s))

    (the paper, "Regret Decomposition", theorem on the per-step regret).

    Parameters
    ----------
    p_u_policy, p_u_optimal : float or array
        P_U of the action chosen and of the optimal one, 0 to 1.

    Returns
    -------
    float or array
        0 to 23/7.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], or the shapes differ.
    """
    p_u_policy = require_between("p_u_policy", p_u_policy, 0, 1)
    p_u_optimal = require_between("p_u_optimal", p_u_optimal, 0, 1)
    require_one_shape(p_u_policy=p_u_policy, p_u_optimal=p_u_optimal)
    return 2 * p_u_policy + 9 / 7 * p_u_optimal


@of_a_problem
def resistance_lower_bound(
    problem: Problem, duration: float, lambda_: float, max_uncertainty: float = 1.0
) -> float:
    r"""What epistemic resistance takes off the regret bound at least, where P_U counts visits.

    .. math::
        \sum_{t=1}^T \mathfrak R^t(s_t)\lambda V^\uparrow \ge \frac{23R_{\max}}{7(1-\gamma)}
        \left(\frac{2}{\mathcal E_{\max}}(\sqrt T-1)+1\right)\lambda, \qquad
        \sum_{k=1}^K \mathfrak R^k(s_1^k)\lambda V^\uparrow_H \ge \frac{23R_{\max}}{7}
        \left(\frac{2}{\mathcal E_{\max}}(\sqrt{HK}-\sqrt H)+H\right)\lambda

    (the paper, "Lower Bound of Epistemic Resistance", main text and appendix). It assumes
    P_U = 1/(E_max √N), with P_U = 1 where N = 0, and a plan no fresher than the visits.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    duration : float
        T or K.
    lambda_ : float
        The uniform λ.
    max_uncertainty : float
        E_max ≥ 1, in units of 1/√N.

    Returns
    -------
    float
        In units of reward.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    duration = require_at_least("duration", duration, 1)
    max_uncertainty = require_at_least("max_uncertainty", max_uncertainty, 1)
    scale = 23 * problem.r_max / 7 * require_probability("lambda_", lambda_)
    if problem.horizon is None:
        return scale / (1 - problem.discount) * (2 / max_uncertainty * (sqrt(duration) - 1) + 1)
    horizon = problem.horizon
    gain = 2 / max_uncertainty * (sqrt(horizon * duration) - sqrt(horizon))
    return scale * (gain + horizon)


@of_a_problem
def resistance_upper_bound(problem: Problem, steps: float, max_uncertainty: float = 1.0) -> float:
    r"""The most that the resistances of T steps can add up to where P_U counts visits.

    .. math:: \sum_{t=1}^T \mathfrak R^t(s_t) \le 2\left(SA + \frac{2}{\mathcal E_{\max}}
              \sqrt{SAT}\right) + \tfrac97 T

    Not in the paper, whose best case, 23/7 at every step, asks for P_U = 1 for ever. The share of
    the policy's own action grows with √T only, as Σ_n 1/√n over its visits does; the optimal
    action's share has no such bound while nobody takes it.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
        A discounted one.
    steps : float
        T.
    max_uncertainty : float
        E_max ≥ 1.

    Returns
    -------
    float
        Between 0 and 23/7 · T.

    Raises
    ------
    ValueError
        If an argument is outside its range, or the problem has a horizon.
    """
    by_step = "regret by the step, and so this bound of resistance,"
    problem.require_discounted(by_step)
    steps = require_at_least("steps", steps, 1)
    max_uncertainty = require_at_least("max_uncertainty", max_uncertainty, 1)
    own = problem.n_pairs + 2 / max_uncertainty * sqrt(problem.n_pairs * steps)
    return 2 * min(own, steps) + 9 / 7 * steps


def resistance_share(resistance) -> float:
    r"""Ψ(T), the share of the leading term that resistance takes off.

    .. math:: \Psi(T) = \frac{2\sum_{t=1}^T \mathfrak R^t(s_t)}{9T}

    (the paper, "Regret Analysis"; the same with K for episodes).

    Parameters
    ----------
    resistance : (T,) array
        𝕽^t(s_t) of each step.

    Returns
    -------
    float
        0 to 46/63.

    Raises
    ------
    ValueError
        If a resistance is outside [0, 23/7], or there is none.
    """
    resistance = require_between("resistance", resistance, 0, LARGEST_RESISTANCE, "[0, 23/7]")
    if not np.size(resistance):
        raise ValueError("resistance must hold a number for each step, got none")
    return 2 / 9 * float(np.mean(resistance))


def guidance_factor(least_p_u) -> float:
    r"""𝒢, which stands for SA where λ may depend on state and action.

    .. math:: \mathcal G = \sum_{s,a} \sqrt{1 - \tfrac{46}{63}\bar P_U(s,a)}, \qquad
              \sqrt{\tfrac{17}{63}}\, SA \le \mathcal G \le SA

    (the paper, "State-action Dependent λ"; the lower end is printed there as 17/63 · SA).

    Parameters
    ----------
    least_p_u : (S, A) array
        P̄_U(s, a), the least over the run of min{P_U(s, a), P_U(s, π*(s))}, 0 to 1. For a pair
        visited less than twice the paper's minimum is over nothing: take 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a probability is outside [0, 1].
    """
    least_p_u = require_between("least_p_u", least_p_u, 0, 1)
    return float(np.sqrt(1 - 46 / 63 * least_p_u).sum())
