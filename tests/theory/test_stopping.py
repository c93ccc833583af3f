import math
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import Problem

SEQUENCES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.integers(0, n - 1), min_size=1, max_size=120)
)
# Long stays with rare changes stress the bounds more than fair dice do.
STAYS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 40)), min_size=1, max_size=12).map(
    lambda stays: [pair for pair, length in stays for _ in range(length)]
)


def by_definition(pairs):
    """ν_t as an absolute time, read off the definition with times from 1."""
    end, found = len(pairs), []
    for t in range(1, end + 1):
        before = pairs[: t - 1]
        for tau in range(t, end + 1):
            pair = pairs[tau - 1]
            if pairs[:tau].count(pair) > 2 * before.count(pair):
                found.append(tau)
                break
        else:
            found.append(end + 1)
    return np.array(found)


@given(st.one_of(SEQUENCES, STAYS))
def test_stopping_times_by_definition(pairs):
    found = theory.stopping_times(pairs)
    expected = by_definition(pairs)
    np.testing.assert_array_equal(found.offsets + np.arange(1, len(pairs) + 1), expected)
    np.testing.assert_array_equal(found.stopped, expected <= len(pairs))


@given(st.one_of(SEQUENCES, STAYS), st.floats(0, 0.999))
def test_discounted_overshoot_is_bounded(pairs, discount):
    """The repaired lemma of "Boundedness of J"."""
    found = theory.stopping_times(pairs)
    problem = Problem(max(pairs) + 1, 1, 1.0, 0.1, discount)
    overshoot = (discount ** found.offsets[found.stopped].astype(float)).sum()
    assert overshoot <= theory.overshoot_bound(problem, len(pairs)) * (1 + 1e-12)
    # Without T.
    horizon = 1 / (1 - discount)
    i = math.ceil(math.log2(max(1.0, horizon * math.log(horizon))))
    assert overshoot <= problem.n_pairs * (i + 2) * horizon * (1 + 1e-12)


@pytest.mark.parametrize("steps", [1000, 10_000])
def test_overshooting_of_one_pair_does_not_grow_with_the_steps(steps):
    """By the paper's ν_t; up to the agent's own plans, which come before, it grows like log T."""
    found = theory.stopping_times([0] * steps)
    assert (0.9 ** found.offsets[found.stopped].astype(float)).sum() == pytest.approx(10.0)
    taken = np.arange(1, steps + 1)
    ends = 2 ** np.arange(20) - 1  # the last step of each plan by doubling
    following = ends[np.searchsorted(ends, taken)]
    weights = 0.9 ** (following - taken)[following < steps]
    assert weights.sum() == pytest.approx({1000: 59.8, 10_000: 99.8}[steps], abs=0.05)


@given(st.one_of(SEQUENCES, STAYS), st.floats(0, 0.999))
def test_harmonic_sums_up_to_the_stopping_times(pairs, discount):
    """The step of "Boundedness of J" from 1/N^τ(s_t, a_t) to SA log(1 + T/SA)."""
    offsets = theory.stopping_times(pairs).offsets
    n_pairs, end, total = max(pairs) + 1, len(pairs), 0.0
    for t in range(end):
        for ahead in range(offsets[t]):
            total += discount**ahead / pairs[:t].count(pairs[t + ahead])
    bound = 2 / (1 - discount) * n_pairs * np.log(1 + end / n_pairs)
    assert total <= bound * (1 + 1e-12)


@given(st.one_of(SEQUENCES, STAYS), st.integers(1, 9))
def test_episodic_overshoot_is_bounded_and_by_definition(pairs, horizon):
    episodes = len(pairs) // horizon
    if episodes == 0:
        return
    pairs = pairs[: episodes * horizon]
    found = theory.episode_stopping_times(pairs, horizon)
    for k in range(episodes):
        before = pairs[: k * horizon]
        stops = [
            h
            for h in range(1, horizon + 1)
            if pairs[: k * horizon + h].count(pairs[k * horizon + h - 1])
            > 2 * before.count(pairs[k * horizon + h - 1])
        ]
        assert found.offsets[k] == (stops[0] if stops else horizon + 1)
    problem = Problem(max(pairs) + 1, 1, 1.0, 0.1, horizon=horizon)
    assert found.stopped.sum() <= theory.overshoot_bound(problem)


def test_the_printed_bound_fails_on_a_single_pair():
    steps = 100
    found = theory.stopping_times([0] * steps)
    printed = theory.printed_overshoot_bound(Problem(1, 1, 1.0, 0.1, 0.9), steps)
    assert found.stopped.sum() == steps // 2 > printed == log2(2 * steps)


@pytest.mark.parametrize("wrong", [[], [[0]], [0.5], [-1]])
def test_bad_sequences_are_refused(wrong):
    with pytest.raises(ValueError, match="pairs must"):
        theory.stopping_times(wrong)
