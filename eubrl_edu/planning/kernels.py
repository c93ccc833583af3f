"""The compiled planner: what `solve` and `solve_horizon` run, and other compiled code may call.

Every function here equals a plain one that is easier to read:

    q_values              bellman.q_values
    solve                 policy_iteration.policy_iteration
    backward_induction    finite_horizon.backward_induction
    greedy_actions        bellman.greedy_actions

All are functions of arrays that write into arrays, in an order of arithmetic that never varies.
``integers`` (9, S + 1) and ``floats`` (5, S) are room to work in; what they hold does not matter.
Index arrays are int64, the others float64, all C-contiguous.
"""

import numpy as np
from numba import njit

from eubrl_edu.planning.bellman import TIE_TOLERANCE
from eubrl_edu.planning.kernels_evaluation import evaluate_policy
from eubrl_edu.planning.policy_iteration import GAIN_TOLERANCE, SPARE_POLICIES

# Pairs of sweeps (backward, forward) before a policy is evaluated exactly.
SWEEP_PAIRS = 4


@njit(cache=True, forceinline=True)
def action_value(successors, weights, background, rewards, discount, values, total, state, action):
    """Q(s, a) for one pair; ``total`` is the sum of the values."""
    expected = background[state, action] * total
    for k in range(successors.shape[2]):
        expected += weights[state, action, k] * values[successors[state, action, k]]
    return rewards[state, action] + discount * expected


@njit(cache=True)
def total_and_largest(values):
    """The sum of the values, and the largest |value|."""
    total, largest = 0.0, 0.0
    for value in values:
        total += value
        largest = max(largest, abs(value))
    return total, largest


@njit(cache=True)
def q_values(successors, weights, background, rewards, discount, values, q):
    """Write r + γPV into ``q`` (S, A)."""
    total, _ = total_and_largest(values)
    for state in range(q.shape[0]):
        for action in range(q.shape[1]):
            q[state, action] = action_value(
                successors, weights, background, rewards, discount, values, total, state, action
            )


@njit(cache=True)
def backward_induction(successors, weights, background, rewards, discount, q, v, policy):
    """Write Q_h into ``q`` (H, S, A), V_h into ``v`` (H + 1, S), and the ``policy`` (H, S)."""
    horizon, n_states, n_actions = q.shape
    v[horizon] = 0.0
    for step in range(horizon - 1, -1, -1):
        q_values(successors, weights, background, rewards, discount, v[step + 1], q[step])
        for state in range(n_states):
            best = 0
            for action in range(1, n_actions):
                if q[step, state, action] > q[step, state, best]:
                    best = action
            policy[step, state] = best
            v[step, state] = q[step, state, best]


@njit(cache=True)
def greedy_actions(q_row, actions):
    """Write the actions that tie for the best into ``actions`` (A,); return their number."""
    best, worst = q_row[0], q_row[0]
    for value in q_row:
        best = max(best, value)
        worst = min(worst, value)
    threshold = best - TIE_TOLERANCE * max(best, -worst)
    count = 0
    for action in range(q_row.shape[0]):
        if q_row[action] >= threshold:
            actions[count] = action
            count += 1
    return count


@njit(cache=True)
def sweep(successors, weights, background, rewards, discount, values, policy):
    """Two sweeps of value iteration in place, one backward and one forward.

    In place (Gauss-Seidel), news travels through all states that come in the right order, not
    through one. Returns how many actions changed.
    """
    n_states, n_actions = rewards.shape
    changed = 0
    for forward in range(2):
        total, largest = total_and_largest(values)
        for place in range(n_states):
            state = place if forward else n_states - 1 - place
            kept, best, best_action = 0.0, -np.inf, 0
            for action in range(n_actions):
                value = action_value(
                    successors, weights, background, rewards, discount, values, total, state, action
                )
                if value > best:
                    best, best_action = value, action
                if action == policy[state]:
                    kept = value
            values[state] = kept
            if best - kept > GAIN_TOLERANCE * largest:
                values[state] = best
                policy[state] = best_action
                changed += 1
    return changed


@njit(cache=True)
def solve(successors, weights, background, rewards, discount, values, policy, q, integers, floats):
    """Policy iteration from the given values and policy; both are replaced, and ``q`` is filled.

    Before a policy is evaluated exactly, sweeps improve it as long as they change it: that is
    cheap, and each sweep carries news through many states. Returns the number of policies
    evaluated and the residual.
    """
    n_states, n_actions = rewards.shape
    evaluated = 0
    while True:
        for _ in range(SWEEP_PAIRS):
            if sweep(successors, weights, background, rewards, discount, values, policy) == 0:
                break
        evaluate_policy(
            successors, weights, background, rewards, discount, policy, values, integers, floats
        )
        evaluated += 1
        q_values(successors, weights, background, rewards, discount, values, q)
        _, largest = total_and_largest(values)
        changed, residual = 0, 0.0
        for state in range(n_states):
            kept = q[state, policy[state]]
            best, best_action = kept, policy[state]
            for action in range(n_actions):
                if q[state, action] > best:
                    best, best_action = q[state, action], action
            residual = max(residual, abs(best - values[state]))
            values[state] = best
            if best - kept > GAIN_TOLERANCE * largest:
                policy[state] = best_action
                changed += 1
        if changed == 0 or evaluated == rewards.size + SPARE_POLICIES:
            return evaluated, residual
