"""Every erratum on gaps: its numbers show what it says, and what survives does."""

from eubrl_edu.errata import gaps


def test_policies_that_change_on_the_way():
    found = gaps.policies_that_change_on_the_way()
    step, now, following, j, bound = found.values()
    assert step > 1 and now != following
    assert bound < j - 0.5


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
    assert found["(T₁f)(s)"] > found["f(s)"] + 0.1
    assert found["(T₁f)(s) with the least P_U"] <= found["f(s) with the least P_U"]
