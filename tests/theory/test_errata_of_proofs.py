"""Every erratum on proofs and theorems: its numbers show what it says, and the repair holds."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import errata_of_proofs as proofs
from eubrl_edu.theory.error_terms import error_scale, error_terms

HISTORIES = st.lists(st.integers(0, 2), min_size=1, max_size=60)


def counts(pairs, t):
    """N^t and n^t of the three pairs, t from 1."""
    return np.bincount(pairs[: t - 1], minlength=3), np.bincount(pairs[:t], minlength=3)


def test_logarithm_that_vanishes():
    printed, repaired, bad = proofs.logarithm_that_vanishes().values()
    assert printed < 1e-4 < bad <= repaired


def test_rate_without_its_unit():
    regret, printed, repaired = proofs.rate_without_its_unit().values()
    assert printed < regret / 1e5 < regret < repaired


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


def test_discounted_value_in_an_episodic_step():
    needed, printed, repaired = proofs.discounted_value_in_an_episodic_step().values()
    assert printed < needed / 10
    assert repaired == pytest.approx(needed)


def test_checkpoints_beyond_the_end():
    last, after, steps, end = proofs.checkpoints_beyond_the_end().values()
    assert last < steps < after == end


@given(HISTORIES)
def test_checkpoints_end_by_two_steps_after_the_run(pairs):
    """The repaired statement, for the chain from any step."""
    offsets = theory.stopping_times(np.array(pairs)).offsets
    following = np.arange(1, len(pairs) + 1) + offsets + 1
    assert (following >= np.arange(2, len(pairs) + 2)).all()
    assert (following <= len(pairs) + 2).all()


def test_stopping_time_of_the_later_step():
    ahead, later, earlier, count, twice = proofs.stopping_time_of_the_later_step().values()
    assert ahead <= later and count > twice
    assert ahead > earlier


@given(HISTORIES)
def test_counts_have_not_doubled_before_the_stopping_time_of_the_anchor(pairs):
    """The repaired statement, for every anchor and every step within its reach."""
    pairs = np.array(pairs)
    offsets = theory.stopping_times(pairs).offsets
    for tau in range(1, len(pairs) + 1):
        for t in range(tau, tau + int(offsets[tau - 1])):
            assert counts(pairs, t)[1][pairs[t - 1]] <= 2 * counts(pairs, tau)[0][pairs[t - 1]]


def test_sum_for_its_scale():
    found, scale = proofs.sum_for_its_scale().values()
    assert found < 0.99 * scale


@given(st.integers(1, 10**6), st.floats(1e-3, 1), st.floats(0, 0.99))
def test_the_scale_is_an_upper_bound(visits, lambda_, discount):
    problem = theory.Problem(3, 2, 2.0, 0.5, discount=discount)
    p_u = 1 / sqrt(visits)
    bonus = theory.schedule(problem, lambda_).eta * p_u**2
    beta = error_terms(problem, np.array([float(visits)]), bonus, p_u, lambda_)
    assert visits * beta[0] <= error_scale(problem, visits, lambda_) * (1 + 1e-12)


def test_state_that_nothing_binds():
    met, first = proofs.state_that_nothing_binds().values()
    assert first == pytest.approx(46 / 63)
    assert met < first / 10


def test_least_of_nothing():
    some, none, largest, smallest = proofs.least_of_nothing().values()
    assert (some, none) == (4, 0)
    assert smallest < largest


def test_uncertainty_after_the_last_visit():
    least, at_the_end = proofs.uncertainty_after_the_last_visit().values()
    assert at_the_end < least
    assert theory.guidance_factor([least]) < theory.guidance_factor([at_the_end])


def test_index_bound_twice():
    numbers = proofs.index_bound_twice()
    assert list(numbers.values()) == [3, 2, 4, 0]


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


def test_steps_for_bad_steps():
    of_all, of_bad = proofs.steps_for_bad_steps().values()
    assert of_all > 2 * of_bad


def test_sum_of_unlike_terms():
    left, right = proofs.sum_of_unlike_terms().values()
    assert left < right
    assert right == pytest.approx(13 * 25 * 2 * 1e4)


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
