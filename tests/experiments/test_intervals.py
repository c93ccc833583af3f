"""Intervals against brute force and against other libraries."""

import math
import re

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eubrl_edu.experiments.intervals import (
    CONFIDENCE,
    FEWEST_PAIRS,
    Interval,
    bootstrap_interval,
    cut_off_interval,
    paired_difference,
    rate_difference,
    wilson_interval,
)


@settings(max_examples=50, deadline=None)
@given(n=st.integers(1, 200), share=st.floats(0, 1))
def test_wilson_is_scipys(n, share):
    successes = round(share * n)
    ours = wilson_interval(successes, n)
    theirs = scipy.stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert math.isclose(ours.low, theirs.low, abs_tol=1e-12)
    assert math.isclose(ours.high, theirs.high, abs_tol=1e-12)


def test_wilson_covers_the_truth_about_as_often_as_it_says():
    """Exact coverage, summed over all outcomes of 40 runs, is near 95% on average over rates."""
    n = 40
    intervals = [wilson_interval(k, n) for k in range(n + 1)]
    coverage = []
    for rate in np.linspace(0.02, 0.98, 49):
        inside = [interval.low <= rate <= interval.high for interval in intervals]
        coverage.append(scipy.stats.binom.pmf(np.arange(n + 1), n, rate) @ inside)
    assert 0.94 < np.mean(coverage) < 0.965


def test_rate_difference_is_newcombes_worked_example():
    """Newcombe (1998), table II: 56/70 against 48/80, method 10."""
    found = rate_difference(56, 70, 48, 80)
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize("successes", [0, 20])
def test_equal_rates_never_differ(successes):
    assert rate_difference(successes, 20, successes, 20).side == 0


def test_bootstrap_near_brute_force_where_all_resamples_are_known():
    """With four values all 256 resamples can be listed; the plain percentile interval of those
    is what BCa corrects, and for symmetric values the correction vanishes."""
    values = np.array([-3.0, -1.0, 1.0, 3.0])
    grid = np.stack(np.meshgrid(*[values] * 4), axis=-1).reshape(-1, 4).mean(axis=1)
    low, high = np.quantile(grid, [0.025, 0.975])
    found = bootstrap_interval(values)
    wider = (4 / 3) ** 0.5 * scipy.stats.t.ppf(0.975, 3) / scipy.stats.norm.ppf(0.975)
    assert found.low / wider == pytest.approx(low, abs=0.5)
    assert found.high / wider == pytest.approx(high, abs=0.5)


def test_bootstrap_covers_the_truth():
    """300 samples of 60 skewed values: the mean is covered in 95% of them, give or take 4 σ."""
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(300):
        found = bootstrap_interval(rng.exponential(size=60))
        covered += found.low <= 1.0 <= found.high
    # Bootstrap intervals for skewed data fall short of their level by a per cent or two.
    assert 0.93 - 4 * math.sqrt(0.93 * 0.07 / 300) < covered / 300


@pytest.mark.parametrize("n", [3, 5, 10, 20, 40])
def test_bootstrap_of_few_runs_covers_the_truth(n):
    rng = np.random.default_rng(n)
    found = [bootstrap_interval(rng.normal(size=n)) for _ in range(300)]
    covered = sum(each.low <= 0.0 <= each.high for each in found)
    assert covered / 300 > 0.93 - 4 * math.sqrt(0.93 * 0.07 / 300)


@pytest.mark.parametrize(
    ("costs", "solved", "high"),
    [
        ([100] * 9 + [40], [False] * 9 + [True], 100.0),  # beyond 100 but for the limit
        ([100] * 9 + [40], [True] * 10, None),  # nothing was stopped
        ([100] * 9 + [40], [True] * 9 + [False], None),  # stopped by a limit of another kind
    ],
)
def test_runs_that_were_stopped_took_no_more_than_the_limit(costs, solved, high):
    plain, found = bootstrap_interval(costs), cut_off_interval(costs, solved)
    assert plain.high > 100
    assert found == (plain if high is None else Interval(plain.value, plain.low, high))


@pytest.mark.parametrize("n", [FEWEST_PAIRS, 10])
def test_few_pairs_of_equals_seldom_differ(n):
    rng = np.random.default_rng(n)
    sides = [paired_difference(*rng.normal(size=(2, n))).side for _ in range(300)]
    assert np.count_nonzero(sides) / 300 < 0.06 + 4 * math.sqrt(0.06 * 0.94 / 300)


def test_equals_of_skewed_returns_seldom_differ():
    """The bootstrap alone tells them apart too often: lognormal returns in one case of ten."""
    returns = np.random.default_rng(20).lognormal(size=(400, 2, 20))
    sides = [paired_difference(*pair).side for pair in returns]
    assert np.count_nonzero(sides) / 400 < 0.05 + 1.6 * math.sqrt(0.05 * 0.95 / 400)
    alone = [bootstrap_interval(ours - theirs).side for ours, theirs in returns]
    assert np.count_nonzero(alone) / 400 > 0.07


def test_an_interval_of_a_difference_holds_students_and_the_bootstraps():
    differences = np.random.default_rng(3).exponential(size=30) - 0.9
    found, boot = paired_difference(differences, np.zeros(30)), bootstrap_interval(differences)
    student = scipy.stats.ttest_1samp(differences, 0).confidence_interval(CONFIDENCE)
    assert found.low == pytest.approx(min(boot.low, student.low), rel=1e-12)
    assert found.high == pytest.approx(max(boot.high, student.high), rel=1e-12)
    assert student.low < boot.low < boot.high and student.high < boot.high


def test_runs_that_are_all_alike_have_no_width():
    found = bootstrap_interval([394.0] * 20)
    assert (found.value, found.low, found.high) == (394.0, 394.0, 394.0)


def test_alike_but_for_rounding_is_alike():
    found = bootstrap_interval([0.1 + 0.2, 0.3, 0.3])
    assert found.low == found.high


@settings(max_examples=30, deadline=None)
@given(common=st.floats(-1e3, 1e3), odd=st.floats(-1e3, 1e3), n=st.integers(2, 30))
def test_an_interval_is_always_finite_and_holds_the_mean(common, odd, n):
    found = bootstrap_interval([common] * n + [odd])
    slack = 1e-9 * max(1.0, abs(found.value))
    assert found.low - slack <= found.value <= found.high + slack


def test_one_run_says_nothing_of_the_spread():
    found = bootstrap_interval([3.0])
    assert found.value == 3.0 and math.isnan(found.low) and found.side == 0


def test_the_same_values_give_the_same_interval():
    values = np.random.default_rng(0).normal(size=30)
    assert bootstrap_interval(values) == bootstrap_interval(values)


def test_pairs_share_their_luck():
    """A difference far below the spread between seeds shows all the same."""
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 100, size=50)
    found = paired_difference(luck + 1 + rng.normal(0, 1, 50), luck)
    assert found.side == 1


def test_too_few_pairs_decide_nothing():
    found = paired_difference([5.0] * (FEWEST_PAIRS - 1), [1.0] * (FEWEST_PAIRS - 1))
    assert found.value == 4.0 and found.side == 0


@pytest.mark.parametrize(("differing", "side"), [(FEWEST_PAIRS - 1, 0), (30, 1)])
def test_few_pairs_that_differ_decide_nothing(differing, side):
    """Four of a hundred seeds agree on a sign by chance once in eight times."""
    ours = np.zeros(100)
    ours[:differing] = 2.0
    found = paired_difference(ours, np.zeros(100))
    assert found.side == side
    assert found.low <= found.value <= found.high
    assert paired_difference(-ours, np.zeros(100)).side == -side


def test_as_many_pairs_as_are_needed_may_decide():
    found = paired_difference([5.0] * FEWEST_PAIRS, [1.0] * FEWEST_PAIRS)
    assert found == Interval(4.0, 4.0, 4.0) and found.side == 1


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval(5.0, 4.8, 5.184), "5.00 [4.80, 5.18]"),
        (Interval(25.91, 22.44, 30.4), "25.9 [22.4, 30.4]"),
        (Interval(201.1, 150.2, 399.8), "201 [150, 400]"),
        (Interval(6.0, 6.0, 6.0), "6"),
        (Interval(-0.0, -0.0, -0.0), "0"),
        (Interval(-0.001, -0.5, 0.5), "0.00 [-0.50, 0.50]"),
        (Interval(6.25, math.nan, math.nan), "6.25"),
        (Interval(-1.2e-12, -4.1e-12, 1.8e-12), "-1.2e-12 [-4.1e-12, 1.8e-12]"),
        (Interval(1.5e307, -1e308, 1.7e308), "1.5e+307 [-1e+308, 1.7e+308]"),
    ],
)
def test_an_interval_in_words(interval, words):
    assert str(interval) == words


@given(*[st.floats(-1e5, 1e5)] * 3)
def test_words_round_an_interval_by_a_tenth_of_its_half_width_at_most(value, one, other):
    low, high = sorted((one, other))
    half = (high - low) / 2
    assume(half > 1e-6)
    written = [float(part) for part in re.findall(r"-?[\d.]+", str(Interval(value, low, high)))]
    np.testing.assert_allclose(written, [value, low, high], rtol=1e-12, atol=max(0.05 * half, 1e-8))


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**-1000, 2.0**1000])
def test_the_unit_of_reward_decides_nothing(unit):
    ours, theirs = np.random.default_rng(0).normal(size=(2, 50))
    plain, found = paired_difference(ours, theirs), paired_difference(unit * ours, unit * theirs)
    assert plain.side == 0
    assert found == Interval(plain.value * unit, plain.low * unit, plain.high * unit)


def test_what_rounding_leaves_of_a_sum_is_no_difference():
    ours = np.full(20, 167.0)
    found = paired_difference(ours, ours - 3e-14)
    assert (found.value, found.low, found.high) == (0, 0, 0) and found.side == 0
