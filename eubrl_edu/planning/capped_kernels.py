"""What `capped.solve_capped` runs, compiled; other compiled code may call it too."""

import numpy as np

from eubrl_edu.compiling import compiled
from eubrl_edu.planning import kernels
from eubrl_edu.planning.policy_iteration import SPARE_POLICIES

# Without a tolerance, relative to the cap, rounding could move a state just at it to and fro.
ROUNDING = 1e-12


@compiled
def solve_capped(successors, weights, background, rewards, discount, cap, values, policy, q, room):
    """Replace ``values`` and ``policy``, and fill ``q``, as `capped.solve_capped` describes.

    The first guess are the states whose values are at the cap. Returns the number of MDPs solved
    and the residual, which is NaN where the values are not finite.
    """
    n_states, n_actions = rewards.shape
    above = values >= cap
    solved = 0
    while True:
        staying = with_states_that_stay(
            successors, weights, background, rewards, above, (1 - discount) * cap
        )
        _, residual = kernels.solve(
            staying[0], staying[1], staying[2], staying[3], discount, values, policy, q, room
        )
        solved += 1
        if np.isnan(residual):
            return solved, residual
        for state in range(n_states):
            if above[state]:
                values[state] = cap
        kernels.q_values(successors, weights, background, rewards, discount, values, q)
        changed, residual = 0, 0.0
        for state in range(n_states):
            best_action = 0
            for action in range(1, n_actions):
                if q[state, action] > q[state, best_action]:
                    best_action = action
            best = q[state, best_action]
            rounding = ROUNDING * abs(cap)
            is_above = best >= cap - rounding if above[state] else best > cap + rounding
            changed += is_above != above[state]
            above[state] = is_above
            residual = max(residual, abs(min(best, cap) - values[state]))
            values[state] = min(best, cap)
            policy[state] = best_action
        if changed == 0 or solved == n_states + SPARE_POLICIES:
            return solved, residual


@compiled
def with_states_that_stay(successors, weights, background, rewards, stays, reward):
    """The same MDP, but that some states lead to themselves and pay ``reward``."""
    successors, weights = successors.copy(), weights.copy()
    background, rewards = background.copy(), rewards.copy()
    for state in np.flatnonzero(stays):
        successors[state, :, 0] = state
        weights[state] = 0.0
        weights[state, :, 0] = 1.0
        background[state] = 0.0
        rewards[state] = reward
    return successors, weights, background, rewards
