"""Every erratum on lemmas and constants: its numbers show what it says."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.mdp import MDP
from eubrl_edu.theory import errata_of_constants as constants
from eubrl_edu.theory import errata_of_lemmas as lemmas
from eubrl_edu.theory.variance_of_errors import variance_of_errors


def test_overshooting_without_discount():
    found = lemmas.overshooting_without_discount()
    assert found["stops"] == 500 > 20 * found["SA log2(2T) as printed"]
    assert found["stops weighed by γ^ν"] <= found["SA log2(2T)/(1 − γ)"]


def test_policies_that_change_on_the_way():
    now, bound = lemmas.policies_that_change_on_the_way().values()
    assert now == pytest.approx(10.0)
    assert bound < 1.0


def test_variances_that_add_up():
    found = lemmas.variances_that_add_up()
    assert found["L"] > 2 * found["48V↑²/(1 − γ)² log(6/δ)"]
    for event in ("A5 holds by", "mirror of A5 holds by", "A6 holds by"):
        assert found[event] > 0
    other = variance_of_errors(seed=1)
    assert other["L"] > 2 * other["48V↑²/(1 − γ)² log(6/δ)"]


def test_product_with_a_negative_factor():
    variance, printed = lemmas.product_with_a_negative_factor().values()
    assert variance > printed


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


def test_visits_outside_the_bad_steps():
    found = lemmas.visits_outside_the_bad_steps()
    bound = found["2/(1 − γ) · SA log(1 + |Γ|/SA)"]
    assert found["Σ_t Σ_l γ^l/N at least"] > bound > found["with all visits counted"]


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


def test_resistance_of_later_states():
    found = lemmas.resistance_of_later_states()
    assert found["visits"] >= found["m"] * (1 - 1e-9)
    assert found["(T₁f)(s)"] > found["f(s)"] + 0.1
    assert found["(T₁f)(s) with the least P_U"] <= found["f(s) with the least P_U"]


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


def test_rewards_without_an_event():
    found = lemmas.rewards_without_an_event()
    assert found["V* − Ṽ"] > 6 * found["λ(3/2 − P_U*)V↑"]
    assert found["|r̂ − r|"] > found["A4 allows"]


def test_horizon_for_the_largest_value():
    found = lemmas.horizon_for_the_largest_value()
    assert found["(3/2 − P_U*)λH"] < found["V* − Ṽ"] <= found["(3/2 − P_U*)λV↑"]


def test_values_above_the_largest():
    found = lemmas.values_above_the_largest()
    assert found["V^t"] > 100 * found["V↑"]


def test_operator_where_values_are_cut_off():
    found = lemmas.operator_where_values_are_cut_off()
    assert found["V* − Ṽ"] == 0 > found["T₁(V* − Ṽ)"]


def test_advantage_without_a_visit():
    found = lemmas.advantage_without_a_visit()
    advantage = found["b − P_U R_max at N = 0"]
    assert found["V↑"] < advantage < found["Υ/N for N = 10⁻³"] < found["Υ/N for N = 10⁻⁶"]


def test_step_of_the_variance_lemma():
    left, printed, repaired = lemmas.step_of_the_variance_lemma().values()
    assert printed < left <= repaired


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
    found = constants.critical_visits()
    assert found["m with λ"] < found["m with λ²"]
    assert found["gap of the rewards"] > 2 * found["allowed"]


def test_stopping_time_as_offset():
    found = constants.stopping_time_as_offset()
    assert found["ν as defined"] == 9
    assert found["t + ν as defined"] == 14 > found["T + 1"]
    assert found["ν"] == 4


def test_episodic_value_in_a_discounted_term():
    one, other = constants.episodic_value_in_a_discounted_term().values()
    assert one == pytest.approx(100)
    assert other == 10


def test_least_guidance_factor():
    found = constants.least_guidance_factor()
    assert found["𝒢/SA"] == pytest.approx(sqrt(17 / 63))
    assert found["𝒢/SA"] > found["17/63"]


def test_best_case_of_counts():
    best, most = constants.best_case_of_counts().values()
    assert best == pytest.approx(46 / 63)
    assert 2 / 7 < most < 0.3 < best


def test_saving_beside_cost():
    saved, cost = constants.saving_beside_cost().values()
    assert cost > saved


def test_lower_order_without_its_logarithm():
    parts, printed, repaired = constants.lower_order_without_its_logarithm().values()
    assert printed < parts <= repaired


def test_doubled_lambda():
    plain, doubled, into = constants.doubled_lambda().values()
    assert plain < into < doubled


def test_logarithm_with_its_factor():
    defined, used, plain = constants.logarithm_with_its_factor().values()
    assert used == pytest.approx(plain, rel=0.05)
    assert defined > 5 * plain


def test_lambda_that_knows_the_best_action():
    one, other = constants.lambda_that_knows_the_best_action().values()
    assert one > 1.1 * other


def test_episodic_constant():
    printed, needed, discounted = constants.episodic_constant().values()
    assert printed == discounted == needed / 2


def test_fourth_power():
    line, printed, repaired = constants.fourth_power().values()
    assert line == pytest.approx(repaired)
    assert line > printed + 4


def test_lost_horizon():
    exact, printed, end = constants.lost_horizon().values()
    assert exact == pytest.approx(end)
    assert exact > printed


def test_threshold_in_units_of_reward():
    at_printed, at_repaired, nearly_zero = constants.threshold_in_units_of_reward().values()
    assert at_repaired == pytest.approx(1)
    assert at_printed == pytest.approx(10)
    assert nearly_zero > 1e20


def test_missing_discount():
    true, printed = constants.missing_discount().values()
    empirical = MDP.from_dense(np.full((2, 1, 2), 0.5), np.zeros((2, 1)))
    np.testing.assert_allclose(0.9 * empirical.expected(np.ones(2)), true)
    assert printed > true
