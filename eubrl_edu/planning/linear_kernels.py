"""The two compiled solvers of `evaluate_policy`: (I - γW) v = r + γb 1ᵀv.

W is the listed part of the policy's rows, as the graph of ``graph_kernels``, and b the background.
Private, and of arrays as in ``kernels``.
"""

import numpy as np

from eubrl_edu.compiling import compiled

# The Krylov method: directions between restarts, and Gauss-Seidel passes that make a direction.
DIRECTIONS = 40
PASSES = 2


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
def total_and_largest(values):
    """The sum of the values, and the largest |value|."""
    total, largest = 0.0, 0.0
    for value in values:
        total += value
        largest = max(largest, abs(value))
    return total, largest


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
