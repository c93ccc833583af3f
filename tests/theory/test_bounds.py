"""Explicit constants against formulas typed anew at 50 digits; what the proofs claim of them."""

import dataclasses
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import Problem
from tests.theory import mp_paper as paper

SIZES = {
    "S": st.integers(1, 300),
    "A": st.integers(1, 10),
    "delta": st.floats(1e-9, 1),
    "R": st.floats(0.01, 1000),
}
DISCOUNTS = st.floats(0, 0.9999)
STEPS = st.integers(1, 10**14)
SHARES = st.floats(0, 46 / 63)


def close(found, expected):
    assert abs(found / float(expected) - 1) < 1e-12


@given(**SIZES, discount=DISCOUNTS, steps=STEPS, share=SHARES)
def test_discounted_regret(S, A, delta, R, discount, steps, share):
    found = theory.regret_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, steps=steps,
        resistance_share=share,
    )  # fmt: skip
    expected, lambda_ = paper.discounted_regret(S, A, delta, discount, R, steps, share)
    close(found.total, expected)
    close(found.lambda_, lambda_)
    assert sum(found.terms.values()) == pytest.approx(found.total, rel=1e-15)
    assert found.terms[found.dominant] == max(found.terms.values())
    assert found.says_something == (found.total < steps * R / (1 - discount) * (1 + 1e-15))


@given(**SIZES, horizon=st.integers(1, 500), episodes=STEPS, share=SHARES)
def test_episodic_regret(S, A, delta, R, horizon, episodes, share):
    found = theory.regret_bound(
        n_states=S, n_actions=A, delta=delta, horizon=horizon, r_max=R, episodes=episodes,
        resistance_share=share,
    )  # fmt: skip
    expected, lambda_ = paper.episodic_regret(S, A, delta, horizon, R, episodes, share)
    close(found.total, expected)
    close(found.lambda_, lambda_)


@given(**SIZES, discount=DISCOUNTS, steps=STEPS, share=SHARES, at=st.floats(0, 1))
def test_regret_with_lambda_by_state_and_action(S, A, delta, R, discount, steps, share, at):
    least = sqrt(17 / 63) * S * A
    factor = least + at * (S * A - least)
    found = theory.state_action_regret_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, steps=steps,
        resistance_share=share, guidance_factor=factor,
    )  # fmt: skip
    one, two = paper.state_action_leading(S, A, delta, discount, R, steps, share, factor)
    close(found.guided, one)
    close(found.learning, two)


@given(**SIZES, discount=DISCOUNTS, steps=STEPS)
def test_the_best_case_takes_the_root_of_17_63(S, A, delta, R, discount, steps):
    best = theory.best_case_regret_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, steps=steps
    )
    leading, total = paper.best_case(S, A, delta, discount, R, steps)
    close(best.guided + best.learning, leading)
    close(best.total, total)
    assert sqrt(17 / 63) == pytest.approx(0.519, abs=5e-4)


@given(**SIZES, discount=DISCOUNTS, share=st.floats(1e-7, 1))
def test_discounted_sample_complexity(S, A, delta, R, discount, share):
    epsilon = share * R / (1 - discount) * (1 - 1e-12)
    found = theory.sample_complexity_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, epsilon=epsilon
    )
    close(found.total, paper.t0(S, A, delta, discount, R, epsilon))
    assert found.terms[found.dominant] == max(found.terms.values())
    problem = Problem(S, A, R, delta, discount)
    for count in (1.0, 1e4, float(found.total)):
        bound = theory.bad_steps_bound(problem, epsilon, count)
        close(bound.total, paper.w_discounted(S, A, delta, discount, R, epsilon, count))


@given(**SIZES, horizon=st.integers(1, 500), share=st.floats(1e-7, 1))
def test_episodic_sample_complexity(S, A, delta, R, horizon, share):
    epsilon = share * R * horizon * (1 - 1e-12)
    found = theory.sample_complexity_bound(
        n_states=S, n_actions=A, delta=delta, horizon=horizon, r_max=R, epsilon=epsilon
    )
    close(found.total, paper.k0(S, A, delta, horizon, R, epsilon))
    problem = Problem(S, A, R, delta, horizon=horizon)
    bound = theory.bad_steps_bound(problem, epsilon, float(found.total))
    close(bound.total, paper.w_episodic(S, A, delta, horizon, R, epsilon, float(found.total)))


@given(**SIZES, discount=DISCOUNTS, share=st.floats(1e-9, 1))
def test_w_of_t0_is_below_t0(S, A, delta, R, discount, share):
    """The paper, "Sample Complexity": the lemma W(T0) < T0."""
    epsilon = share * R / (1 - discount) * (1 - 1e-12)
    t0 = paper.t0(S, A, delta, discount, R, epsilon)
    assert paper.w_discounted(S, A, delta, discount, R, epsilon, t0) < t0
    problem = Problem(S, A, R, delta, discount)
    largest = theory.largest_consistent(lambda n: theory.bad_steps_bound(problem, epsilon, n).total)
    assert largest < float(t0)
    assert theory.bad_steps_bound(problem, epsilon, largest).total >= largest
    beyond = largest * (1 + 1e-9)
    assert theory.bad_steps_bound(problem, epsilon, beyond).total < beyond


@given(**SIZES, horizon=st.integers(1, 500), share=st.floats(1e-9, 1))
def test_w_of_k0_is_below_k0_as_the_proof_gives_it_and_as_printed(S, A, delta, R, horizon, share):
    epsilon = share * R * horizon * (1 - 1e-12)
    for second in (480, 960):
        k0 = paper.k0(S, A, delta, horizon, R, epsilon, second)
        assert paper.w_episodic(S, A, delta, horizon, R, epsilon, k0) < k0


@given(**SIZES, discount=DISCOUNTS, steps=STEPS)
def test_the_merged_parts_are_at_least_what_they_merge(S, A, delta, R, discount, steps):
    """The chain of inequalities behind 168 in the proof of the regret theorem."""
    bound = theory.regret_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, steps=steps
    )
    t, pairs, horizon = bound.log_terms, S * A, 1 / (1 - discount)
    y = 12 * t.l1 / bound.lambda_ + 30 * S * t.l3  # 𝒴 / V↑
    cost = R * horizon**2 * pairs * (4 * y * t.l2 + 26 * t.l4)
    assert cost <= (bound.learning + bound.lower_order) * (1 + 1e-12)
    luck = 4.5 * bound.lambda_ * R * horizon * steps
    assert luck <= bound.guided * (1 + 1e-12)


@given(**SIZES, horizon=st.integers(1, 500), episodes=STEPS)
def test_the_merged_episodic_parts_are_at_least_what_they_merge(S, A, delta, R, horizon, episodes):
    bound = theory.regret_bound(
        n_states=S, n_actions=A, delta=delta, horizon=horizon, r_max=R, episodes=episodes
    )
    t, pairs = bound.log_terms, S * A
    y = 12 * t.l1 / bound.lambda_ + 30 * S * t.l3
    cost = R * horizon * pairs * (8 * y * t.l2 + 12 * t.l4)
    assert cost <= (bound.learning + bound.lower_order) * (1 + 1e-12)
    assert 4.5 * bound.lambda_ * R * horizon * episodes <= bound.guided * (1 + 1e-12)


@given(
    p=st.floats(0, 1), best=st.floats(0, 1), lambda_=st.floats(1e-6, 1),
    discount=DISCOUNTS, R=st.floats(0.01, 100), j_share=st.floats(0, 1),
)  # fmt: skip
def test_per_step_bound_adds_up_the_three_bounds_behind_it(p, best, lambda_, discount, R, j_share):
    """Quasi-optimism, complexity and accuracy, with D bounded as in the proof before rounding."""
    v_max = R / (1 - discount)
    j = j_share * v_max
    bound = theory.per_step_bound(
        p_u_policy=p, p_u_optimal=best, lambda_=lambda_, j=j, r_max=R, v_max=v_max
    )
    phi = R * lambda_
    slack = (1.5 - best) * lambda_ * v_max + phi  # S_t
    accuracy = (2.5 - 2 * p) * lambda_ * v_max + slack**2 / (7 * v_max) + 2 * j
    proven = (1.5 - best) * lambda_ * v_max + phi + accuracy
    assert proven <= bound.total * (1 + 1e-12)
    close(bound.total, paper.per_step(p, best, lambda_, j, R, v_max))


@given(
    p=st.floats(0, 1), best=st.floats(0, 1), lambda_=st.floats(1e-6, 1), j=st.floats(0, 20),
)  # fmt: skip
def test_the_bounds_of_the_three_terms_add_up_to_the_bound(p, best, lambda_, j):
    values = {
        "p_u_policy": p, "p_u_optimal": best, "lambda_": lambda_, "j": j, "r_max": 2.0,
        "v_max": 20.0,
    }  # fmt: skip
    parts, whole = theory.term_bounds(**values), theory.per_step_bound(**values)
    close(parts.total, paper.per_step(p, best, lambda_, j, 2.0, 20.0))
    close(parts.total, whole.total)
    close(parts.quasi_optimism, lambda_ * (1.5 - best) * 20)
    assert parts.complexity == 2.0 * lambda_
    slack = (1.5 - best) * lambda_ * 20 + 2 * lambda_
    assert parts.accuracy >= (2.5 - 2 * p) * lambda_ * 20 + slack**2 / 140 + 2 * j - 1e-9


@given(
    **SIZES, discount=DISCOUNTS, horizon=st.integers(1, 100), T=STEPS, lambda_=st.floats(1e-5, 1)
)
def test_bound_of_the_sum_of_j(S, A, delta, R, discount, horizon, T, lambda_):
    problem = Problem(S, A, R, delta, discount)
    y, total = paper.y_discounted(S, A, delta, discount, R, T, lambda_)
    close(theory.error_scale(problem, T, lambda_), y)
    close(theory.error_sum_bound(problem, T, lambda_), total)
    problem = Problem(S, A, R, delta, horizon=horizon)
    y, total = paper.y_episodic(S, A, delta, horizon, R, T, lambda_)
    close(theory.error_scale(problem, T, lambda_), y)
    close(theory.error_sum_bound(problem, T, lambda_), total)


@given(epsilon_share=st.floats(1e-6, 1), discount=DISCOUNTS, p=st.floats(0, 1))
def test_with_lambda_of_the_sample_complexity_the_rest_is_at_most_half_of_epsilon(
    epsilon_share, discount, p
):
    problem = Problem(3, 2, 2.0, 0.1, discount)
    epsilon = epsilon_share * problem.v_max
    lambda_ = theory.sample_complexity_lambda(problem, epsilon)
    bound = theory.per_step_bound(
        p_u_policy=p, p_u_optimal=p, lambda_=lambda_, j=0.0, r_max=2.0, v_max=problem.v_max
    )
    assert bound.guided <= epsilon / 4 * (1 + 1e-12)
    assert bound.remainder <= epsilon / 4


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda good: theory.regret_bound(**good, steps=0), "steps must be a finite number of at"),
        (lambda good: theory.regret_bound(**good), "a discounted problem counts steps"),
        (
            lambda good: theory.regret_bound(**good, steps=9, resistance_share=0.8),
            r"resistance_share must be in \[0, 46/63\], got 0.8",
        ),
        (
            lambda good: theory.state_action_regret_bound(**good, steps=9, guidance_factor=7),
            "guidance_factor must be from",
        ),
        (
            lambda good: theory.sample_complexity_bound(**good, epsilon=11),
            "epsilon must be at most",
        ),
        (
            lambda good: theory.sample_complexity_bound(**good, epsilon=0),
            "epsilon must be a finite",
        ),
        (
            lambda good: theory.sample_complexity_bound(**good, epsilon=None),
            "epsilon must be a finite",
        ),
        (
            lambda good: theory.bad_steps_bound(Problem(2, 2, 1.0, 0.1, 0.9), None, 5),
            "epsilon must be a finite",
        ),
        (
            lambda good: theory.sample_complexity_bound(**good | {"delta": 2}, epsilon=1),
            r"delta must be in \(0, 1\]",
        ),
        (lambda good: theory.prior_constants(-1, 0, 0, 1), "transition_constant must be"),
    ],
)
def test_bad_input_is_answered_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call({"n_states": 2, "n_actions": 2, "delta": 0.1, "discount": 0.9})


def test_bounds_are_frozen():
    bound = theory.regret_bound(n_states=2, n_actions=2, delta=0.1, discount=0.9, steps=10)
    with pytest.raises(dataclasses.FrozenInstanceError):
        bound.guided = 0
