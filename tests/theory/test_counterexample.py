"""Quasi-optimism under a Normal-Gamma prior that breaks it, and under priors that do not."""

import numpy as np
import pytest

from eubrl_edu.beliefs import Belief
from eubrl_edu.planning import value_iteration
from eubrl_edu.theory.counterexample import (
    LAMBDA,
    STRENGTH,
    CertainReward,
    check_quasi_optimism,
    failing_prior,
    holding_prior,
    theoretical_schedule,
)
from eubrl_edu.theory.priors_class import classify_prior

VISITS = np.unique(np.geomspace(1, 159_999, 60).astype(int)).tolist()


@pytest.fixture(scope="module")
def failing():
    return check_quasi_optimism(failing_prior(), [*VISITS, 160_000])


@pytest.fixture(scope="module")
def holding():
    return check_quasi_optimism(holding_prior(), [*VISITS, 160_000])


def by_hand(n, strength=STRENGTH, discount=0.5, delta=0.1, lambda_=LAMBDA):
    """V* − Ṽ and what is allowed, from the paper's formulas alone."""
    largest = 1 / (1 - discount)
    l1 = np.log(24 / delta)
    upsilon = 7 * largest * l1 / lambda_ + strength
    eta = upsilon + largest / lambda_
    beta = strength + strength * n / (strength + n) / 2
    uncertainty = np.sqrt(beta / ((strength + n) * (2 + n / 2 - 1)))
    estimate = n / (strength + n)
    reward = (1 - uncertainty) * estimate + eta * uncertainty**2
    return largest - min(reward / (1 - discount), largest), lambda_ * (1.5 - uncertainty) * largest


def test_quasi_optimism_fails_under_the_normal_gamma_prior(failing):
    assert failing.first_failure is not None and failing.first_failure < failing.schedule.m
    assert (failing.shortfall / failing.allowed).max() > 2.5
    early = failing.visits < 60_000
    assert failing.holds[early].all()
    assert 60_000 < failing.first_failure < 90_000


def test_the_first_failure_of_all():
    found = check_quasi_optimism(failing_prior(), [8318, 8319, 66_319, 66_320])
    assert (found.bonus > found.needed).tolist() == [True, False, False, False]
    assert found.first_failure == 66_320


def test_every_number_is_the_papers(failing):
    for n, shortfall, allowed in zip(
        failing.visits[:-1], failing.shortfall, failing.allowed, strict=False
    ):
        assert (shortfall, allowed) == pytest.approx(by_hand(int(n)), abs=1e-9)
    np.testing.assert_allclose(failing.bias, STRENGTH / (STRENGTH + failing.visits), rtol=1e-9)


def test_the_bonus_is_then_below_what_the_proof_asks_for(failing):
    broken = ~failing.holds
    assert (failing.bonus[broken] < failing.needed[broken]).all()
    early = (failing.visits >= 10) & (failing.visits < 1000)
    assert (failing.bonus[early] > failing.needed[early]).all()


def test_from_the_critical_visit_on_the_modified_bonus_restores_it(failing):
    assert failing.visits[-1] >= failing.schedule.m
    assert failing.holds[-1] and not failing.holds[-2]


def test_quasi_optimism_holds_under_a_normal_prior_of_the_same_strength(holding, failing):
    assert holding.holds.all() and holding.first_failure is None
    np.testing.assert_allclose(holding.bias, failing.bias, rtol=1e-9)
    assert holding.schedule == failing.schedule


def test_the_bonus_falls_twice_as_fast_as_it_may(failing, holding):
    late = failing.visits >= 50_000
    slopes = [
        np.polyfit(np.log(check.visits[late]), np.log(check.bonus[late]), 1)[0]
        for check in (failing, holding)
    ]
    assert slopes[0] == pytest.approx(-2, abs=0.1)
    assert slopes[1] == pytest.approx(-1, abs=0.1)


@pytest.mark.parametrize("strength", [1.0, 0.05, 1e-4])
def test_under_a_weak_prior_the_claim_holds_though_its_proof_does_not(strength):
    check = check_quasi_optimism(failing_prior(strength), VISITS)
    assert check.holds.all()
    assert (check.bonus < check.needed).all()


def test_the_classifier_says_so():
    assert not classify_prior(failing_prior(), r_max=1.0).in_class
    assert classify_prior(holding_prior(), r_max=1.0).in_class


def test_the_world_and_the_scale():
    world = CertainReward()
    assert value_iteration(world.model, 0.5, tolerance=1e-12).v[0] == pytest.approx(2.0)
    settings = theoretical_schedule(failing_prior())
    upsilon = 7 * 2 * np.log(240) / LAMBDA + STRENGTH
    assert settings.upsilon == pytest.approx(upsilon, rel=1e-12)
    assert settings.eta == pytest.approx(upsilon + 2 / LAMBDA, rel=1e-12)
    assert settings.m == pytest.approx(160_000)


def after_a_step():
    belief = failing_prior()
    belief.update(0, 0, 1.0, 0)
    return belief


def after_a_reward():
    belief = failing_prior()
    belief.rewards.update(0, 0, 0, 1.0)
    return belief


def of_parts_that_have_learned():
    belief = after_a_step()
    return Belief(belief.transitions, belief.rewards)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: check_quasi_optimism(after_a_step(), [1]), "seen nothing, got Belief"),
        (lambda: check_quasi_optimism(after_a_reward(), [1]), "seen nothing, got Belief"),
        (lambda: check_quasi_optimism(of_parts_that_have_learned(), [1]), "seen nothing, got"),
        (lambda: failing_prior(0.0), "strength"),
        (lambda: check_quasi_optimism(failing_prior(), [0]), "visits"),
        (lambda: check_quasi_optimism(failing_prior(), [2, 1]), "visits"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
