import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu.planning import policy_iteration
from tests.planning.problems import (
    DISCOUNTS,
    best_of_all_policies,
    lazy_chain,
    models,
    posterior_mean,
    random_policy,
    relative_error,
)


@settings(max_examples=40)
@given(models(4, 3), st.sampled_from(DISCOUNTS), st.integers(0, 1000))
def test_no_policy_is_better(model, discount, seed):
    truth = best_of_all_policies(model, discount)
    found = policy_iteration(model, discount, random_policy(model, seed))
    assert relative_error(found.v, truth) < 1e-9
    assert np.array_equal(found.v, found.q.max(axis=1))


def test_starts_from_the_given_policy():
    model = posterior_mean(20, 3, 200, 1e-3, 20, seed=0)
    first = policy_iteration(model, 0.95)
    again = policy_iteration(model, 0.95, first.policy)
    assert first.iterations > 1
    assert again.iterations == 1
    assert np.array_equal(again.policy, first.policy)


def test_news_that_travels_one_state_per_policy_arrives():
    # Left everywhere at first; going right spreads from the right end, state by state.
    model = lazy_chain(80, 0.0)
    found = policy_iteration(model, 0.999)
    assert found.iterations > 100
    assert (found.policy[80:-1] == 1).all()


@pytest.mark.parametrize("bad", [{"discount": 1.0}, {"policy": np.array([0, 3])}])
def test_bad_input(bad):
    model = posterior_mean(2, 3, 10, 1.0, 2, seed=0)
    with pytest.raises(ValueError, match=next(iter(bad))):
        policy_iteration(model, **{"discount": 0.9, **bad})
