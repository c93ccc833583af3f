"""Lower bounds and thresholds, against formulas typed anew at 50 digits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import log, mpf, sqrt

from eubrl_edu import theory
from eubrl_edu.theory import Problem
from tests.theory.test_bounds import DISCOUNTS, SIZES, STEPS, close


@given(**SIZES, discount=DISCOUNTS, steps=STEPS, share=st.floats(1e-9, 1))
def test_discounted_lower_bounds_and_thresholds(S, A, delta, R, discount, steps, share):
    problem = Problem(S, A, R, delta, discount)
    epsilon = share * problem.v_max * (1 - 1e-12)
    g, R, eps = 1 - mpf(discount), mpf(R), mpf(epsilon)
    close(theory.regret_lower_bound(problem, steps), R * sqrt(S * A * steps) / g ** mpf("1.5"))
    close(theory.regret_threshold(problem), S**3 * A / g)
    close(theory.sample_complexity_threshold(problem), R / (S * g))
    found = theory.sample_complexity_lower_bound(problem, epsilon)
    if delta == 1:
        assert found == 0
    else:
        close(found, S * A * R**2 / (eps**2 * g**3) * log(1 / mpf(delta)))


@given(**SIZES, horizon=st.integers(1, 500), episodes=STEPS, share=st.floats(1e-9, 1))
def test_episodic_lower_bounds_and_thresholds(S, A, delta, R, horizon, episodes, share):
    problem = Problem(S, A, R, delta, horizon=horizon)
    epsilon = share * problem.v_max * (1 - 1e-12)
    H, R, eps = mpf(horizon), mpf(R), mpf(epsilon)
    close(theory.regret_lower_bound(problem, episodes), R * H * sqrt(S * A * episodes))
    close(theory.regret_threshold(problem), S**3 * A)
    close(theory.sample_complexity_threshold(problem), H * R / S)
    found = theory.sample_complexity_lower_bound(problem, epsilon)
    if delta == 1:
        assert found == 0
    else:
        close(found, S * A * R**2 * H**2 / eps**2 * log(1 / mpf(delta)))


@pytest.mark.parametrize("kind", [{"discount": 0.9}, {"horizon": 10}])
def test_at_the_thresholds_both_parts_are_of_the_same_order(kind):
    """R_max √(SAT)/(1 − γ)^1.5 meets R_max S²A/(1 − γ)², and so do the parts in ε."""
    S, A, R = 7, 3, 2.0
    problem = Problem(S, A, R, 0.1, **kind)
    spread = problem.effective_horizon
    more = spread if "discount" in kind else 1.0
    at = theory.regret_threshold(problem)
    rate = theory.regret_lower_bound(problem, at)
    assert rate == pytest.approx(R * S * S * A * spread * more)
    epsilon = theory.sample_complexity_threshold(problem)
    squared = S * A * R**2 * spread**2 * more / epsilon**2
    assert squared == pytest.approx(S * S * A * R * spread * more / epsilon)


PROBLEMS = st.builds(
    lambda s, a, r, delta, discount: theory.Problem(s, a, r, delta, discount),
    st.integers(1, 100), st.integers(1, 10), st.floats(0.1, 10), st.floats(1e-6, 1),
    st.floats(0, 0.9999),
)  # fmt: skip


def bound_at(problem, steps, replanning):
    return theory.regret_bound(**vars(problem), steps=steps, replanning=replanning)


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


@pytest.mark.parametrize("first", [theory.first_informative_step, theory.first_informative_order])
def test_with_a_horizon_the_theorem_is_another(first):
    words = "regret by the step for discounted problems only: .* got horizon=5"
    with pytest.raises(ValueError, match=words):
        first(theory.Problem(5, 2, 1.0, 0.1, horizon=5))


@settings(max_examples=30, deadline=None)
@given(PROBLEMS)
def test_constants_and_logarithms_cost_orders_of_magnitude(problem):
    assert theory.first_informative_step(problem) > 100 * theory.first_informative_order(problem)
