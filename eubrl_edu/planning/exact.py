"""The fast exact solver, for agents that plan again at every step."""

import math
from functools import cache, lru_cache

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import NotFinite, Solution, require_finite_values
from eubrl_edu.validation import (
    require_discount,
    require_horizon,
    require_indices,
    require_reals,
    shown,
)

# NumPy keeps one object for each of its own types, so `is` tells, and at once.
INTEGER, REAL = np.dtype(np.int64), np.dtype(np.float64)


def solve(mdp: MDP, discount: float, start: Solution | None = None) -> Solution:
    """Solve an MDP exactly, from scratch or from the solution of a similar one.

    Policy iteration (`policy_iteration`) on the structure of the problem: sweeps of value
    iteration first, which carry news of a change to the states that it concerns, then exact
    evaluations of whole policies (`evaluate_policy`), compiled. Neither time nor memory grow with
    S² unless the listed successors themselves do.

    Parameters
    ----------
    mdp : MDP
    discount : float
        γ in [0, 1).
    start : Solution, optional
        The solution of an MDP of the same shape; the closer it is, the faster. The result does
        not depend on it, up to rounding and to the choice among equally good actions.

    Returns
    -------
    Solution
        ``iterations`` counts the policies evaluated.

    Raises
    ------
    ValueError
        If ``mdp`` is none, ``discount`` or a successor is out of range, ``start`` belongs to an
        MDP of another shape, or the values are not finite.
    """
    discount = require_discount(discount)
    shape = require_mdp(mdp).rewards.shape
    values, policy = beginning(start, shape)
    q = np.empty(shape)
    iterations, residual = _kernels().checked_solve(
        *plain_arrays(mdp), discount, values, policy, q, room_for(shape[0], mdp.successors.shape[2])
    )
    if math.isnan(residual):
        # An array that was changed since would be read out of.
        require_indices("successors", mdp.successors, mdp.n_states)
        require_indices("start.policy", policy, mdp.n_actions)
        if start is not None:
            require_reals("start.v", start.v)
        raise NotFinite.of(mdp, discount)
    return Solution(q, values, policy, iterations, residual)


def beginning(start: Solution | None, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The values and the policy to begin with for an MDP of shape (S, A): copies, or zeros.

    Raises
    ------
    ValueError
        If ``start`` is not the solution of an MDP of that shape.
    """
    if start is None:
        return np.zeros(shape[0]), np.zeros(shape[0], dtype=INTEGER)
    if not isinstance(start, Solution):
        raise ValueError(
            f"start must be the solution of an MDP of shape (S, A) = {shape}, got {shown(start)}"
        )
    for name, array, fits, kinds in (
        ("q", start.q, shape, "fiu"),
        ("v", start.v, shape[:1], "fiu"),
        ("policy", start.policy, shape[:1], "iu"),
    ):
        is_array = isinstance(array, np.ndarray)
        if not is_array or array.shape != fits or array.dtype.kind not in kinds:
            got = f"{array.dtype} of shape {array.shape}" if is_array else shown(array)
            raise ValueError(
                f"start must be the solution of an MDP of shape (S, A) = {shape}: start.{name} "
                f"must be an array of {'integers' if kinds == 'iu' else 'numbers'} of shape {fits},"
                f" got {got}"
            )
    return np.array(start.v, dtype=REAL), np.array(start.policy, dtype=INTEGER)


def solve_horizon(mdp: MDP, horizon: int, discount: float = 1.0) -> Solution:
    """Backward induction, compiled: the same as `backward_induction`, for agents.

    Parameters
    ----------
    mdp : MDP
    horizon : int
        H, in steps; at least 1.
    discount : float
        γ in [0, 1].

    Returns
    -------
    Solution
        ``q`` (H, S, A), ``v`` (H + 1, S) with ``v[H] = 0``, ``policy`` (H, S).

    Raises
    ------
    ValueError
        If ``horizon`` or ``discount`` is out of range, or the values are not finite.
    """
    horizon = require_horizon(horizon, require_mdp(mdp).rewards.size)
    discount = require_discount(discount, horizon)
    require_indices("successors", mdp.successors, mdp.n_states)
    n_states, n_actions = mdp.rewards.shape
    q = np.empty((horizon, n_states, n_actions))
    v = np.empty((horizon + 1, n_states))
    policy = np.empty((horizon, n_states), dtype=np.int64)
    _kernels().backward_induction(*plain_arrays(mdp), discount, q, v, policy)
    require_finite_values(q, mdp, discount)
    return Solution(q, v, policy, horizon, 0.0)


@cache
def _kernels():
    """The compiled module, imported at the first call: numba takes a while to load."""
    from eubrl_edu.planning import kernels

    return kernels


@lru_cache(maxsize=16)
def room_for(n_states: int, n_listed: int) -> tuple:
    """The kernels' room to work in, which remembers the last policy's graph.

    A kernel holds the interpreter's lock, so no two threads are ever in the room at once.
    """
    return _kernels().make_room(n_states, n_listed)


def plain_arrays(mdp: MDP) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The MDP's arrays in the one layout that the kernels are compiled for."""
    return (
        _plain(mdp.successors, INTEGER),
        _plain(mdp.weights, REAL),
        _plain(mdp.background, REAL),
        _plain(mdp.rewards, REAL),
    )


def _plain(array: np.ndarray, kind: np.dtype) -> np.ndarray:
    """The array itself if it is writable, C-contiguous and of this kind; else a copy that is."""
    if array.dtype is kind and array.flags.carray:
        return array
    return np.array(array, dtype=kind, order="C")
