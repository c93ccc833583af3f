"""The numbers that slips of the pen name."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory


@pytest.mark.parametrize("steps", [1e6, 1e18])
def test_l1_is_too_small_for_the_non_leading_part(steps):
    """“State-action Dependent λ, the non-leading part”, in units of R_max/(1 − γ)²."""
    n, actions, delta = 2, 2, 0.1
    terms = theory.log_terms(n_states=n, n_actions=actions, discount=0.9, delta=delta, steps=steps)
    pairs, l1, l2, l3 = n * actions, terms.l1, terms.l2, terms.l3
    largest = 120 * n * pairs * l2 * l3
    merged = largest + 26 * pairs * log(12 * steps / delta) + 48 * pairs * l1 * l2
    assert merged > 168 * n * pairs * l1 * (1 + l2)
    assert (largest > 168 * n * pairs * l1 * (1 + l2)) == (steps == 1e18)
    primed = log(24 * pairs * (1 + log(steps)) / delta)
    merged += 48 * pairs * (primed - l1) * l2
    assert merged < 168 * n * pairs * primed * (1 + l2)


@given(st.floats(0.1, 10), st.floats(0.01, 1), st.integers(1, 100))
def test_quasi_optimism_with_h_fails_above_three_halves(r_max, lambda_, horizon):
    """One pair, known for ever, that pays R_max; r̂ = (1 − λ)R_max, which A4 lets it be."""
    lacking = horizon * r_max - horizon * (1 - lambda_) * r_max
    assert lacking <= 1.5 * lambda_ * horizon * r_max
    if abs(r_max - 1.5) > 1e-6:
        assert (lacking > 1.5 * lambda_ * horizon) == (r_max > 1.5)
