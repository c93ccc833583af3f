"""Every erratum on priors, misspecification and the model: its numbers show what it says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from eubrl_edu.theory import ERRATA
from eubrl_edu.theory import errata_of_misspecification as misspecification
from eubrl_edu.theory import errata_of_priors as priors
from eubrl_edu.theory import errata_of_the_model as model


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.place)
def test_every_erratum_says_everything_and_its_counterexample_runs(erratum):
    for words in (erratum.place, erratum.printed, erratum.problem, erratum.repaired):
        assert len(words) > 3 and words == words.strip()
    numbers = erratum.counterexample()
    assert len(numbers) >= 2
    assert all(isinstance(value, (int, float)) for value in numbers.values())
    assert np.isfinite(list(numbers.values())).all()
    assert erratum.counterexample() == numbers


def test_no_erratum_is_listed_twice():
    assert len({(erratum.place, erratum.printed) for erratum in ERRATA}) == len(ERRATA)


def test_undiscounted_objective_prefers_another_policy():
    numbers = model.undiscounted_objective()
    assert numbers["discounted, at once"] > numbers["discounted, for ever"]
    at_once, for_ever = (
        numbers[f"sum of log-probabilities, {policy}"] for policy in ("at once", "for ever")
    )
    assert at_once < for_ever


def test_unnormalized_probability():
    numbers = model.unnormalized_probability()
    assert numbers["exp(r)"] > 1
    assert numbers["shift by one for each"] != numbers["shift by one normalizer for both"]


def test_two_meanings_of_reward_uncertainty():
    numbers = model.two_meanings_of_reward_uncertainty()
    exact = 100 * beta_distribution(1, 1).var()
    assert numbers["variance, rewards known and shares unknown"] == pytest.approx(exact, rel=0.01)
    half = numbers["variance, rewards unknown and shares known"]
    assert half == pytest.approx(0.5, rel=0.02)
    assert half < numbers["aggregate, rewards unknown and shares known"] == 1.0


def test_numbered_basis_vectors():
    numbers = model.numbered_basis_vectors()
    assert numbers["with entries 1"] == pytest.approx(numbers["definition of E_T"])
    assert numbers["with entries i"] > 2 * numbers["definition of E_T"]
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 100_000)
    sampled = (shares * np.arange(1, 4)).var(axis=0).sum()
    assert numbers["with entries i"] == pytest.approx(sampled, rel=0.02)


def test_uncertainty_above_the_priors():
    numbers = model.uncertainty_above_the_priors()
    assert numbers["after one failure"] > 8 * numbers["prior"]


def test_clipped_visited_row():
    numbers = model.clipped_visited_row()
    assert numbers["posterior"] > 0.99 and numbers["clipped"] < 0.3


def test_signs_of_the_dirichlet_lemma():
    numbers = priors.signs_of_the_dirichlet_lemma()
    assert numbers["repaired"] == numbers["left-hand side"] != numbers["as printed"]


def test_constant_of_the_wrong_state():
    numbers = priors.constant_of_the_wrong_state()
    assert numbers["C_1, j = 2"] < numbers["n² E_T"] < numbers["C_1, j = 1"]
    assert numbers["E_T with one state"] == 0.0


def test_transition_uncertainty_of_one_state():
    numbers = priors.transition_uncertainty_of_one_state()
    assert numbers["n² E_T"] == 0.0 < 1 < numbers["n² E_R"]


def test_unbounded_rewards():
    numbers = priors.unbounded_rewards()
    assert numbers["rewards ±1000"] > 1e5 * numbers["rewards ±1"]


def test_shape_of_at_most_one():
    numbers = priors.shape_of_at_most_one()
    assert numbers["variance before any reward"] < 0 == numbers["α − 1 after one reward"]


def test_weight_below_minus_one():
    numbers = priors.weight_below_minus_one()
    assert numbers["|f (P̂ − P)V|"] > numbers["bound |(P̂ − P)V|"]


def test_constants_that_grow():
    assert list(priors.constants_that_grow().values()) == [2.0, 20.0, 200.0]


def test_bias_without_luck():
    numbers = priors.bias_without_luck()
    assert numbers["|(P̂ − P)V|"] == 0.0 < 0.08 < numbers["|(P_b − P)V|"]


def test_bias_divided_twice():
    numbers = priors.bias_divided_twice()
    assert numbers["as printed"] < numbers["|prior bias|"] <= numbers["repaired"]


def test_max_uncertainty_below_one():
    numbers = priors.max_uncertainty_below_one()
    assert numbers["E_max"] < 1 / 4
    assert numbers["reward gap at N = 4m"] > numbers["R_max λ (1 − γ)"]


@given(st.floats(0.25, 10.0), st.floats(1.0, 1e6), st.floats(1.0, 1e3))
def test_a_max_uncertainty_of_a_quarter_is_enough(max_uncertainty, m, ratio):
    n = m * ratio
    gap = (np.sqrt(n) - np.sqrt(m)) / n / max_uncertainty
    assert gap <= 1 / np.sqrt(m) + 1e-12  # R_max λ (1 − γ), with R_max = 1


def test_lower_bound_in_place_of_a_rate():
    numbers = priors.lower_bound_in_place_of_a_rate()
    gamma = [numbers[f"n² E_R, Normal-Gamma, n = {n}"] for n in (1000, 100_000)]
    normal = [numbers[f"n² E_R, Normal, n = {n}"] for n in (1000, 100_000)]
    assert gamma == pytest.approx([3.0, 3.0], rel=0.01)
    assert normal == pytest.approx([1e3, 1e5], rel=0.01)


def test_tied_row():
    numbers = priors.tied_row()
    small, large = numbers.values()
    assert small > 90 and large > 900


def test_rewards_of_outcomes():
    numbers = priors.rewards_of_outcomes()
    assert numbers["r_b, visits (10, 0)"] > numbers["r_b, visits (5, 5)"]
    assert numbers["n E_R, visits (5, 5)"] > 1.5 > 1 > numbers["n E_R, visits (10, 0)"]


def test_variance_that_rises_but_not_in_expectation():
    numbers = misspecification.variance_that_rises()
    assert numbers["after a failure more"] > numbers["after five successes"]
    assert numbers["mean over what comes next"] < numbers["after five successes"]


@given(st.floats(0.01, 50.0), st.integers(0, 80), st.integers(0, 80))
def test_repaired_lemma_on_the_variance(alpha, ones, zeros):
    """In expectation it falls, and it stays below an envelope that falls with every observation."""
    before = beta_distribution(alpha + ones, alpha + zeros)
    success = beta_distribution(alpha + ones + 1, alpha + zeros).var()
    failure = beta_distribution(alpha + ones, alpha + zeros + 1).var()
    assert before.mean() * success + (1 - before.mean()) * failure < before.var()
    assert before.var() <= (1 + 1e-12) / (4 * (2 * alpha + ones + zeros + 1))


def test_probability_of_uncertainty_that_rises():
    numbers = misspecification.probability_of_uncertainty_that_rises()
    assert numbers["P_U after two"] > 2 * numbers["P_U after one"]


@given(st.floats(0.5, 50.0), st.integers(0, 60), st.integers(0, 60))
def test_from_one_half_on_the_first_observation_leaves_the_largest_uncertainty(alpha, ones, zeros):
    if ones + zeros:
        first = beta_distribution(alpha + 1, alpha).var()
        assert beta_distribution(alpha + ones, alpha + zeros).var() <= first * (1 + 1e-12)


def test_hoeffding_with_the_wrong_mean():
    numbers = misspecification.hoeffding_with_the_wrong_mean()
    assert numbers["sum with s(a)"] > 1 > 1e-30 > numbers["sum with g(a, n)"]


def test_floor_in_place_of_the_number():
    numbers = misspecification.floor_in_place_of_the_number()
    assert numbers["with a/n"] == pytest.approx(numbers["g(a, n)"])
    assert abs(numbers["with ⌊a⌋/n"] - numbers["g(a, n)"]) > 0.1


def test_more_than_half():
    numbers = misspecification.more_than_half()
    assert numbers["δ0"] < numbers["exact"] <= 0.5 < numbers["1 − δ0"]


def test_union_beside_leaving():
    numbers = misspecification.union_beside_leaving()
    assert numbers["P(the arm is left)"] < numbers["P(∪ r̄ < g)"] / 10


def test_without_the_root():
    numbers = misspecification.without_the_root()
    assert numbers["α = 1, root"] < numbers["α = 1, variance"] / 10
    assert numbers["α = 22, root"] > 0.499


def test_values_of_the_arms():
    numbers = misspecification.values_of_the_arms()
    assert numbers["V*"] == pytest.approx(10 * numbers["V* as printed"])


def test_two_means_of_one_name():
    assert list(misspecification.two_means_of_one_name().values()) == [0.6, 1.0]


def test_tie_after_a_failure():
    numbers = misspecification.tie_after_a_failure()
    assert numbers["advantage"] == pytest.approx(0.0, abs=1e-12)
    assert numbers["P(the arm is left)"] == 0.5
