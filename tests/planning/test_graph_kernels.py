"""The graph of a policy: its components, and orders with a narrow profile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from eubrl_edu.planning import graph_kernels
from tests.planning.problems import edges, lazy_chain, models, random_policy, without_geometry


def components(begin, target):
    """Order, component and first places, as the kernel finds them."""
    work = np.full((8, len(begin)), -(10**9))
    count = graph_kernels.strong_components(begin, target, *work)
    order, component, first = work[:3]
    return order, component, first, count


@given(models(), st.integers(0, 1000))
def test_components_are_scipys_and_successors_come_first(model, seed):
    begin, target, weight, _, _ = edges(model, random_policy(model, seed), 0.9)
    order, component, first, count = components(begin, target)
    n_states = model.n_states
    graph = csr_array((weight, target, begin), shape=(n_states, n_states))
    expected_count, labels = connected_components(graph, connection="strong")
    assert count == expected_count
    # The same partition: the pairs of names match one to one.
    assert len(set(zip(component[:n_states], labels, strict=True))) == count
    assert sorted(order[:n_states]) == list(range(n_states))
    for number in range(count):
        assert set(component[order[first[number] : first[number + 1]]]) == {number}
    for state in range(n_states):
        assert (component[target[begin[state] : begin[state + 1]]] <= component[state]).all()


def multiplications(lowest, n_states):
    """How many elimination takes, given the first entry of each row."""
    return ((np.arange(n_states) - lowest[:n_states]) ** 2).sum()


@given(models(), st.integers(0, 1000))
def test_the_profile_holds_every_entry(model, seed):
    begin, target, *_ = edges(model, random_policy(model, seed), 0.9)
    order, component, first, count = components(begin, target)
    before = component.copy()
    place, lowest, room = np.full((3, len(begin)), -(10**9))
    profile = order, component, first, count, place, lowest, room
    assert graph_kernels.narrow_profile(begin, target, *profile, np.inf)
    n_states = model.n_states
    assert np.array_equal(place[order[:n_states]], np.arange(n_states))
    expected = np.arange(n_states)
    for state in range(n_states):
        for successor in target[begin[state] : begin[state + 1]]:
            if component[state] == component[successor]:
                low, high = sorted((place[state], place[successor]))
                expected[high] = min(expected[high], low)
    assert np.array_equal(lowest[:n_states], expected)
    assert np.array_equal(component, before)
    for number in range(count):
        assert set(component[order[first[number] : first[number + 1]]]) == {number}


@given(st.integers(2, 60), st.integers(1, 4), st.integers(0, 1000))
def test_a_profile_is_given_up_exactly_if_it_takes_more_than_the_most_work(
    n_states, n_listed, seed
):
    model = without_geometry(n_states, 1, n_listed, seed)
    begin, target, *_ = edges(model, np.zeros(n_states, dtype=int), 0.9)

    def narrow(most_work):
        order, component, first, count = components(begin, target)
        place, lowest, room = np.zeros((3, len(begin)), dtype=np.int64)
        profile = order, component, first, count, place, lowest, room
        return graph_kernels.narrow_profile(begin, target, *profile, most_work), lowest

    work = float(multiplications(narrow(np.inf)[1], n_states))
    for most_work in (0.0, 0.5 * work, work - 1, work, work + 1):
        assert narrow(most_work)[0] == (most_work >= work)


@pytest.mark.parametrize("size", [10, 1000])
def test_a_chain_costs_one_multiplication_per_state(size):
    model = lazy_chain(size, 0.2)
    # Shuffle the names of the states: the order must be found, not given.
    names = np.random.default_rng(0).permutation(model.n_states)
    begin, target, *_ = edges(model, np.ones(model.n_states, dtype=int), 0.9)
    shuffled = [names[target[begin[s] : begin[s + 1]]] for s in np.argsort(names)]
    begin = np.concatenate([[0], np.cumsum([len(row) for row in shuffled])]).astype(np.int64)
    target = np.concatenate(shuffled).astype(np.int64)
    order, component, first, count = components(begin, target)
    place, lowest, room = np.zeros((3, len(begin)), dtype=np.int64)
    profile = order, component, first, count, place, lowest, room
    assert graph_kernels.narrow_profile(begin, target, *profile, model.n_states - 3.0)
    assert count == 3
    assert multiplications(lowest, model.n_states) == model.n_states - 3
