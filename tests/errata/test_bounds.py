"""Every erratum on bounds: its numbers show what it says, and what survives does."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.errata import bounds


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
    st.lists(st.floats(0.01, 1), min_size=5, max_size=5),
    st.integers(0, 4),
    st.floats(1, 5),
)
def test_repaired_bound_of_one_variance(values, weights, at, scale):
    y = np.array(values)
    p = np.array(weights[: len(y)]) / sum(weights[: len(y)])
    reached, mean = y[at % len(y)], p @ y
    bound = p @ y**2 - reached**2 + 2 * scale * max(reached - mean, 0)
    assert p @ y**2 - mean**2 <= bound + 1e-12


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=120),
    st.floats(0, 0.99),
)
def test_counting_all_visits_repairs_the_sum_over_bad_steps(run, discount):
    pairs, bad = [pair for pair, _ in run], [flag for _, flag in run]
    offsets, total = theory.stopping_times(pairs).offsets, 0.0
    for t in range(len(pairs)):
        for ahead in range(offsets[t] if bad[t] else 0):
            total += discount**ahead / pairs[:t].count(pairs[t + ahead])
    size = sum(bad)
    assert total <= 2 / (1 - discount) * 4 * log(1 + size / 4) * (1 + 1e-12)


@given(st.integers(0, 10**6), st.floats(0.01, 1), st.floats(0, 0.99))
def test_with_the_least_p_u_the_operator_meets_its_function_from_below(seed, lambda_, discount):
    """T₁f ≤ f for empirical models with r̂ and P̂ as wrong as A1, A2 and A4 let them be."""
    rng = np.random.default_rng(seed)
    n_states, delta = 3, 0.5
    true = rng.dirichlet(np.ones(n_states) * 0.5, size=n_states)
    problem = theory.Problem(n_states, 1, 1.0, delta, discount)
    v_max, l1 = problem.v_max, log(24 * n_states / delta)
    rewards = rng.random(n_states)
    best = np.linalg.solve(np.eye(n_states) - discount * true, rewards)
    visits = 10.0 ** rng.uniform(0, 9, size=n_states)
    p_u = 1 / np.sqrt(visits)
    settings = theory.schedule(problem, lambda_)
    bonus = np.where(visits < settings.m, settings.eta / visits, p_u + settings.upsilon / visits)
    variance = true @ best**2 - (true @ best) ** 2
    estimate = np.maximum((1 - lambda_) * rewards - l1 / (lambda_ * visits), 0.0)
    frequencies = true.copy()
    for state in range(n_states):  # towards the worst next state, as far as A1 and A2 allow
        worst = np.eye(n_states)[best.argmin()]
        for share in np.linspace(1, 0, 101):
            trial = (1 - share) * true[state] + share * worst
            n = visits[state]
            a1 = abs((trial - true[state]) @ best) <= (
                lambda_ / (4 * v_max) * variance[state] + 3 * v_max * l1 / (lambda_ * n)
            )
            a2 = (true[state] - trial) @ best**2 <= variance[state] / 2 + 6 * v_max**2 * l1 / n
            if a1 and a2:
                frequencies[state] = trial
                break
    f = lambda_ * ((2 - p_u.min()) * best - best**2 / (2 * v_max))
    mapped = (p_u - bonus) + (1 - p_u) * (rewards - estimate)
    mapped = mapped + discount * (true - frequencies) @ best + discount * frequencies @ f
    assert (mapped <= f + 1e-9 * v_max).all()


@given(st.integers(0, 10**6), st.floats(0.01, 0.99), st.floats(0.1, 10))
def test_the_variance_lemma_itself_holds(seed, discount, c):
    """γVar(V) ≤ −Δγ(V²) + (1 + γ)C max{Δγ(V), 0} for V in [0, C] ("Helper Lemmas")."""
    rng = np.random.default_rng(seed)
    values = c * rng.random(4) ** rng.integers(1, 5)
    p = rng.dirichlet(np.ones(4) * 0.3)
    variance = p @ values**2 - (p @ values) ** 2
    here = values[0]
    drop = here - discount * p @ values
    bound = -(here**2 - discount * p @ values**2) + (1 + discount) * c * max(drop, 0)
    assert discount * variance <= bound + 1e-9 * c**2


def test_the_lower_end_of_d_that_condition_3_needs():
    """D ≥ −6/7 V↑ over its corners ("Boundedness of Accuracy", Condition 3), with Φ = (1 − γ)λV↑.

    D falls with both P_U, and −V̂² − 2SV̂ is least at V̂ = V↑ − V*.
    """
    grid = np.linspace(0, 1, 21)
    lambda_, p, best, optimal, gap, short = np.meshgrid(grid, [0, 1], [0, 1], grid, grid, grid)
    slack = (1.5 - best) * lambda_ + short * lambda_  # S_t / V↑, short = 1 − γ
    difference = gap - optimal  # V^t − V*, in [−V*, V↑ − V*]
    d = lambda_ * ((3 - 2 * p) * optimal - optimal**2 / 2)
    d = d + (slack**2 - (difference + slack) ** 2) / 7
    assert d.min() >= -6 / 7


def test_critical_visits():
    found = bounds.critical_visits()
    assert found["m with λ"] < found["m with λ²"]
    assert found["gap of the rewards"] > 2 * found["allowed"]


def test_best_case_of_counts():
    best, most = bounds.best_case_of_counts().values()
    assert best == pytest.approx(46 / 63)
    assert 2 / 7 < most < 0.3 < best


def test_saving_beside_cost():
    saved, cost = bounds.saving_beside_cost().values()
    assert cost > saved


def test_episodic_constant():
    printed, needed, discounted = bounds.episodic_constant().values()
    assert printed == discounted == needed / 2


def test_bound_of_the_unknown():
    found = bounds.bound_of_the_unknown()
    assert found["first part of the bound, N = 1"] < found["first part of the bound, N = 1e+08"]
    # At the printed ends, and in between above both.
    v_max, lambda_ = 10, 0.1
    unknown, known = found["the bound, N = 1"], found["the bound, N = 1e+08"]
    assert unknown == pytest.approx((17 / 14 * lambda_ + 2) * v_max, rel=0.01)
    assert known == pytest.approx(9 / 2 * lambda_ * v_max, rel=0.05)
    assert found["the bound, N = 10000"] > 1.1 * unknown > 4 * known


@given(st.floats(0.01, 1))
def test_where_all_is_unknown_the_bound_is_the_larger_one_for_small_lambda_only(lambda_):
    unknown, known = 17 / 14 * lambda_ + 2, 9 / 2 * lambda_
    assert (unknown > known) == (lambda_ < 14 / 23)


def test_advantage_beyond_m():
    at_m, advantage_at_m, beyond, advantage_beyond = bounds.advantage_beyond_m().values()
    assert beyond == pytest.approx(at_m)
    assert advantage_at_m == pytest.approx(1) and advantage_beyond < 1


def test_orders_beside_an_earlier_one():
    """The paper's order comes down to the earlier one as ε falls, and is never below it."""
    ratios = list(bounds.orders_beside_an_earlier_one().values())
    assert ratios == sorted(ratios, reverse=True) and ratios[-1] > 1
    assert ratios[-1] == pytest.approx(1, abs=0.02)
