"""Value iteration as printed in textbooks: the solver to read."""

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import Solution, greedy_policy, q_values
from eubrl_edu.validation import (
    LARGEST,
    require_above,
    require_between,
    require_discount,
    require_reals,
)

# The sweeps that it takes grow as 1 / (1 - γ): here there may be millions, which take minutes.
LARGEST_DISCOUNT = 1 - 1e-5
# A residual this small, relative to the largest |V|, is rounding.
ROUNDING = 4e-15


def value_iteration(
    mdp: MDP, discount: float, tolerance: float = 1e-2, initial: np.ndarray | None = None
) -> Solution:
    """Apply the Bellman equation over and over until the values hardly change.

        V_{k+1}(s) = max_a [ r(s, a) + γ Σ_s' P(s'|s,a) V_k(s') ]

    until sup_s |V_{k+1}(s) - V_k(s)| ≤ ``tolerance``. That is a rule for the *residual*, not for
    the error, which only obeys |V_{k+1} - V*| ≤ residual · γ / (1 - γ): with a tolerance of 1e-2
    the values may be wrong by 0.99 at γ = 0.99, and by 9.99 at γ = 0.999. `solve` finds V* itself.

    A residual may shrink by no more than the factor γ in a sweep: with γ = 1 - 1e-5 and the
    smallest tolerance there may be millions of sweeps, which take minutes.

    Parameters
    ----------
    mdp : MDP
    discount : float
        γ in [0, 1 - 1e-5].
    tolerance : float
        Residual at which to stop, in units of reward; greater than 0. Rounding may keep a
        residual below 4e-15 · max |V| from being reached, so that is enough to stop as well.
    initial : (S,) array, optional
        V_0; zero if left out.

    Returns
    -------
    Solution
        ``iterations`` counts the sweeps, ``residual`` is the last change.

    Raises
    ------
    ValueError
        If ``discount`` or ``tolerance`` is out of range, ``initial`` has another shape or is too
        large, or the values are not finite.
    """
    discount = require_discount(discount)
    if discount > LARGEST_DISCOUNT:
        raise ValueError(
            f"discount must be at most 1 - 1e-5 for value iteration, got {discount!r}: it takes "
            "millions of sweeps beyond, where solve takes no longer"
        )
    tolerance = require_above("tolerance", tolerance, 0)
    n_states = require_mdp(mdp).n_states
    values = np.zeros(n_states) if initial is None else require_reals("initial", initial)
    if values.shape != (mdp.n_states,):
        raise ValueError(f"initial must have shape ({mdp.n_states},), got {values.shape}")
    require_between("initial", values, -LARGEST, LARGEST)
    sweeps, residual = 0, np.inf
    while residual > max(tolerance, ROUNDING * np.abs(values).max()):
        q = q_values(mdp, values, discount)
        residual = float(np.abs(q.max(axis=1) - values).max())
        values = q.max(axis=1)
        sweeps += 1
    return Solution(q, values, greedy_policy(q), sweeps, residual)
