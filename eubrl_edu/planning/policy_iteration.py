"""Policy iteration as printed in textbooks: evaluate, improve, until nothing improves."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from eubrl_edu.mdp import MDP, require_mdp
from eubrl_edu.planning.bellman import Solution, q_values
from eubrl_edu.planning.policy_evaluation import evaluate_policy, require_policy
from eubrl_edu.validation import require_discount

# A gain below this, relative to the largest |V|, is taken for rounding.
GAIN_TOLERANCE = 1e-13
# Policy iteration never takes more policies than pairs (s, a), in practice, and mostly a handful;
# this many more mean that rounding goes in circles.
SPARE_POLICIES = 100


def policy_iteration(mdp: MDP, discount: float, policy: np.ndarray | None = None) -> Solution:
    """Evaluate a policy exactly, make it greedy for its own values, and so on.

        V_k = the values of π_k,   π_{k+1}(s) = argmax_a [ r(s, a) + γ Σ_s' P(s'|s,a) V_k(s') ]

    Each policy is better than the one before, and there are finitely many, so this ends at V*.
    An action is kept unless another one gains more than 1e-13 · max |V|: equally good actions
    would otherwise take turns for ever. `solve` does the same, compiled.

    Parameters
    ----------
    mdp : MDP
    discount : float
        γ in [0, 1).
    policy : (S,) integer array, optional
        π_0; action 0 everywhere if left out.

    Returns
    -------
    Solution
        ``iterations`` counts the policies evaluated.

    Raises
    ------
    ValueError
        If ``discount`` or the policy is out of range, or the values are not finite.
    """
    discount = require_discount(discount)
    n_states, n_actions = require_mdp(mdp).rewards.shape
    if policy is None:
        policy = np.zeros(n_states, dtype=np.int64)
    policy = require_policy(policy, (n_states,), n_actions)
    most = mdp.rewards.size + SPARE_POLICIES
    evaluated = list(islice(improved_policies(mdp, discount, policy), most))
    policy, values = evaluated[-1]
    q = q_values(mdp, values, discount)
    residual = float(np.abs(q.max(axis=1) - values).max())
    return Solution(q, q.max(axis=1), policy, len(evaluated), residual)


def improved_policies(
    mdp: MDP, discount: float, policy: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The policies of `policy_iteration` from this one on, each with its values."""
    better = np.array(True)
    while better.any():
        values = evaluate_policy(mdp, policy, discount)
        yield policy, values
        q = q_values(mdp, values, discount)
        gain = q.max(axis=1) - q[np.arange(mdp.n_states), policy]
        better = gain > GAIN_TOLERANCE * np.abs(values).max()
        policy = np.where(better, q.argmax(axis=1), policy)
