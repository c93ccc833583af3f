"""The compiled graph of a policy: its edges, its components, and an order for elimination.

The graph has an edge from s to each listed successor of (s, π(s)). Those of state s have the
numbers ``begin[s]`` to ``begin[s + 1] - 1``; edge e leads to ``target[e]``, and ``weight[e]`` is γ
times its probability. ``begin`` and ``first`` have S + 1 entries. Private, and of arrays as in
``kernels``.
"""

import numpy as np

from eubrl_edu.compiling import compiled


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
