import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.mdp import MDP
from eubrl_edu.planning import bellman_residual, value_iteration
from tests.planning.problems import dense_optimum, models


@given(models(12), st.sampled_from([0.0, 0.5, 0.9, 0.99]), st.sampled_from([1.0, 1e-2, 1e-6]))
def test_the_error_obeys_its_bound(model, discount, tolerance):
    found = value_iteration(model, discount, tolerance)
    error = np.abs(found.v - dense_optimum(model, discount)).max()
    assert found.residual <= tolerance
    assert error <= found.residual * discount / (1 - discount) + 1e-10
    assert bellman_residual(model, found.v, discount) <= discount * found.residual + 1e-12
    assert np.array_equal(found.v, found.q.max(axis=1))
    assert np.array_equal(found.policy, found.q.argmax(axis=1))


@pytest.mark.parametrize(("discount", "least_error"), [(0.99, 0.98), (0.999, 9.9)])
def test_a_small_residual_is_not_a_small_error(discount, least_error):
    # One state that pays 1: V* = 1 / (1 - γ), and the bound on the error is attained.
    model = MDP.from_dense(np.ones((1, 1, 1)), np.ones((1, 1)))
    found = value_iteration(model, discount, tolerance=1e-2)
    error = 1 / (1 - discount) - found.v[0]
    assert least_error < error <= 0.01 * discount / (1 - discount)
    assert error == pytest.approx(found.residual * discount / (1 - discount))
    # The k-th sweep adds γ^(k - 1).
    assert found.iterations == 1 + np.ceil(np.log(0.01) / np.log(discount))


def test_initial_values_are_where_it_starts():
    model = MDP.from_dense(np.ones((1, 1, 1)), np.ones((1, 1)))
    found = value_iteration(model, 0.9, initial=np.array([10.0]))
    assert found.iterations == 1
    assert found.v[0] == pytest.approx(10)


def test_ends_where_rounding_is_all_that_is_left():
    model = MDP.from_dense(np.full((3, 2, 3), 1 / 3), np.arange(6.0).reshape(3, 2))
    found = value_iteration(model, 0.9, tolerance=1e-50)
    np.testing.assert_allclose(found.v, dense_optimum(model, 0.9), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"discount": 1.0}, "discount"),
        ({"discount": -0.1}, "discount"),
        ({"discount": np.nan}, "discount"),
        ({"tolerance": 0}, "tolerance"),
        ({"initial": np.zeros(2)}, "initial"),
    ],
)
def test_bad_input(change, message):
    model = MDP.from_dense(np.ones((1, 1, 1)), np.ones((1, 1)))
    with pytest.raises(ValueError, match=message):
        value_iteration(model, **{"discount": 0.9, **change})
