"""The compiled planner: what `solve` and `solve_horizon` run, and other compiled code may call.

Private, as all compiled code is: see `eubrl_edu.compiling.compiled`.

These functions equal plain ones that are easier to read:

    q_values              bellman.q_values
    greedy_actions        bellman.greedy_actions
    backward_induction    finite_horizon.backward_induction
    solve                 policy_iteration.policy_iteration
    evaluate_policy       policy_evaluation.evaluate_policy

All are functions of arrays that write into arrays, in an order of arithmetic that never varies.
Index arrays are int64, the others float64, all C-contiguous; ``room`` is what `make_room` returns.

How a policy is evaluated. The strongly connected components of its graph (``graph_kernels``),
ordered such that a state's successors come before the state, are solved one after the other: a
component of one state by a division, a larger one by elimination. I - γW is diagonally dominant, so
no pivoting is needed. Within a component the states are numbered such that neighbours get close
numbers (reverse Cuthill-McKee); then all that elimination ever touches is, in each row and column,
the stretch from its first entry to the diagonal: the *profile*. A chain of n states costs O(n) that
way. Where the profile is too wide (a big component without geometry) a Krylov method solves the
whole system instead, and elimination is only the last resort. Components and order are found anew
only when the graph has changed: the room keeps those of its last graph.
"""

import numpy as np

from eubrl_edu.compiling import compiled
from eubrl_edu.planning.bellman import TIE_TOLERANCE
from eubrl_edu.planning.graph_kernels import follow_edges, narrow_profile, strong_components
from eubrl_edu.planning.lending import lent
from eubrl_edu.planning.linear_kernels import eliminate, minimise_residual, total_and_largest
from eubrl_edu.planning.policy_iteration import GAIN_TOLERANCE, SPARE_POLICIES

# Most sweeps, backward and forward in turn, before a policy is evaluated exactly.
SWEEPS = 8
# Elimination comes first up to this many multiplications per edge.
WORK_PER_EDGE = 2000
# Stands for the first entry of the first row (which is 0) while a graph has no narrow profile.
TOO_WIDE = -1
# The Krylov method's residual, relative to the largest |V|; the rough one is for a policy that
# sweeps still change.
RESIDUAL_TOLERANCE = 1e-14
ROUGH_TOLERANCE = 1e-4


@compiled
def make_room(n_states, n_listed):
    """Room to work in for MDPs of S states with K listed successors; no graph is in it yet."""
    n_edges = n_states * n_listed
    return (
        np.full((9, n_states + 1), -1, np.int64),
        np.empty((5, n_states)),
        np.empty(n_edges, np.int64),
        np.empty(n_edges),
    )


@compiled(forceinline=True)
def action_value(successors, weights, background, rewards, discount, values, total, state, action):
    """Q(s, a) for one pair; ``total`` is the sum of the values."""
    expected = background[state, action] * total
    for k in range(successors.shape[2]):
        expected += weights[state, action, k] * values[successors[state, action, k]]
    return rewards[state, action] + discount * expected


@compiled
def q_values(successors, weights, background, rewards, discount, values, q):
    """Write r + γPV into ``q`` (S, A)."""
    total, _ = total_and_largest(values)
    for state in range(q.shape[0]):
        for action in range(q.shape[1]):
            q[state, action] = action_value(
                successors, weights, background, rewards, discount, values, total, state, action
            )


@compiled
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


@compiled
def greedy_actions(q_row, actions):
    """Write the actions that tie for the best into ``actions`` (A,); return their number.

    It is 0 only where a value is not finite, which `solve` tells.
    """
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


@compiled
def all_within(indices, size):
    """Whether all indices of a one-dimensional array are from 0 to ``size`` - 1."""
    signs = 0
    for index in indices:
        signs |= index | (size - 1 - index)
    return signs >= 0


@compiled
def all_finite(values):
    """Whether every number of a one-dimensional array is finite."""
    finite = True
    for value in values:
        finite &= abs(value) < np.inf
    return finite


@compiled
def sweep(successors, weights, background, rewards, discount, values, policy, forward):
    """One sweep of value iteration in place, from the last state to the first or ``forward``.

    In place (Gauss-Seidel), news travels through all states that come in the right order, not
    through one. Returns how many actions changed.
    """
    n_states, n_actions = rewards.shape
    changed = 0
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


@compiled
def solve(successors, weights, background, rewards, discount, values, policy, q, room):
    """Policy iteration from the given values and policy; both are replaced, and ``q`` is filled.

    Before a policy is evaluated exactly, sweeps improve it as long as they change it: that is
    cheap, and each sweep carries news through many states. The first policy, if they still change
    it, may be evaluated roughly; the last never is. Returns the number of policies evaluated and
    the residual, which is NaN where the values are not finite.
    """
    successors, weights, background, rewards = lent((successors, weights, background, rewards))
    values, policy, q, room = lent((values, policy, q, room))
    n_states, n_actions = rewards.shape
    evaluated, tolerance = 0, ROUGH_TOLERANCE
    while True:
        for number in range(SWEEPS):
            forward = number % 2 == 1
            if not sweep(
                successors, weights, background, rewards, discount, values, policy, forward
            ):
                tolerance = RESIDUAL_TOLERANCE
                break
        exact = evaluate_policy(
            successors, weights, background, rewards, discount, policy, values, room, tolerance
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
        if changed == 0 and exact or evaluated == rewards.size + SPARE_POLICIES:
            return evaluated, residual if all_finite(q.reshape(-1)) else np.nan
        tolerance = RESIDUAL_TOLERANCE


@compiled
def checked_solve(successors, weights, background, rewards, discount, values, policy, q, room):
    """`solve` for arrays that anyone may have changed; -1 policies where an index leads out."""
    n_states, n_actions = rewards.shape
    if not (all_within(successors.reshape(-1), n_states) and all_within(policy, n_actions)):
        return -1, np.nan
    return solve(successors, weights, background, rewards, discount, values, policy, q, room)


@compiled
def evaluate_policy(
    successors, weights, background, rewards, discount, policy, values, room,
    tolerance=RESIDUAL_TOLERANCE,
):  # fmt: skip
    """Replace ``values`` (where the Krylov method starts, if it comes to that) by the policy's.

    Returns whether they are exact, which they always are but for a larger ``tolerance``.
    """
    n_states = values.shape[0]
    integers, floats, target, weight = room
    begin, order, component, first = integers[0], integers[1], integers[2], integers[3]
    place, lowest, spare = integers[4], integers[5], integers[6]
    reward, everywhere = floats[0], floats[1]
    for state in range(n_states):
        reward[state] = rewards[state, policy[state]]
        everywhere[state] = discount * background[state, policy[state]]
    search_order = integers[7]
    if not follow_edges(successors, weights, discount, policy, begin, target, weight):
        n_components = strong_components(
            begin, target, order, component, first, search_order, place, lowest, spare, integers[8]
        )
        search_order[:n_states] = order[:n_states]
        if not narrow_profile(
            begin, target, order, component, first, n_components, place, lowest, spare,
            WORK_PER_EDGE * begin[n_states],
        ):  # fmt: skip
            lowest[0] = TOO_WIDE
    n_components = component[search_order[n_states - 1]] + 1
    too_wide = lowest[0] == TOO_WIDE
    if too_wide:
        if minimise_residual(
            begin, target, weight, reward, everywhere, search_order, spare, values, tolerance
        ):
            return tolerance <= RESIDUAL_TOLERANCE
        order[:n_states] = search_order[:n_states]
        narrow_profile(
            begin, target, order, component, first, n_components, place, lowest, spare, np.inf
        )
    x, y = floats[2], floats[3]
    eliminate(
        begin, target, weight, reward, everywhere, order, first, n_components, place, lowest, spare,
        x, y, floats[4],
    )  # fmt: skip
    sum_x, sum_y = 0.0, 0.0
    for i in range(n_states):
        sum_x += x[i]
        sum_y += y[i]
    total = sum_x / (1.0 - sum_y)
    for i in range(n_states):
        values[order[i]] = x[i] + total * y[i]
    if too_wide:
        lowest[0] = TOO_WIDE
    return True
