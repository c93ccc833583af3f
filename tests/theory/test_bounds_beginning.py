import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu import theory

PROBLEMS = st.builds(
    lambda s, a, r, delta, discount: theory.Problem(s, a, r, delta, discount),
    st.integers(1, 100), st.integers(1, 10), st.floats(0.1, 10), st.floats(1e-6, 1),
    st.floats(0, 0.9999),
)  # fmt: skip


def bound_at(problem, steps, replanning):
    return theory.regret_bound(
        n_states=problem.n_states, n_actions=problem.n_actions, r_max=problem.r_max,
        delta=problem.delta, discount=problem.discount, steps=steps, replanning=replanning,
    )  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(PROBLEMS, st.sampled_from(["every step", "doubling"]))
def test_before_it_the_bound_says_nothing_and_after_it_something(problem, replanning):
    found = theory.first_informative_step(problem, replanning)
    for factor in (1.001, 10, 1e6):
        after = bound_at(problem, found * factor, replanning)
        assert after.total < after.trivial
        if found / factor >= 1:
            before = bound_at(problem, found / factor, replanning)
            assert before.total >= before.trivial


@given(PROBLEMS)
def test_the_orders_meet_there(problem):
    steps = theory.first_informative_order(problem)
    orders = theory.regret_lower_bound(problem, steps)
    orders += problem.r_max * problem.n_states * problem.n_pairs * problem.effective_horizon**2
    assert orders == pytest.approx(steps * problem.v_max)


@settings(max_examples=30, deadline=None)
@given(PROBLEMS)
def test_constants_and_logarithms_cost_orders_of_magnitude(problem):
    assert theory.first_informative_step(problem) > 100 * theory.first_informative_order(problem)
