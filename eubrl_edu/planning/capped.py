"""Values that are not let above a cap: V(s) = min{max_a Q(s, a), cap}.

The theory of EUBRL asks for subjective values of at most V↑ = R_max / (1 − γ), though bonuses
alone can be worth more, and its error function J is cut off at V↑ as well.
"""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import (
    NotFinite,
    Solution,
    greedy_policy,
    q_values,
    require_finite_values,
)
from eubrl_edu.planning.exact import plain_arrays, require_start
from eubrl_edu.validation import (
    require_discount,
    require_finite,
    require_horizon,
    require_indices,
)


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
        If ``discount`` is out of range, ``cap`` is not finite, ``start`` belongs to an MDP of
        another shape, or the values are not finite.
    """
    require_mdp(mdp)
    discount = require_discount(discount)
    cap = require_finite("cap", cap)
    shape = mdp.rewards.shape
    values, policy = np.zeros(shape[0]), np.zeros(shape[0], dtype=np.int64)
    if start is not None:
        require_start(start, shape)
        values[:], policy[:] = start.v, require_indices("start.policy", start.policy, shape[1])
    require_indices("successors", mdp.successors, mdp.n_states)
    q = np.empty(shape)
    arrays = plain_arrays(_with_a_successor(mdp))
    capped, room = _kernels_and_room(shape[0], arrays[0].shape[2])
    iterations, residual = capped.solve_capped(*arrays, discount, cap, values, policy, q, room)
    if math.isnan(residual):
        raise NotFinite.of(mdp, discount)
    return Solution(q, values, policy, iterations, residual)


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

    Raises
    ------
    ValueError
        If ``horizon`` is out of range, ``cap`` is not finite, or a value is not.
    """
    horizon = require_horizon(horizon, require_mdp(mdp).rewards.size)
    cap = require_finite("cap", cap)
    q = np.empty((horizon, mdp.n_states, mdp.n_actions))
    v = np.zeros((horizon + 1, mdp.n_states))
    with np.errstate(over="ignore", invalid="ignore"):
        for step in reversed(range(horizon)):
            q[step] = q_values(mdp, v[step + 1], 1.0)
            v[step] = np.minimum(q[step].max(axis=1), cap)
    require_finite_values(q, mdp, 1.0)
    return Solution(q, v, greedy_policy(q), horizon, 0.0)


def _with_a_successor(mdp: MDP) -> MDP:
    """The same MDP; where no row lists any, with one successor of weight 0, to stay in."""
    if mdp.successors.shape[-1]:
        return mdp
    nobody = (*mdp.rewards.shape, 1)
    return replace(mdp, successors=np.zeros(nobody, dtype=np.int64), weights=np.zeros(nobody))


@lru_cache(maxsize=16)
def _kernels_and_room(n_states: int, n_listed: int) -> tuple:
    """The compiled module, and its room to work in; see `exact`."""
    from eubrl_edu.planning import capped_kernels

    return capped_kernels, capped_kernels.kernels.make_room(n_states, n_listed)
