"""Finite horizons: backward induction, from the last step to the first."""

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import Solution, greedy_policy, q_values
from eubrl_edu.planning.policy_evaluation import require_policy
from eubrl_edu.validation import (
    LONGEST_HORIZON,
    require_discount,
    require_finite,
    require_horizon,
    require_indices,
    require_positive_int,
)


def backward_induction(
    mdp: MDP, horizon: int, discount: float = 1.0, cap: float | None = None
) -> Solution:
    """The best that can be had in the H - h steps that are left at step h.

        Q_h(s, a) = r(s, a) + γ Σ_s' P(s'|s,a) V_{h+1}(s'),   V_h(s) = max_a Q_h(s, a),   V_H = 0

    `solve_horizon` computes the same, compiled.

    Parameters
    ----------
    mdp : MDP
    horizon : int
        H, in steps; at least 1.
    discount : float
        γ in [0, 1].
    cap : float, optional
        Upper limit on every value, V_h(s) = min{max_a Q_h(s, a), cap}; ``q`` is not cut off.

    Returns
    -------
    Solution
        ``q`` (H, S, A), ``v`` (H + 1, S) with ``v[H] = 0``, ``policy`` (H, S); index h is the
        number of steps already taken.

    Raises
    ------
    ValueError
        If ``horizon`` or ``discount`` is out of range, or ``cap`` or a value is not finite.
    """
    horizon = require_horizon(horizon, require_mdp(mdp).rewards.size)
    discount = require_discount(discount, horizon)
    cap = np.inf if cap is None else require_finite("cap", cap)
    q = np.empty((horizon, mdp.n_states, mdp.n_actions))
    v = np.zeros((horizon + 1, mdp.n_states))
    for step in reversed(range(horizon)):
        q[step] = q_values(mdp, v[step + 1], discount)
        v[step] = np.minimum(q[step].max(axis=1), cap)
    return Solution(q, v, greedy_policy(q), horizon, 0.0)


def evaluate_horizon_policy(mdp: MDP, policy: np.ndarray, discount: float = 1.0) -> np.ndarray:
    """The values of acting by a policy that may differ from step to step.

        V_h(s) = r(s, π_h(s)) + γ Σ_s' P(s'|s,π_h(s)) V_{h+1}(s'),   V_H = 0

    Parameters
    ----------
    mdp : MDP
    policy : (H, S) integer array
        The action taken at each step in each state.
    discount : float
        γ in [0, 1].

    Returns
    -------
    (H + 1, S) array
        V_h(s), with V_H = 0.

    Raises
    ------
    ValueError
        If ``discount`` or the policy is out of range, or the values are not finite.
    """
    require_mdp(mdp)
    policy = require_indices("policy", policy, mdp.n_actions)
    name = "the policy's horizon"
    horizon = require_positive_int(name, len(policy), at_most=LONGEST_HORIZON)
    discount = require_discount(discount, horizon)
    policy = require_policy(policy, (horizon, mdp.n_states), mdp.n_actions)
    v = np.zeros((horizon + 1, mdp.n_states))
    for step in reversed(range(horizon)):
        q = q_values(mdp, v[step + 1], discount)
        v[step] = q[np.arange(mdp.n_states), policy[step]]
    return v
