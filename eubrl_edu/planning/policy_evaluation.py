"""The exact value of a policy: one sparse linear system, plus one rank for the background."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import require_finite_values
from eubrl_edu.validation import require_discount, require_indices


def evaluate_policy(mdp: MDP, policy: np.ndarray, discount: float) -> np.ndarray:
    """The values of always acting by one policy, exactly.

    With W the listed part and b the background of the rows that the policy chooses, V solves
    V = r + γ (W V + b σ), where σ = Σ_s V(s). As b σ has rank one (Sherman–Morrison),

        x = (I - γW)^{-1} r,   y = (I - γW)^{-1} b,
        σ = Σ x / (1 - γ Σ y),   V = x + γ σ y.

    Parameters
    ----------
    mdp : MDP
    policy : (S,) integer array
        The action taken in each state.
    discount : float
        γ in [0, 1).

    Returns
    -------
    (S,) array
        V(s).

    Raises
    ------
    ValueError
        If ``discount`` or the policy is out of range, or the values are not finite.
    """
    discount = require_discount(discount)
    n_states, n_actions = require_mdp(mdp).rewards.shape
    policy = require_policy(policy, (n_states,), n_actions)
    states = np.arange(n_states)
    weights = mdp.weights[states, policy]
    listed = sparse.coo_array(
        (
            weights.ravel(),
            (np.repeat(states, weights.shape[1]), mdp.successors[states, policy].ravel()),
        ),
        shape=(n_states, n_states),
    )
    elimination = splu((sparse.eye_array(n_states) - discount * listed).tocsc())
    x = elimination.solve(mdp.rewards[states, policy])
    y = elimination.solve(mdp.background[states, policy])
    with np.errstate(over="ignore", invalid="ignore"):
        total = x.sum() / (1 - discount * y.sum())
        values = x + discount * total * y
    require_finite_values(values, mdp, discount)
    return values


def require_policy(policy, shape: tuple[int, ...], n_actions: int) -> np.ndarray:
    """Return ``policy`` as an integer array of that shape with actions in range, or raise."""
    policy = require_indices("policy", policy, n_actions)
    if policy.shape != shape:
        raise ValueError(f"policy must be of shape {shape}, got one of shape {policy.shape}")
    return policy
