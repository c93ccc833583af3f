"""Values that are not let above a cap: V(s) = min{max_a Q(s, a), cap}.

The theory of EUBRL asks for subjective values of at most V↑ = R_max / (1 − γ), though bonuses
alone can be worth more, and its error function J is cut off at V↑ as well.
"""

import math
from dataclasses import replace

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import NotFinite, Solution
from eubrl_edu.planning.exact import beginning, plain_arrays, room_for
from eubrl_edu.validation import require_discount, require_finite, require_indices, require_reals


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
    # Here, as it loads numba, which takes a while.
    from eubrl_edu.planning import capped_kernels

    shape = require_mdp(mdp).rewards.shape
    discount = require_discount(discount)
    cap = require_finite("cap", cap)
    values, policy = beginning(start, shape)
    require_indices("start.policy", policy, shape[1])
    require_indices("successors", mdp.successors, mdp.n_states)
    q = np.empty(shape)
    arrays = plain_arrays(_with_a_successor(mdp))
    iterations, residual = capped_kernels.solve_capped(
        *arrays, discount, cap, values, policy, q, room_for(shape[0], arrays[0].shape[2])
    )
    if math.isnan(residual):
        if start is not None:
            require_reals("start.v", start.v)
        raise NotFinite.of(mdp, discount)
    return Solution(q, values, policy, iterations, residual)


def _with_a_successor(mdp: MDP) -> MDP:
    """The same MDP; where no row lists any, with one successor of weight 0, to stay in."""
    if mdp.successors.shape[-1]:
        return mdp
    nobody = (*mdp.rewards.shape, 1)
    return replace(mdp, successors=np.zeros(nobody, dtype=np.int64), weights=np.zeros(nobody))
