"""The fast exact solver, for agents that plan again at every step."""

from functools import cache, lru_cache

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.planning.bellman import Solution
from eubrl_edu.validation import require_discount, require_positive_int

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
        If ``discount`` or a successor is out of range, or ``start`` belongs to an MDP of another
        shape.
    """
    discount = require_discount(discount)
    shape = mdp.rewards.shape
    if start is None:
        # Compiled code does not look where it reads, so a first solve makes sure.
        lowest, highest = mdp.successors.min(initial=0), mdp.successors.max(initial=0)
        if lowest < 0 or highest >= shape[0]:
            raise ValueError(
                f"successors must be states from 0 to {shape[0] - 1}, got values from {lowest} "
                f"to {highest}"
            )
        values = np.zeros(shape[0])
        policy = np.zeros(shape[0], dtype=np.int64)
    else:
        if start.q.shape != shape:
            raise ValueError(
                f"start must be the solution of an MDP of shape (S, A) = {shape}, "
                f"got one of shape {start.q.shape}"
            )
        values = start.v.copy()
        policy = start.policy.copy()
    q = np.empty(shape)
    kernels, room = _kernels_and_room(shape[0], mdp.successors.shape[2])
    iterations, residual = kernels.solve(
        *_arrays(mdp),
        discount,
        values,
        policy,
        q,
        room,
    )
    return Solution(q, values, policy, iterations, residual)


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
        If ``horizon`` or ``discount`` is out of range.
    """
    horizon = require_positive_int("horizon", horizon)
    discount = require_discount(discount, horizon)
    n_states, n_actions = mdp.rewards.shape
    q = np.empty((horizon, n_states, n_actions))
    v = np.empty((horizon + 1, n_states))
    policy = np.empty((horizon, n_states), dtype=np.int64)
    _kernels().backward_induction(*_arrays(mdp), discount, q, v, policy)
    return Solution(q, v, policy, horizon, 0.0)


@cache
def _kernels():
    """The compiled module, imported at the first call: numba takes a while to load."""
    from eubrl_edu.planning import kernels

    return kernels


@lru_cache(maxsize=16)
def _kernels_and_room(n_states: int, n_listed: int) -> tuple:
    """The compiled module, and its room to work in, which remembers the last policy's graph.

    The kernel holds the interpreter's lock, so no two threads are ever in the room at once.
    """
    kernels = _kernels()
    return kernels, kernels.make_room(n_states, n_listed)


def _arrays(mdp: MDP) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
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
