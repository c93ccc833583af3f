"""The two linear solvers of the compiled policy evaluation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.planning import linear_kernels
from tests.planning.problems import (
    DISCOUNTS,
    dense_policy_values,
    dense_q,
    edges,
    lazy_chain,
    models,
    random_policy,
    relative_error,
    without_geometry,
)
from tests.planning.test_graph_kernels import components


@given(models(), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_the_krylov_method_is_exact(model, discount, seed):
    policy = random_policy(model, seed)
    begin, target, *rest = edges(model, policy, discount)
    order = components(begin, target)[0]
    values = np.random.default_rng(seed).normal(size=model.n_states)
    place = np.empty_like(order)
    done = linear_kernels.minimise_residual(begin, target, *rest, order, place, values, 1e-14)
    # Accuracy is relative to the largest value, so nothing is ever close enough to all zeros.
    assert done or not rest[1].any()
    assert relative_error(values, dense_policy_values(model, policy, discount)) < 1e-9


def krylov(model, policy, discount, start=0.0, tolerance=1e-14):
    begin, target, *rest = edges(model, policy, discount)
    order = components(begin, target)[0]
    values = np.full(model.n_states, start)
    done = linear_kernels.minimise_residual(
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
