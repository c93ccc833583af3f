"""The exact value of a policy, compiled: equals ``policy_evaluation.evaluate_policy``.

The policy's *graph* has an edge from s to each listed successor of (s, π(s)). Its strongly
connected components, ordered such that a state's successors come before the state, are solved one
after the other: a component of one state by a division, a larger one by elimination. I - γW is
diagonally dominant, so no pivoting is needed. Within a component the states are numbered such that
neighbours get close numbers (reverse Cuthill-McKee); then all that elimination ever touches is, in
each row and column, the stretch from its first entry to the diagonal: the *profile*. A chain of n
states costs O(n) that way. Where the profile is too wide (a big component without geometry) a
Krylov method solves the whole system instead, and elimination is only the last resort.
"""

import numpy as np
from numba import njit

# Elimination comes first up to this many multiplications per listed successor.
WORK_PER_EDGE = 2000
# The Krylov method: directions kept, restarts, and residual relative to the largest |V|.
DIRECTIONS = 40
RESTARTS = 25
RESIDUAL_TOLERANCE = 1e-14


@njit(cache=True)
def strong_components(successors, weights, policy, order, component, scratch):
    """Tarjan's algorithm without recursion.

    ``order`` lists the states component by component, successors first; ``component`` numbers
    the components in that order.
    """
    n_states, _, n_listed = successors.shape
    found, low, stack, path, edge = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    found[:] = -1
    component[:] = -1
    n_found, n_ordered, n_components, height = 0, 0, 0, 0
    for root in range(n_states):
        if found[root] >= 0:
            continue
        entering, depth = root, 0
        while True:
            if entering >= 0:
                found[entering] = low[entering] = n_found
                n_found += 1
                edge[entering] = 0
                stack[height] = entering
                height += 1
                path[depth] = entering
                depth += 1
                entering = -1
            state = path[depth - 1]
            action = policy[state]
            while edge[state] < n_listed:
                k = edge[state]
                edge[state] += 1
                if weights[state, action, k] == 0:
                    continue
                successor = successors[state, action, k]
                if found[successor] < 0:
                    entering = successor
                    break
                if component[successor] < 0:
                    low[state] = min(low[state], low[successor])
            if entering >= 0:
                continue
            if low[state] == found[state]:
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


@njit(cache=True)
def component_end(order, component, start):
    """One past the last place of the component that starts at this place of ``order``."""
    end = start + 1
    while end < order.shape[0] and component[order[end]] == component[order[start]]:
        end += 1
    return end


@njit(cache=True)
def narrow_profile(successors, weights, policy, order, component, place, lowest, incoming):
    """Number the states of each component so that its profile is narrow (reverse Cuthill-McKee).

    Rearranges ``order`` within each component; ``place`` becomes its inverse; ``lowest`` the first
    place in the row or column of each place that is not zero. Returns the number of
    multiplications that elimination takes.
    """
    n_states, _, n_listed = successors.shape
    previous = np.empty(n_states * n_listed, np.int64)
    start = 0
    work = 0.0
    while start < n_states:
        end = component_end(order, component, start)
        if end - start > 1:
            cuthill_mckee(
                successors, weights, policy, order, component, place, incoming, previous, start, end
            )
        for i in range(start, end):
            place[order[i]] = i
            lowest[i] = i
        for i in range(start, end):
            state = order[i]
            for k in range(n_listed):
                successor = successors[state, policy[state], k]
                if weights[state, policy[state], k] != 0 and component[successor] == component[state]:
                    j = place[successor]
                    lowest[max(i, j)] = min(lowest[max(i, j)], min(i, j))
        for i in range(start, end):
            work += float(i - lowest[i]) ** 2
        start = end
    return work


@njit(cache=True)
def cuthill_mckee(
    successors, weights, policy, order, component, place, incoming, previous, start, end
):
    """Order one component breadth first from a state far out, then reverse it.

    ``incoming[s]`` and ``previous`` chain up the edges that lead to s; an edge's number is its
    state times the number of listed successors, plus k.
    """
    n_listed = successors.shape[2]
    for i in range(start, end):
        incoming[order[i]] = -1
    number = component[order[start]]
    for i in range(start, end):
        state = order[i]
        for k in range(n_listed):
            successor = successors[state, policy[state], k]
            if weights[state, policy[state], k] != 0 and component[successor] == number:
                previous[state * n_listed + k] = incoming[successor]
                incoming[successor] = state * n_listed + k
    # The first search only finds a state far out: the last one that it reaches.
    for root_place in (start, end - 1):
        root = order[root_place]
        for i in range(start, end):
            place[order[i]] = -1
        order[start] = root
        place[root] = start
        reached = start + 1
        for i in range(start, end):
            state = order[i]
            for k in range(n_listed):
                successor = successors[state, policy[state], k]
                if (
                    weights[state, policy[state], k] != 0
                    and component[successor] == number
                    and place[successor] < 0
                ):
                    order[reached] = successor
                    place[successor] = reached
                    reached += 1
            arriving = incoming[state]
            while arriving >= 0:
                source = arriving // n_listed
                if place[source] < 0:
                    order[reached] = source
                    place[source] = reached
                    reached += 1
                arriving = previous[arriving]
    order[start:end] = order[start:end][::-1].copy()


@njit(cache=True)
def eliminate(
    successors, weights, background, rewards, discount, policy, order, component, place, lowest,
    offset, x, y, diagonal,
):  # fmt: skip
    """Solve (I - γW) x = r and (I - γW) y = b, component by component.

    Here x, y, ``diagonal``, ``lowest`` and ``offset`` go by place in ``order``. Row i of L and
    column i of U hold the entries from ``lowest[i]`` to i - 1, one after the other.
    """
    n_states, _, n_listed = successors.shape
    size = 0
    for i in range(n_states):
        offset[i] = size - lowest[i]
        size += i - lowest[i]
    lower = np.zeros(size)
    upper = np.zeros(size)
    start = 0
    while start < n_states:
        end = component_end(order, component, start)
        for i in range(start, end):
            state = order[i]
            action = policy[state]
            x[i] = rewards[state, action]
            y[i] = background[state, action]
            diagonal[i] = 1.0
            for k in range(n_listed):
                weight = discount * weights[state, action, k]
                if weight == 0:
                    continue
                j = place[successors[state, action, k]]
                if j < start:
                    x[i] += weight * x[j]
                    y[i] += weight * y[j]
                elif j < i:
                    lower[offset[i] + j] -= weight
                elif j > i:
                    upper[offset[j] + i] -= weight
                else:
                    diagonal[i] -= weight
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
        start = end


@njit(cache=True)
def policy_residual(
    successors, weights, background, rewards, scale, discount, policy, values, residual
):
    """Write scale · r + γ P V - V under the policy into ``residual``; return the largest |entry|."""
    total = 0.0
    for value in values:
        total += value
    worst = 0.0
    for state in range(values.shape[0]):
        action = policy[state]
        expected = background[state, action] * total
        for k in range(successors.shape[2]):
            expected += weights[state, action, k] * values[successors[state, action, k]]
        residual[state] = scale * rewards[state, action] + discount * expected - values[state]
        worst = max(worst, abs(residual[state]))
    return worst


@njit(cache=True)
def dot(left, right):
    """The scalar product, summed from the first entry to the last."""
    result = 0.0
    for i in range(left.shape[0]):
        result += left[i] * right[i]
    return result


@njit(cache=True)
def minimise_residual(
    successors, weights, background, rewards, discount, policy, order, place, values
):
    """Generalised conjugate residuals, from the given values; return whether they converged.

    Each direction is the correction that one Gauss-Seidel pass in ``order`` makes (exact where
    the graph has no cycle), cleared of the directions before; the step along it makes the
    residual as small as it gets.
    """
    n_states, _, n_listed = successors.shape
    directions = np.empty((DIRECTIONS, n_states))
    images = np.empty((DIRECTIONS, n_states))
    residual = np.empty(n_states)
    for i in range(n_states):
        place[order[i]] = i
    for _ in range(RESTARTS):
        worst = policy_residual(
            successors, weights, background, rewards, 1.0, discount, policy, values, residual
        )
        goal = RESIDUAL_TOLERANCE * np.abs(values).max()
        if worst <= goal:
            return True
        for n in range(DIRECTIONS):
            direction, image = directions[n], images[n]
            for i in range(n_states):
                state = order[i]
                action = policy[state]
                known, own = residual[state], 1.0
                for k in range(n_listed):
                    successor = successors[state, action, k]
                    weight = discount * weights[state, action, k]
                    if weight != 0 and place[successor] < i:
                        known += weight * direction[successor]
                    elif successor == state:
                        own -= weight
                direction[state] = known / own
            policy_residual(
                successors, weights, background, rewards, 0.0, discount, policy, direction, image
            )
            for m in range(n):
                overlap = dot(image, images[m])
                image -= overlap * images[m]
                direction -= overlap * directions[m]
            length = np.sqrt(dot(image, image))
            if length == 0:
                break
            image /= length
            direction /= length
            step = dot(residual, image)
            residual -= step * image
            values -= step * direction
            if np.abs(residual).max() <= 0.5 * goal:
                break
    return False


@njit(cache=True)
def evaluate_policy(
    successors, weights, background, rewards, discount, policy, values, integers, floats
):
    """Replace ``values`` (where the Krylov method starts, if it comes to that) by those of the policy."""
    order, component, place, lowest, rest = (
        integers[0], integers[1], integers[2], integers[3], integers[4:],
    )  # fmt: skip
    x, y, diagonal = floats[0], floats[1], floats[2]
    n_states, _, n_listed = successors.shape
    strong_components(successors, weights, policy, order, component, rest)
    rest[1, :] = order
    work = narrow_profile(
        successors, weights, policy, order, component, place, lowest, rest[0]
    )
    if work > WORK_PER_EDGE * n_states * n_listed:
        if minimise_residual(
            successors, weights, background, rewards, discount, policy, rest[1], rest[2], values
        ):
            return
    eliminate(
        successors, weights, background, rewards, discount, policy, order, component, place, lowest,
        rest[0], x, y, diagonal,
    )  # fmt: skip
    sum_x, sum_y = 0.0, 0.0
    for i in range(n_states):
        sum_x += x[i]
        sum_y += y[i]
    total = sum_x / (1.0 - discount * sum_y)
    for i in range(n_states):
        values[order[i]] = x[i] + discount * total * y[i]
