"""Values that are not let above a cap: V(s) = min{max_a Q(s, a), cap}.

The theory of EUBRL asks for subjective values of at most V↑ = R_max / (1 − γ), though bonuses
alone can be worth more, and its error function J is cut off at V↑ as well.
"""

from dataclasses import replace

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import Solution, greedy_policy, q_values
from eubrl_edu.planning.exact import require_start, solve
from eubrl_edu.validation import require_discount, require_finite, require_horizon


def solve_capped(mdp: MDP, discount: float, cap: float, start: Solution | None = None) -> Solution:
    """Solve an MDP whose values are cut off at a cap, exactly.

        Q(s, a) = r(s, a) + γ Σ_s' P(s'|s,a) V(s')        V(s) = min{max_a Q(s, a), cap}

    Suppose one knew which states reach the cap. They could as well stay where they are and earn
    (1 − γ) · cap for ever, and the rest were an ordinary MDP, which `solve` solves. So: guess the
    states, solve, and take those whose best Q is above the cap for the next guess. From the first
    solution on the values can only fall, and they end at the one fixed point.

    Parameters
    ----------
    mdp : MDP
    discount : float
        γ in [0, 1).
    cap : float
        What no value is let above.
    start : Solution, optional
        The capped solution of a similar MDP.

    Returns
    -------
    Solution
        ``q`` is not cut off, ``v`` is; ``policy`` is greedy in ``q``; ``iterations`` counts the
        MDPs solved; ``residual`` is sup_s |min{max_a Q(s, a), cap} − V(s)|.

    Raises
    ------
    ValueError
        If ``discount`` is out of range, ``cap`` is not finite, or ``start`` belongs to an MDP of
        another shape.
    """
    require_mdp(mdp)
    discount = require_discount(discount)
    cap = require_finite("cap", cap)
    inner = start
    if start is not None:
        require_start(start, mdp.rewards.shape)
    above = np.zeros(mdp.n_states, dtype=bool) if start is None else start.q.max(axis=1) > cap
    iterations = 0
    while True:
        iterations += 1
        inner = solve(_staying(mdp, above, (1 - discount) * cap), discount, inner)
        values = np.where(above, cap, inner.v)
        q = q_values(mdp, values, discount)
        best = q.max(axis=1)
        # Without the tolerance, rounding could move a state that is just at the cap to and fro.
        rounding = 1e-12 * abs(cap)
        following = np.where(above, best >= cap - rounding, best > cap + rounding)
        if (following == above).all():
            values = np.minimum(best, cap)
            residual = np.abs(np.minimum(q_values(mdp, values, discount).max(axis=1), cap) - values)
            return Solution(q, values, greedy_policy(q), iterations, float(residual.max()))
        above = following


def backward_induction_capped(mdp: MDP, horizon: int, cap: float) -> Solution:
    """Backward induction where no value is let above a cap: V_h(s) = min{max_a Q_h(s, a), cap}.

    Parameters
    ----------
    mdp : MDP
    horizon : int
        H, in steps; at least 1.
    cap : float
        What no value is let above.

    Returns
    -------
    Solution
        As of `backward_induction`; ``q`` is not cut off, ``v`` is.
    """
    horizon = require_horizon(horizon, require_mdp(mdp).rewards.size)
    cap = require_finite("cap", cap)
    q = np.empty((horizon, mdp.n_states, mdp.n_actions))
    v = np.zeros((horizon + 1, mdp.n_states))
    for step in reversed(range(horizon)):
        q[step] = q_values(mdp, v[step + 1], 1.0)
        v[step] = np.minimum(q[step].max(axis=1), cap)
    return Solution(q, v, greedy_policy(q), horizon, 0.0)


def _staying(mdp: MDP, stays: np.ndarray, reward: float) -> MDP:
    """The MDP in which some states lead to themselves and pay ``reward``, whatever the action."""
    if not stays.any():
        return mdp
    successors, weights = mdp.successors.copy(), mdp.weights.copy()
    background, rewards = mdp.background.copy(), mdp.rewards.copy()
    if successors.shape[-1] == 0:
        successors = np.zeros((*rewards.shape, 1), dtype=np.int64)
        weights = np.zeros((*rewards.shape, 1))
    weights[stays] = 0.0
    weights[stays, :, 0] = 1.0
    successors[stays, :, 0] = np.flatnonzero(stays)[:, None]
    background[stays] = 0.0
    rewards[stays] = reward
    return replace(
        mdp, successors=successors, weights=weights, background=background, rewards=rewards
    )
