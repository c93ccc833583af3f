"""The compiled planner: what `solve` and `solve_horizon` run, and other compiled code may call.

Private, as all compiled code is: see `eubrl_edu.compiling.compiled`.

The first functions equal plain ones that are easier to read:

    q_values              bellman.q_values
    greedy_actions        bellman.greedy_actions
    backward_induction    finite_horizon.backward_induction
    solve                 policy_iteration.policy_iteration
    evaluate_policy       policy_evaluation.evaluate_policy

All are functions of arrays that write into arrays, in an order of arithmetic that never varies.
Index arrays are int64, the others float64, all C-contiguous; ``room`` is what `make_room` returns.
How a policy is evaluated. The policy's *graph* has an edge from s to each listed successor of
(s, π(s)). Its strongly connected components, ordered such that a state's successors come before
the state, are solved one after the other: a component of one state by a division, a larger one by
elimination. I - γW is diagonally dominant, so no pivoting is needed. Within a component the states
are numbered such that neighbours get close numbers (reverse Cuthill-McKee); then all that
elimination ever touches is, in each row and column, the stretch from its first entry to the
diagonal: the *profile*. A chain of n states costs O(n) that way. Where the profile is too wide (a
big component without geometry) a Krylov method solves the whole system instead, and elimination
is only the last resort. Components and order are found anew only when the graph has changed:
the room keeps those of its last graph.

The edges of state s have the numbers ``begin[s]`` to ``begin[s + 1] - 1``; edge e leads to
``target[e]`` and ``weight[e]`` is γ times its probability. ``begin`` and ``first`` have S + 1
entries.
"""

import numpy as np

from eubrl_edu.compiling import compiled
from eubrl_edu.planning.bellman import TIE_TOLERANCE
from eubrl_edu.planning.lending import lent
from eubrl_edu.planning.policy_iteration import GAIN_TOLERANCE, SPARE_POLICIES

# Most sweeps, backward and forward in turn, before a policy is evaluated exactly.
SWEEPS = 8
# Elimination comes first up to this many multiplications per edge.
WORK_PER_EDGE = 2000
# Stands for the first entry of the first row (which is 0) while a graph has no narrow profile.
TOO_WIDE = -1
# The Krylov method: directions between restarts, Gauss-Seidel passes that make a direction, and the
# residual relative to the largest |V|; the rough one is for a policy that sweeps still change.
DIRECTIONS = 40
PASSES = 2
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
def total_and_largest(values):
    """The sum of the values, and the largest |value|."""
    total, largest = 0.0, 0.0
    for value in values:
        total += value
        largest = max(largest, abs(value))
    return total, largest


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


@compiled
def follow_edges(successors, weights, discount, policy, begin, target, weight):
    """Write the graph of a policy; return whether it has the edges that were there before."""
    n_states, _, n_listed = successors.shape
    n_edges, same = 0, True
    for state in range(n_states):
        action = policy[state]
        same &= begin[state] == n_edges
        begin[state] = n_edges
        for k in range(n_listed):
            if weights[state, action, k] != 0:
                same &= target[n_edges] == successors[state, action, k]
                target[n_edges] = successors[state, action, k]
                weight[n_edges] = discount * weights[state, action, k]
                n_edges += 1
    same &= begin[n_states] == n_edges
    begin[n_states] = n_edges
    return same


@compiled
def strong_components(begin, target, order, component, first, found, low, stack, path, next_edge):
    """Tarjan's algorithm without recursion; return the number of components.

    ``order`` lists the states component by component, successors first; ``component`` numbers
    the components in that order; ``first`` is the place in ``order`` where each begins. The
    other five arrays are room to work in.
    """
    n_states = begin.shape[0] - 1
    for state in range(n_states):
        found[state] = -1
        component[state] = -1
        next_edge[state] = begin[state]
    n_found, n_ordered, n_components, height = 0, 0, 0, 0
    for root in range(n_states):
        if found[root] >= 0:
            continue
        entering, depth = root, 0
        while True:
            if entering >= 0:
                found[entering] = low[entering] = n_found
                n_found += 1
                stack[height] = entering
                height += 1
                path[depth] = entering
                depth += 1
                entering = -1
            state = path[depth - 1]
            while next_edge[state] < begin[state + 1]:
                successor = target[next_edge[state]]
                next_edge[state] += 1
                if found[successor] < 0:
                    entering = successor
                    break
                if component[successor] < 0:
                    low[state] = min(low[state], low[successor])
            if entering >= 0:
                continue
            if low[state] == found[state]:
                first[n_components] = n_ordered
                while component[state] < 0:
                    height -= 1
                    component[stack[height]] = n_components
                    order[n_ordered] = stack[height]
                    n_ordered += 1
                n_components += 1
            depth -= 1
            if depth == 0:
                break
            parent = path[depth - 1]
            if component[state] < 0:
                low[parent] = min(low[parent], low[state])
    first[n_components] = n_states
    return n_components


@compiled
def narrow_profile(
    begin, target, order, component, first, n_components, place, lowest, last, most_work
):
    """Number the states of each component such that its profile is narrow.

    Rearranges ``order`` within each component; ``place`` becomes its inverse, and ``lowest`` the
    first place in the row or the column of each place that is not zero. Returns whether
    elimination then takes at most so much work, the squares of the rows' stretches added up;
    where it does not, the arrays may be left half done.
    """
    source = np.empty(target.shape[0], np.int64)
    previous = np.empty(target.shape[0], np.int64)
    for number in range(n_components):
        start, end = first[number], first[number + 1]
        if end - start > 1 and not cuthill_mckee(
            begin, target, order, component, start, end, place, last, source, previous, most_work
        ):
            return False
        for i in range(start, end):
            place[order[i]] = i
            lowest[i] = i
        for i in range(start, end):
            for edge in range(begin[order[i]], begin[order[i] + 1]):
                if component[target[edge]] == number:
                    j = place[target[edge]]
                    lowest[max(i, j)] = min(lowest[max(i, j)], i, j)
    work = 0.0
    for i in range(first[n_components]):
        work += float(i - lowest[i]) ** 2
    return work <= most_work


@compiled
def cuthill_mckee(
    begin, target, order, component, start, end, place, last, source, previous, most_work
):
    """Order one component breadth first, along edges and against them, then reverse it.

    The edges that lead to a state form a chain: ``last`` of a state, ``previous`` of an edge.
    A state that is the first to reach others will have a row from the last of them on. Gives up,
    and returns False, once such rows alone take more than the most work.
    """
    number = component[order[start]]
    for i in range(start, end):
        last[order[i]] = -1
    for i in range(start, end):
        for edge in range(begin[order[i]], begin[order[i] + 1]):
            successor = target[edge]
            if component[successor] == number:
                source[edge] = order[i]
                previous[edge] = last[successor]
                last[successor] = edge
    # Tarjan's algorithm lists the state first that it found last: one far out.
    for i in range(start, end):
        place[order[i]] = -1
    place[order[start]] = start
    reached = start + 1
    work = 0.0
    for i in range(start, end):
        state, reached_before = order[i], reached
        for edge in range(begin[state], begin[state + 1]):
            neighbour = target[edge]
            if component[neighbour] == number and place[neighbour] < 0:
                order[reached] = neighbour
                place[neighbour] = reached
                reached += 1
        edge = last[state]
        while edge >= 0:
            neighbour = source[edge]
            if place[neighbour] < 0:
                order[reached] = neighbour
                place[neighbour] = reached
                reached += 1
            edge = previous[edge]
        if reached > reached_before:
            work += float(reached - 1 - i) ** 2
            if work > most_work:
                return False
    for i in range((end - start) // 2):
        order[start + i], order[end - 1 - i] = order[end - 1 - i], order[start + i]
    return True


@compiled
def eliminate(
    begin, target, weight, reward, everywhere, order, first, n_components, place, lowest, offset,
    x, y, diagonal,
):  # fmt: skip
    """Solve (I - γW) x = r and (I - γW) y = γb, component by component.

    Here x, y, ``diagonal``, ``lowest`` and ``offset`` go by place in ``order``. Row i of L and
    column i of U hold the entries from ``lowest[i]`` to i - 1, one after the other.
    """
    n_states = x.shape[0]
    size = 0
    for i in range(n_states):
        offset[i] = size - lowest[i]
        size += i - lowest[i]
    both = np.zeros((2, size))
    lower, upper = both[0], both[1]
    for number in range(n_components):
        start, end = first[number], first[number + 1]
        for i in range(start, end):
            state = order[i]
            x[i] = reward[state]
            y[i] = everywhere[state]
            diagonal[i] = 1.0
            for edge in range(begin[state], begin[state + 1]):
                j = place[target[edge]]
                if j < start:
                    x[i] += weight[edge] * x[j]
                    y[i] += weight[edge] * y[j]
                elif j < i:
                    lower[offset[i] + j] -= weight[edge]
                elif j > i:
                    upper[offset[j] + i] -= weight[edge]
                else:
                    diagonal[i] -= weight[edge]
        for i in range(start, end):
            for j in range(lowest[i], i):
                below, above = lower[offset[i] + j], upper[offset[i] + j]
                for m in range(max(lowest[i], lowest[j]), j):
                    below -= lower[offset[i] + m] * upper[offset[j] + m]
                    above -= lower[offset[j] + m] * upper[offset[i] + m]
                below /= diagonal[j]
                lower[offset[i] + j] = below
                upper[offset[i] + j] = above
                diagonal[i] -= below * above
                x[i] -= below * x[j]
                y[i] -= below * y[j]
        for i in range(end - 1, start - 1, -1):
            x[i] /= diagonal[i]
            y[i] /= diagonal[i]
            for j in range(lowest[i], i):
                x[j] -= upper[offset[i] + j] * x[i]
                y[j] -= upper[offset[i] + j] * y[i]


@compiled
def minimise_residual(begin, target, weight, reward, everywhere, order, place, values, tolerance):
    """Generalised conjugate residuals, from the given values; return whether they converged.

    Each direction d is the correction that a few Gauss-Seidel passes in ``order`` make (a single
    one is exact where the graph has no cycle). A pass solves M c = residual, where M is the part of
    I - γP that leads to states before, and to itself; the rest of I - γP says what residual c
    leaves. So the image of d is the residual at first less what the last pass leaves. Cleared of
    the directions before, the step along d makes the residual as small as it gets. Gives up when a
    restart does not halve the residual.
    """
    n_states = values.shape[0]
    directions = np.empty((DIRECTIONS, n_states))
    images = np.empty((DIRECTIONS, n_states))
    # All by place in the order from here on; edges to places before come first in each row.
    first = np.empty(n_states + 1, np.int64)
    middle = np.empty(n_states, np.int64)
    to = np.empty(begin[n_states], np.uint32)
    by = np.empty(begin[n_states])
    own, everywhere_else = np.ones(n_states), np.empty(n_states)
    x, residual = np.empty(n_states), np.empty(n_states)
    correction, rest = np.empty(n_states), np.empty(n_states)
    for i in range(n_states):
        place[order[i]] = i
    n_edges = 0
    for i in range(n_states):
        state = order[i]
        x[i], everywhere_else[i] = values[state], everywhere[state]
        first[i] = n_edges
        for edge in range(begin[state], begin[state + 1]):
            if place[target[edge]] < i:
                to[n_edges], by[n_edges] = place[target[edge]], weight[edge]
                n_edges += 1
        middle[i] = n_edges
        for edge in range(begin[state], begin[state + 1]):
            if place[target[edge]] > i:
                to[n_edges], by[n_edges] = place[target[edge]], weight[edge]
                n_edges += 1
            elif place[target[edge]] == i:
                own[i] -= weight[edge]
    first[n_states] = n_edges
    worst_before = np.inf
    while True:
        total, _ = total_and_largest(x)
        for i in range(n_states):
            known = reward[order[i]] + everywhere_else[i] * total - own[i] * x[i]
            for edge in range(first[i], first[i + 1]):
                known += by[edge] * x[to[edge]]
            residual[i] = known
        goal = tolerance * largest_magnitude(x)
        worst = largest_magnitude(residual)
        if worst <= goal or not worst < 0.5 * worst_before:
            for i in range(n_states):
                values[order[i]] = x[i]
            return worst <= goal
        worst_before = worst
        for n in range(DIRECTIONS):
            direction, image = directions[n], images[n]
            direction[:], rest[:] = 0.0, residual
            for _ in range(PASSES):
                total = 0.0
                for i in range(n_states):
                    known = rest[i]
                    for edge in range(first[i], middle[i]):
                        known += by[edge] * correction[to[edge]]
                    correction[i] = known / own[i]
                    direction[i] += correction[i]
                    total += correction[i]
                for i in range(n_states):
                    known = everywhere_else[i] * total
                    for edge in range(middle[i], first[i + 1]):
                        known += by[edge] * correction[to[edge]]
                    rest[i] = known
            for i in range(n_states):
                image[i] = residual[i] - rest[i]
            whole = dot(image, image)
            for m in range(n):
                overlap = dot(image, images[m])
                subtract(image, overlap, images[m])
                subtract(direction, overlap, directions[m])
            length = np.sqrt(dot(image, image))
            if length <= 1e-10 * np.sqrt(whole):
                break  # Nothing but rounding is left of it.
            for i in range(n_states):
                image[i] /= length
                direction[i] /= length
            step = dot(residual, image)
            subtract(residual, step, image)
            subtract(x, -step, direction)
            if largest_magnitude(residual) <= 0.5 * goal:
                break


@compiled
def dot(left, right):
    """The scalar product, in four sums that do not wait for each other."""
    a = b = c = d = 0.0
    end = left.shape[0] // 4 * 4
    for i in range(0, end, 4):
        a += left[i] * right[i]
        b += left[i + 1] * right[i + 1]
        c += left[i + 2] * right[i + 2]
        d += left[i + 3] * right[i + 3]
    for i in range(end, left.shape[0]):
        a += left[i] * right[i]
    return a + b + (c + d)


@compiled
def subtract(vector, factor, other):
    """Subtract ``factor`` · ``other`` from ``vector``, in place."""
    for i in range(vector.shape[0]):
        vector[i] -= factor * other[i]


@compiled
def largest_magnitude(vector):
    """max_i |vector_i|."""
    largest = 0.0
    for entry in vector:
        largest = max(largest, abs(entry))
    return largest
