"""Every erratum on analysis: its numbers show what it says, and what survives does."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.errata import analysis
from eubrl_edu.theory.error_terms import error_scale, error_terms


def test_overshooting_without_discount():
    found = analysis.overshooting_without_discount()
    assert found["stops"] == 5000 > 20 * found["SA log2(2T) as printed"]
    assert found["stops weighted by γ^ν"] <= found["SA log2(2T)/(1 − γ)"]
    assert found["I₃/V↑"] > 1.5 * found["I₃/V↑ as printed"]
    assert found["I₃/V↑"] <= found["SA log2(2T)/(1 − γ)"] + 100


def test_j_of_one_pair_is_at_its_cap_for_the_whole_run():
    """As the numbers on I₃ assume: β exceeds R_max as long as N is below 30 ℓ₃/(1 − γ)."""
    problem, visits = theory.Problem(1, 1, 1.0, 0.1, discount=0.99), np.array([10_000.0])
    p_u = 1 / np.sqrt(visits)
    bonus = theory.schedule(problem, 1.0).eta * p_u**2
    assert error_terms(problem, visits, bonus, p_u, 1.0)[0] > problem.r_max


def test_rewards_without_an_event():
    found = analysis.rewards_without_an_event()
    assert found["V* − Ṽ"] > 6 * found["λ(3/2 − P_U*)V↑"]
    assert found["|r̂ − r|"] > found["A4 allows"]


def test_values_above_the_largest():
    found = analysis.values_above_the_largest()
    assert found["V^t"] > 100 * found["V↑"]


def test_operator_where_values_are_cut_off():
    found = analysis.operator_where_values_are_cut_off()
    assert found["V* − Ṽ"] == 0 > found["T₁(V* − Ṽ)"]


def test_lambda_that_knows_the_best_action():
    one, other = analysis.lambda_that_knows_the_best_action().values()
    assert one > 1.1 * other


def test_one_lambda_for_all_times():
    found = analysis.one_lambda_for_all_times()
    assert found["share of runs in which A1 fails"] > 2 * found["δ/6"]


def test_the_best_lambda_allows_so_many_standard_deviations():
    """λ/(4V↑) Var + 3V↑ℓ₁/(λN) at λ = √(12V↑²ℓ₁/(Var N)) is √(3ℓ₁) times √(Var/N)."""
    allowed = analysis.one_lambda_for_all_times()["standard deviations allowed"]
    v_max, variance, visits, l1 = 10.0, 4.0, 1e5, log(48)
    grid = np.geomspace(1e-3, 1, 100_001)
    least = (grid / (4 * v_max) * variance + 3 * v_max * l1 / (grid * visits)).min()
    assert least == pytest.approx(allowed * sqrt(variance / visits), rel=1e-6)


def test_resistance_of_two_states():
    now, following = analysis.resistance_of_two_states().values()
    assert now > 1.9 * following


def test_seventh_event():
    """Each cost is below δ/6, those of the three martingales apart, and so is δ for all."""
    found = analysis.seventh_event()
    assert max(found[name] for name in ("A1", "A2", "A3", "A4")) < 1 / 6
    assert found["together"] < 0.74


def test_blocks_of_visits_cover_a3():
    """What Freedman's inequality gives for n in [ν/√2, ν√2] is within A3, with L = 2ℓ₃.

    For every u > 0: p u/2 + (L/n)(1/u + 1/3), here with the u that is best for ν visits.
    """
    rng = np.random.default_rng(0)
    p, log_term = rng.random(10**5), 3 + 30 * rng.random(10**5)
    middle = 10 ** (6 * rng.random(10**5))
    n = middle * 2 ** (rng.random(10**5) - 0.5)
    u = np.sqrt(4 * log_term / (middle * p))
    found = p * u / 2 + 2 * log_term / n * (1 / u + 1 / 3)
    assert (found <= 2 * np.sqrt(2 * p * log_term / n) + 2 * log_term / (3 * n) + 1e-12).all()


@given(st.floats(0.1, 1e6))
def test_the_explicit_bounds_have_the_unit_of_reward(r_max):
    sizes = {"n_states": 5, "n_actions": 2, "discount": 0.9, "delta": 0.1}
    bounds = [theory.regret_bound(**sizes, r_max=r, steps=1e6).total for r in (1.0, r_max)]
    assert bounds[1] == pytest.approx(r_max * bounds[0])
    # Bad steps have no unit: ε goes with R_max.
    steps = [
        theory.sample_complexity_bound(**sizes, r_max=r, epsilon=0.1 * r).total
        for r in (1.0, r_max)
    ]
    assert steps[1] == pytest.approx(steps[0])


HISTORIES = st.lists(st.integers(0, 2), min_size=1, max_size=60)


@given(HISTORIES)
def test_checkpoints_end_by_two_steps_after_the_run(pairs):
    """The repaired statement, for the chain from any step."""
    offsets = theory.stopping_times(np.array(pairs)).offsets
    following = np.arange(1, len(pairs) + 1) + offsets + 1
    assert (following >= np.arange(2, len(pairs) + 2)).all()
    assert (following <= len(pairs) + 2).all()


def counts(pairs, t):
    """N^t and n^t of the three pairs, t from 1."""
    return np.bincount(pairs[: t - 1], minlength=3), np.bincount(pairs[:t], minlength=3)


@given(HISTORIES)
def test_counts_have_not_doubled_before_the_stopping_time_of_the_anchor(pairs):
    """The repaired statement, for every anchor and every step within its reach."""
    pairs = np.array(pairs)
    offsets = theory.stopping_times(pairs).offsets
    for tau in range(1, len(pairs) + 1):
        for t in range(tau, tau + int(offsets[tau - 1])):
            assert counts(pairs, t)[1][pairs[t - 1]] <= 2 * counts(pairs, tau)[0][pairs[t - 1]]


@given(st.integers(1, 10**6), st.floats(1e-3, 1), st.floats(0, 0.99))
def test_the_scale_is_an_upper_bound(visits, lambda_, discount):
    problem = theory.Problem(3, 2, 2.0, 0.5, discount=discount)
    p_u = 1 / sqrt(visits)
    bonus = theory.schedule(problem, lambda_).eta * p_u**2
    beta = error_terms(problem, np.array([float(visits)]), bonus, p_u, lambda_)
    assert visits * beta[0] <= error_scale(problem, visits, lambda_) * (1 + 1e-12)


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.data())
def test_with_an_index_of_its_own_the_count_is_of_the_bad_steps_so_far(bad, data):
    """n^t − N^t is whether step t itself is bad; with t for the index it is all bad steps."""
    t = data.draw(st.integers(1, len(bad)))
    own = [sum(bad[:last]) for last in (t, t - 1)]
    assert own[0] - own[1] == bad[t - 1]
    steps = range(1, len(bad) + 1)
    gamma = [{step for step in steps[:last] if bad[step - 1]} for last in range(len(bad) + 1)]
    assert sum(step in gamma[step] for step in steps) == sum(bad)
    assert sum(step in gamma[step - 1] for step in steps) == 0


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0, 0.999), st.floats(0.01, 1))
def test_the_bound_of_b_holds(n_states, n_actions, discount, epsilon):
    """R_max = δ = 1, and ε as a share of V↑: B itself is below what it is bounded by."""
    problem = theory.Problem(n_states, n_actions, 1.0, 1.0, discount=discount)
    epsilon *= problem.v_max
    terms = theory.log_terms(
        n_states=n_states, n_actions=n_actions, discount=discount, delta=1.0, epsilon=epsilon
    )
    far = 1 / (1 - discount)
    b = terms.l1 / epsilon**2 * far**3
    b += n_states * (2 * terms.l1 + terms.l6) / epsilon * far**2
    assert b <= 13 * n_states**2 * n_actions / epsilon**2 * far**4 * (1 + 1e-12)
    assert terms.l1 == pytest.approx(log(24 * n_states * n_actions))


def test_with_the_logarithm_of_a_logarithm_the_events_hold():
    """The repaired ℓ'₁, under the same λ: in 4000 runs hardly ever more than allowed."""
    rng, runs, step = np.random.default_rng(1), 4000, 0.1
    error = rng.standard_normal(runs)
    failed = np.zeros(runs, dtype=bool)
    for k in range(3000):
        allowed = sqrt(3 * log(24 * 2 * (1 + k * step)))
        failed |= np.abs(error) > allowed
        error = np.exp(-step / 2) * error + sqrt(1 - np.exp(-step)) * rng.standard_normal(runs)
    assert failed.mean() + 5 * sqrt(failed.mean() / runs) < 1 / 6


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 1), st.floats(0, 10))
def test_with_the_same_j_the_bound_is_lower_where_actions_are_less_certain(p, more, lambda_, j):
    """What is left of “the greater the uncertainty, the lower the regret”."""
    certain, uncertain = (
        theory.per_step_bound(
            p_u_policy=p_u, p_u_optimal=p_u, lambda_=lambda_, j=j, r_max=1.0, v_max=10.0
        ).total
        for p_u in sorted((p, more))
    )
    assert uncertain <= certain + 1e-12
