"""Every erratum on assumptions and remarks: its numbers show what it says."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import errata_of_remarks as remarks


def test_one_lambda_for_all_times():
    found = remarks.one_lambda_for_all_times()
    assert found["share of runs in which A1 fails"] > 2 * found["δ/6"]


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


def test_the_best_lambda_allows_so_many_standard_deviations():
    """λ/(4V↑) Var + 3V↑ℓ₁/(λN) at λ = √(12V↑²ℓ₁/(Var N)) is √(3ℓ₁) times √(Var/N)."""
    allowed = remarks.one_lambda_for_all_times()["standard deviations allowed"]
    v_max, variance, visits, l1 = 10.0, 4.0, 1e5, log(48)
    grid = np.geomspace(1e-3, 1, 100_001)
    least = (grid / (4 * v_max) * variance + 3 * v_max * l1 / (grid * visits)).min()
    assert least == pytest.approx(allowed * sqrt(variance / visits), rel=1e-6)


def test_resistance_of_two_states():
    now, following = remarks.resistance_of_two_states().values()
    assert now > 1.9 * following


def test_bound_of_the_unknown():
    found = remarks.bound_of_the_unknown()
    assert found["first part of the bound, N = 1"] < found["first part of the bound, N = 1e+08"]
    assert found["the bound, N = 1"] > 4 * found["the bound, N = 1e+08"]


def test_uncertainty_without_its_scale():
    plain, scaled, largest = remarks.uncertainty_without_its_scale().values()
    assert plain < largest / 100 < scaled


def test_speed_of_the_bonus():
    bonus, auxiliary, later_bonus, later_auxiliary = remarks.speed_of_the_bonus().values()
    assert later_bonus == pytest.approx(bonus) == pytest.approx(auxiliary)
    assert later_auxiliary > 2 * auxiliary


def test_sum_that_was_lost():
    total, single, end = remarks.sum_that_was_lost().values()
    assert single < 1 < end <= total


def test_operator_that_leaves_its_set():
    mapped, least = remarks.operator_that_leaves_its_set().values()
    assert mapped < least


def test_two_counts_of_bad_steps():
    strictly, weakly = remarks.two_counts_of_bad_steps().values()
    assert (strictly, weakly) == (0, 1000)


def test_seventh_event():
    assert remarks.seventh_event()["1 − 7δ/6"] < remarks.seventh_event()["1 − δ"]


def test_index_of_an_episode():
    by_step, by_episode = remarks.index_of_an_episode().values()
    assert by_step == pytest.approx(log(12 * 4 * (1 + log(999)) / 0.1))
    assert by_episode > by_step + 0.1


def test_action_in_place_of_a_state():
    own, right, wrong = remarks.action_in_place_of_a_state().values()
    assert own == right < wrong / 1e6


def test_upsilon_without_its_step():
    without, with_index = remarks.upsilon_without_its_step().values()
    assert without == pytest.approx(7 * 10 * log(24 * 4 / 0.1) / 0.1)
    assert without == pytest.approx(2 * with_index)


def test_inequality_printed_as_equation():
    left, right = remarks.inequality_printed_as_equation().values()
    assert 0 < left < right - 1


def test_own_value_for_the_policys():
    assert list(remarks.own_value_for_the_policys().values()) == [-0.5, 0.5]


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
