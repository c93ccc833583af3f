"""Every erratum on gaps: its numbers show what it says, and what survives does."""

from math import log, sqrt

import pytest

from eubrl_edu.errata import gaps


def test_policies_that_change_on_the_way():
    found = gaps.policies_that_change_on_the_way()
    lambda_, often, step, now, following, j, bound = found.values()
    assert step > 1 and now != following
    assert bound < j - 0.5
    assert often > 1
    # The λ of the regret theorem: 3 √(SA ℓ₁ ℓ₂/(T(1 − γ))), where SA = 2 and δ = 1.
    assert lambda_ == pytest.approx(3 * sqrt(2 * log(48) * log(1 + 6000 / 2) / (6000 * 0.5)))


def test_variances_that_add_up():
    found = gaps.variances_that_add_up()
    assert found["L"] > 2 * found["48V↑²/(1 − γ)² log(6/δ)"]
    for event in ("A5 holds by", "mirror of A5 holds by", "A6 holds by"):
        assert found[event] > 0
    assert found["first T with L above it"] < 40_000


def test_visits_outside_the_bad_steps():
    found = gaps.visits_outside_the_bad_steps()
    bound = found["2/(1 − γ) · SA log(1 + |Γ|/SA)"]
    assert found["Σ_t Σ_l γ^l/N at least"] > bound > found["with all visits counted"]


def test_resistance_of_later_states():
    found = gaps.resistance_of_later_states()
    assert found["visits"] >= found["m"] * (1 - 1e-9)
    assert found["(T₁f − f)(s)"] > 0.1
    assert found["(T₁f − f)(s) with the least P_U"] <= 0
