"""The pieces of the compiled policy evaluation: components, orders, and the two linear solvers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from eubrl_edu.planning import kernels
from tests.planning.problems import (
    DISCOUNTS,
    dense_policy_values,
    dense_q,
    lazy_chain,
    models,
    random_policy,
    relative_error,
    without_geometry,
)


def edges(model, policy, discount):
    """The policy's graph: begin, target, weight; and the rewards and γb of its rows."""
    states = np.arange(model.n_states)
    weights = model.weights[states, policy]
    listed = weights > 0
    begin = np.concatenate([[0], np.cumsum(listed.sum(axis=1))]).astype(np.int64)
    target = model.successors[states, policy][listed].astype(np.int64)
    rewards, background = model.rewards[states, policy], model.background[states, policy]
    return begin, target, discount * weights[listed], rewards, discount * background


def components(begin, target):
    """Order, component and first places, as the kernel finds them."""
    work = np.full((8, len(begin)), -(10**9))
    count = kernels.strong_components(begin, target, *work)
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
    assert kernels.narrow_profile(begin, target, *profile, np.inf)
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
        return kernels.narrow_profile(begin, target, *profile, most_work), lowest

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
    assert kernels.narrow_profile(begin, target, *profile, model.n_states - 3.0)
    assert count == 3
    assert multiplications(lowest, model.n_states) == model.n_states - 3


@given(models(), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_the_krylov_method_is_exact(model, discount, seed):
    policy = random_policy(model, seed)
    begin, target, *rest = edges(model, policy, discount)
    order = components(begin, target)[0]
    values = np.random.default_rng(seed).normal(size=model.n_states)
    place = np.empty_like(order)
    done = kernels.minimise_residual(begin, target, *rest, order, place, values, 1e-14)
    # Accuracy is relative to the largest value, so nothing is ever close enough to all zeros.
    assert done or not rest[1].any()
    assert relative_error(values, dense_policy_values(model, policy, discount)) < 1e-9


def krylov(model, policy, discount, start=0.0, tolerance=1e-14):
    begin, target, *rest = edges(model, policy, discount)
    order = components(begin, target)[0]
    values = np.full(model.n_states, start)
    done = kernels.minimise_residual(
        begin, target, *rest, order, np.empty_like(order), values, tolerance
    )
    return done, values


def test_the_krylov_method_says_when_it_gives_up():
    # A long drift back and forth is what it is bad at; elimination takes over from it.
    assert not krylov(lazy_chain(2000, 0.49), np.ones(4001, dtype=int), 0.999999)[0]


def test_the_krylov_method_copes_where_elimination_would_fill_in():
    model = without_geometry(2000, 1, 4, seed=0)
    policy = np.zeros(2000, dtype=int)
    done, values = krylov(model, policy, 0.9999)
    assert done
    assert relative_error(values, dense_policy_values(model, policy, 0.9999)) < 1e-9


@pytest.mark.parametrize("tolerance", [1e-2, 1e-5, 1e-8])
def test_the_krylov_method_stops_at_the_residual_that_is_asked_for(tolerance):
    model = without_geometry(1000, 1, 4, seed=1)
    policy = np.zeros(1000, dtype=int)
    done, values = krylov(model, policy, 0.99, 5.0, tolerance)
    backup = dense_q(model, values, 0.99)[:, 0]
    residual = np.abs(backup - values).max() / np.abs(values).max()
    assert done
    assert 1e-4 * tolerance < residual <= tolerance
