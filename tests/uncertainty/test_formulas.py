import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.uncertainty import (
    count_uncertainty,
    epistemic_uncertainty,
    epistemically_guided_reward,
    outcome_expectation,
    probability_of_uncertainty,
    transition_mutual_information,
    transition_variance,
)
from eubrl_edu.uncertainty.formulas import digamma_excess


def posterior(n_states, alpha, counts):
    """The Dirichlet of one pair that saw next state k ``counts[k]`` times."""
    transitions = eu.DirichletTransitions(n_states, 1, alpha)
    for next_state, times in enumerate(counts):
        if times:
            transitions.update(0, 0, next_state, times)
    return transitions.parameters(0, 0)


rows = st.tuples(
    st.sampled_from([1e-8, 1e-6, 1e-3, 1.0, 10.0]) | st.floats(1e-8, 10.0),
    st.lists(st.sampled_from([0, 0, 1, 2, 50, 10**4, 10**6]), min_size=1, max_size=8),
)


def exact_variance(alpha, counts):
    alpha = mpmath.mpf(alpha)
    parameters = [alpha + n for n in counts]
    total = mpmath.fsum(parameters)
    return mpmath.fsum(p * (total - p) for p in parameters) / (total**2 * (total + 1))


def exact_mutual_information(alpha, counts):
    alpha = mpmath.mpf(alpha)
    parameters = [alpha + n for n in counts]
    total = mpmath.fsum(parameters)
    return mpmath.fsum(
        p / total * (mpmath.digamma(p + 1) - mpmath.digamma(total + 1) - mpmath.log(p / total))
        for p in parameters
    )


@given(rows)
def test_variance_to_full_precision(row):
    alpha, counts = row
    with mpmath.workdps(60):
        exact = float(exact_variance(alpha, counts))
    got = transition_variance(posterior(len(counts), alpha, counts))
    # Nothing cancels but total - alpha, which is 0 for a single state never visited.
    assert got == pytest.approx(exact, rel=1e-13, abs=1e-30)


@given(rows)
@example((1e12, [10**8, 10**8]))
@example((1e14, [0, 0, 1]))
@example((2.0, [97, 98]))
def test_mutual_information_to_rounding(row):
    """The error is that of a difference of numbers of size 1/2, over n."""
    alpha, counts = row
    with mpmath.workdps(60):
        exact = float(exact_mutual_information(alpha, counts))
    got = transition_mutual_information(posterior(len(counts), alpha, counts))
    total = len(counts) * alpha + sum(counts)
    assert got >= 0
    assert got == pytest.approx(exact, rel=1e-13, abs=1e-13 / max(total, 1.0))


@given(st.floats(0, 1e3) | st.floats(1e3, 1e50))
def test_digamma_excess(x):
    with mpmath.workdps(80):
        x = mpmath.mpf(x)
        exact = float(x * (mpmath.digamma(x + 1) - mpmath.log(x))) if x else 0.0
    assert float(digamma_excess(float(x))) == pytest.approx(exact, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (1, 0, 0, 0), (5, 2, 0, 1), (40, 3, 3, 0)])
@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_both_measures_are_what_sampling_says(alpha, counts):
    """At 5 standard errors: a chance of 6e-7 to fail where the formula is right."""
    rng = np.random.default_rng(1)
    row = posterior(4, alpha, counts)
    drawn = rng.dirichlet(alpha + np.array(counts), size=200_000)

    mean = (alpha + np.array(counts)) / (4 * alpha + sum(counts))
    squares = ((drawn - mean) ** 2).sum(axis=-1)
    assert abs(squares.mean() - transition_variance(row)) < 5 * stats.sem(squares)

    logs = np.log(np.maximum(drawn, 1e-300) / mean)
    divergence = (drawn * logs).sum(axis=-1)  # KL(P(s'|s,a,w) || P_b), whose mean is MI
    assert abs(divergence.mean() - transition_mutual_information(row)) < 5 * stats.sem(divergence)


@given(rows)
def test_certainty_and_the_prior_bound_both_measures(row):
    alpha, counts = row
    n_states = len(counts)
    parameters = posterior(n_states, alpha, counts)
    assert 0 <= transition_variance(parameters) <= 1
    assert transition_mutual_information(parameters) <= np.log(n_states) + 1e-12


def test_formulas_on_floats_and_on_arrays_give_the_same_bits():
    rng = np.random.default_rng(3)
    transitions = eu.DirichletTransitions(7, 3, 1e-6)
    for _ in range(200):
        transitions.update(
            int(rng.integers(7)), int(rng.integers(3)), int(rng.integers(7)), int(rng.integers(99))
        )
    everywhere = transitions.all_parameters()
    for formula in (transition_variance, transition_mutual_information):
        table = formula(everywhere)
        for state, action in np.ndindex(7, 3):
            assert formula(transitions.parameters(state, action)) == table[state, action]


def test_outcome_expectation_gives_every_unlisted_state_the_same_value():
    row = posterior(5, 0.5, [3, 0, 1, 0, 0])
    values = [10.0, 20.0]  # of the listed states 0 and 2
    dense = np.array([10.0, -1.0, 20.0, -1.0, -1.0])
    weights = np.array([3.5, 0.5, 1.5, 0.5, 0.5]) / 6.5
    assert outcome_expectation(row, values, -1.0) == pytest.approx(weights @ dense, rel=1e-14)


def test_epistemic_uncertainty_adds_deviations():
    got = epistemic_uncertainty(np.array([0.25, 0.0]), np.array([9.0, 4.0]), eta=2.0)
    np.testing.assert_allclose(got, [2 * (0.5 + 3.0), 2 * 2.0])


def test_count_uncertainty_treats_no_visit_as_one():
    np.testing.assert_allclose(count_uncertainty(np.array([0, 1, 4]), eta=3.0), [3.0, 3.0, 1.5])


def test_probability_of_uncertainty_is_zero_where_nothing_ever_was_uncertain():
    epistemic = np.array([[0.0, 1.0], [4.0, 2.0]])
    np.testing.assert_allclose(probability_of_uncertainty(epistemic, 4.0), epistemic / 4)
    np.testing.assert_array_equal(probability_of_uncertainty(np.zeros((2, 2)), 0.0), 0.0)


def test_guided_reward_moves_from_uncertainty_to_the_mean_reward():
    probability = np.array([1.0, 0.0, 0.25])
    got = epistemically_guided_reward(np.full(3, 8.0), np.full(3, 2.0), probability)
    np.testing.assert_allclose(got, [2.0, 8.0, 0.75 * 8 + 0.25 * 2])
