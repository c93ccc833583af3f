"""The Bellman equations in plain NumPy: values of actions, the greedy choice, the residual.

    Q(s, a) = r(s, a) + γ Σ_s' P(s'|s,a) V(s')        V(s) = max_a Q(s, a)

Every solver of this package finds the V that makes both true. They differ in how they find it.
"""

import math
from typing import NamedTuple

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.validation import require_discount, require_reals, shown

# Values closer than this, relative to the largest of their row, count as equal.
TIE_TOLERANCE = 1e-10


class Solution(NamedTuple):
    """What a solver found.

    Attributes
    ----------
    q : (S, A) array, or (H, S, A) with a horizon
        Value of each action.
    v : (S,) array, or (H + 1, S) with a horizon
        Value of each state, ``v = q.max(axis=-1)``; with a horizon, ``v[H]`` is 0.
    policy : (S,) integer array, or (H, S) with a horizon
        An optimal action for each state.
    iterations : int
        How much work it took: sweeps (value iteration), policies evaluated (policy iteration,
        ``solve``), or steps of the horizon (backward induction).
    residual : float
        sup_s |max_a Q(s, a) - V'(s)|, where V' are the values that Q was computed from: the
        sup-norm Bellman residual of V'. It bounds the error of ``v`` by
        sup_s |v(s) - V*(s)| ≤ residual · γ / (1 - γ). With a horizon it is 0.
    """

    q: np.ndarray
    v: np.ndarray
    policy: np.ndarray
    iterations: int
    residual: float


class NotFinite(ValueError):
    """The values of an MDP are beyond the range of floats."""

    @classmethod
    def of(cls, mdp: MDP, discount: float) -> "NotFinite":
        """The error that says which rewards and which discount it was."""
        return cls(
            "the values of this MDP are beyond the range of floats: its rewards go from "
            f"{mdp.rewards.min():g} to {mdp.rewards.max():g}, and the discount is {discount!r}"
        )


def require_finite_values(q: np.ndarray, mdp: MDP, discount: float) -> None:
    """Raise `NotFinite` unless all values found for an MDP are finite."""
    if not np.isfinite(q).all():
        raise NotFinite.of(mdp, discount)


def q_values(mdp: MDP, values: np.ndarray, discount: float) -> np.ndarray:
    """Value of each action when the next state is worth V.

        Q(s, a) = r(s, a) + γ Σ_s' P(s'|s,a) V(s')

    Parameters
    ----------
    mdp : MDP
    values : (S,) array
        V(s).
    discount : float
        γ.

    Returns
    -------
    (S, A) array

    Raises
    ------
    ValueError
        If ``discount`` is out of range, or the values of states or of actions are not finite.
    """
    discount = require_discount(discount, horizon=1)
    with np.errstate(over="ignore", invalid="ignore"):
        q = require_mdp(mdp).rewards + discount * mdp.expected(values)
    require_finite_values(q, mdp, discount)
    return q


def greedy_policy(q: np.ndarray) -> np.ndarray:
    """The action of greatest value in each state, argmax_a Q(s, a); the first of `greedy_actions`.

    Parameters
    ----------
    q : (..., A) array

    Returns
    -------
    (...) integer array

    Raises
    ------
    ValueError
        If a value is not finite, or there is none.
    """
    q = require_reals("q", q)
    if q.shape[-1] == 0:
        raise ValueError(f"q must hold a value for each action, got shape {q.shape}")
    best = q.max(axis=-1, keepdims=True)
    largest = np.maximum(best, -q.min(axis=-1, keepdims=True))
    return np.argmax(q >= best - TIE_TOLERANCE * largest, axis=-1)


def bellman_residual(mdp: MDP, values: np.ndarray, discount: float) -> float:
    """How far V is from solving the Bellman equation: sup_s |max_a Q(s, a) - V(s)|.

    This is not the error of V, which can be 1 / (1 - γ) times as large.

    Parameters
    ----------
    mdp : MDP
    values : (S,) array
        V(s).
    discount : float
        γ.

    Raises
    ------
    ValueError
        As `q_values`.
    """
    return float(np.abs(q_values(mdp, values, discount).max(axis=1) - values).max())


def greedy_actions(q_row: np.ndarray) -> list[int]:
    """The actions that are as good as the best one, up to rounding.

    Action a is among them if max_b Q(b) - Q(a) ≤ 1e-10 · max_b |Q(b)|. Agents choose among them
    at random, so that rounding never decides (``np.argmax`` would let it).

    Parameters
    ----------
    q_row : (A,) array
        Q(s, ·) of one state.

    Returns
    -------
    list of int
        In increasing order; never empty.

    Raises
    ------
    ValueError
        If a value is not finite, or there is none.
    """
    is_array = isinstance(q_row, np.ndarray) and not isinstance(q_row, np.ma.MaskedArray)
    if not is_array or q_row.ndim != 1 or q_row.dtype.kind not in "fiub":
        raise ValueError(f"q_row must be an array of numbers, of shape (A,), got {shown(q_row)}")
    values = q_row.tolist()
    if not values or not all(map(math.isfinite, values)):
        raise ValueError(f"q_row must hold a finite value for each action, got {values}")
    best = max(values)
    threshold = best - TIE_TOLERANCE * max(best, -min(values))
    return [action for action, value in enumerate(values) if value >= threshold]
