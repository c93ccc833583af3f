"""The error terms β of what was not visited often enough, and the value J of meeting them."""

from dataclasses import replace

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.capped import solve_capped
from eubrl_edu.planning.policy_evaluation import require_policy
from eubrl_edu.theory.log_terms import pair_log_term, problem_log_terms
from eubrl_edu.theory.problem import Problem, of_a_problem, require_one_shape, require_probability
from eubrl_edu.validation import (
    require_above,
    require_at_least,
    require_between,
    require_discount,
    require_indices,
    require_positive_int,
)


@of_a_problem
def error_terms(problem: Problem, visits, bonus, p_u, lambda_: float) -> np.ndarray:
    r"""β(s, a), the rewards of J.

    .. math:: \beta^t(s,a) = P_U^t(s,a)\,\eta^t\mathcal E^t(s,a) + \frac{1}{N^t(s,a)}\left(
              \frac{(4-P_U^t(s,a))V^\uparrow\ell_1}{\lambda_t}
              + 30V^\uparrow S\,\ell_{3,t}(s,a)\right)

    (the paper, "Notations and Logarithmic Terms", discounted and finite-horizon; the discounted
    one prints V↑_H in its last term, where V↑_γ is meant).

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    visits : (S, A) array
        N(s, a) ≥ 0 before the step (or the episode).
    bonus : (S, A) array
        P_U η E ≥ 0, the agent's bonus, in units of reward.
    p_u : (S, A) array
        P_U.
    lambda_ : float
        λ_t.

    Returns
    -------
    (S, A) array
        In units of reward; infinite for pairs without a visit.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    visits = np.asarray(require_between("visits", visits, 0, np.inf, "[0, ∞)"))
    bonus = require_between("bonus", bonus, 0, np.inf)
    p_u = require_between("p_u", p_u, 0, 1)
    require_one_shape(visits=visits, bonus=bonus, p_u=p_u)
    lambda_ = require_probability("lambda_", lambda_)
    v_max, l1 = problem.v_max, problem_log_terms(problem).l1
    doubt = (4 - p_u) * v_max * l1 / lambda_
    doubt = doubt + 30 * v_max * problem.n_states * pair_log_term(problem, visits)
    never = visits == 0
    with np.errstate(over="ignore"):  # of next to no visit: infinite, too
        return np.where(never, np.inf, bonus + doubt / np.where(never, 1.0, visits))


@of_a_problem
def error_scale(problem: Problem, duration: float, lambda_: float) -> float:
    r"""𝒴, which bounds N(s, a) β(s, a) for every pair.

    .. math:: \mathcal Y^{(T)} = \frac{12V^\uparrow\ell_1}{\lambda} + 30V^\uparrow S\,\ell_{3,T}

    (the paper, "Boundedness of J", discounted and finite-horizon), for an agent with the η of
    `schedule`.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    duration : float
        T or K.
    lambda_ : float
        λ in (0, 1].

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
    lambda_ = require_probability("lambda_", lambda_)
    terms = problem_log_terms(problem, duration)
    return problem.v_max * (12 * terms.l1 / lambda_ + 30 * problem.n_states * terms.l3)


@of_a_problem
def error_sum_bound(problem: Problem, duration: float, lambda_: float) -> float:
    r"""Bound of the sum of J over a run, on which the regret bound rests.

    .. math::
        \sum_{t=1}^T J^t_\gamma(s_t) \le \frac{2\mathcal Y^{(T)}}{1-\gamma}SA
        \log\left(1+\frac{T}{SA}\right) + \frac{13V^\uparrow}{1-\gamma}SA\log\frac{12T}{\delta}

        \sum_{k=1}^K J_1^k(s_1^k) \le 4\mathcal Y^{(K)}SA\log\left(1+\frac{KH}{SA}\right)
        + 6V^\uparrow_HSA\log\frac{12H}{\delta}

    (the paper, "Boundedness of J", the last lemma of each). What the proof of the discounted one
    leaves open is in `eubrl_edu.errata.ERRATA`.

    Parameters
    ----------
    problem, duration, lambda_
        As of `error_scale`.

    Returns
    -------
    float
        In units of reward.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    scale = error_scale(problem, duration, lambda_)
    terms, pairs = problem_log_terms(problem, duration), problem.n_pairs
    learned = scale * pairs * terms.l2
    stopped = problem.v_max * pairs * terms.l4
    if problem.horizon is not None:
        return 4 * learned + 6 * stopped
    return (2 * learned + 13 * stopped) * problem.effective_horizon


def bellman_like(
    mdp: MDP, policy: np.ndarray, beta: np.ndarray, discount: float, v_max: float
) -> np.ndarray:
    r"""J of every state, the fixed point of a Bellman-like equation.

    .. math:: J_\gamma(s) = \min\left\{\beta(s,\pi(s)) + \gamma PJ_\gamma(s,\pi(s)),
              V^\uparrow_\gamma\right\}

    (the paper, "Notations and Logarithmic Terms"), with the true transitions P, found exactly
    (`solve_capped` on the MDP that has the policy's action only).

    Parameters
    ----------
    mdp : MDP
        The true one; its rewards play no part.
    policy : (S,) integer array
        π(s).
    beta : (S, A) array
        β(s, a) ≥ 0; may be infinite.
    discount : float
        γ in [0, 1).
    v_max : float
        V↑.

    Returns
    -------
    (S,) array
        0 to V↑.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    discount, v_max = require_discount(discount), require_above("v_max", v_max, 0)
    policy = require_policy(policy, (require_mdp(mdp).n_states,), mdp.n_actions)
    beta = _require_beta(beta, mdp)
    states = np.arange(mdp.n_states)
    chosen = replace(
        mdp,
        successors=mdp.successors[states, policy][:, None],
        weights=mdp.weights[states, policy][:, None],
        background=mdp.background[states, policy][:, None],
        # J is at least 0, so a β above V↑ is cut off anyway; infinity would not be computed with.
        rewards=np.minimum(beta[states, policy], v_max)[:, None],
        terminal_states=(),  # to the theory these are states as all others
    )
    return solve_capped(chosen, discount, v_max).v


def bellman_like_horizon(
    mdp: MDP, policy: np.ndarray, beta: np.ndarray, v_max: float
) -> np.ndarray:
    r"""J_h of every step and state of an episode.

    .. math:: J_h(s) = \min\left\{\beta(s,\pi_h(s)) + PJ_{h+1}(s,\pi_h(s)), V^\uparrow_H\right\},
              \qquad J_{H+1} = 0

    (the paper, "Notations and Logarithmic Terms: Finite-horizon Episodic MDPs").

    Parameters
    ----------
    mdp : MDP
        The true one; its rewards play no part.
    policy : (H, S) integer array
        π_h(s).
    beta : (S, A) array
        β(s, a) ≥ 0; may be infinite.
    v_max : float
        V↑_H.

    Returns
    -------
    (H + 1, S) array
        Index h is the number of steps already taken; the last row is 0.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    v_max = require_above("v_max", v_max, 0)
    policy = require_indices("policy", policy, require_mdp(mdp).n_actions)
    horizon = require_positive_int("the policy's horizon", len(policy))
    policy = require_policy(policy, (horizon, mdp.n_states), mdp.n_actions)
    values = np.zeros((horizon + 1, mdp.n_states))
    states = np.arange(mdp.n_states)
    beta = np.minimum(_require_beta(beta, mdp), v_max)
    for step in reversed(range(horizon)):
        following = mdp.expected(values[step + 1])
        chosen = states, policy[step]
        values[step] = np.minimum(beta[chosen] + following[chosen], v_max)
    return values


def _require_beta(beta, mdp: MDP) -> np.ndarray:
    """Return β as an array that has a number of at least 0 for each pair, or raise an error."""
    beta = np.asarray(require_between("beta", beta, 0, np.inf))
    if beta.shape != mdp.rewards.shape:
        raise ValueError(
            f"beta must be of shape {mdp.rewards.shape}, got one of shape {beta.shape}"
        )
    return beta
