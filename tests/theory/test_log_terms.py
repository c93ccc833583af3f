import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.theory import Problem, log_terms, maximum_value
from eubrl_edu.theory.log_terms import pair_log_term
from tests.theory.mp_paper import discounted_terms, episodic_terms

SIZES = {
    "n_states": st.integers(1, 500),
    "n_actions": st.integers(1, 20),
    "delta": st.floats(1e-12, 1),
}
DISCOUNTS = st.floats(0, 0.99999)


def agree(found, expected):
    for name, value in expected.items():
        assert abs(getattr(found, name) / float(value) - 1) < 1e-12, name


@given(**SIZES, discount=DISCOUNTS, steps=st.integers(2, 10**12), share=st.floats(1e-6, 0.999))
def test_discounted_terms_agree_with_fifty_digits(
    n_states, n_actions, delta, discount, steps, share
):
    epsilon = share * maximum_value(r_max=3.0, discount=discount)
    found = log_terms(
        n_states=n_states, n_actions=n_actions, delta=delta, discount=discount, r_max=3.0,
        steps=steps, epsilon=epsilon,
    )  # fmt: skip
    agree(found, discounted_terms(n_states, n_actions, delta, discount, 3.0, steps, epsilon))


@given(**SIZES, horizon=st.integers(1, 1000), episodes=st.integers(2, 10**9))
def test_episodic_terms_agree_with_fifty_digits(n_states, n_actions, delta, horizon, episodes):
    found = log_terms(
        n_states=n_states, n_actions=n_actions, delta=delta, horizon=horizon, episodes=episodes,
        epsilon=horizon / 7,
    )  # fmt: skip
    agree(found, episodic_terms(n_states, n_actions, delta, horizon, 1.0, episodes, horizon / 7))


@given(**SIZES, steps=st.integers(1, 10**15))
def test_the_fourth_term_is_at_most_the_first_two(n_states, n_actions, delta, steps):
    """The paper, "Regret Analysis", the lemma on ℓ4."""
    terms = log_terms(
        n_states=n_states, n_actions=n_actions, delta=delta, discount=0.9, steps=steps
    )
    assert terms.l4 <= terms.l1 + terms.l2


@given(**SIZES, steps=st.integers(1, 10**15))
def test_the_merged_term_is_at_least_the_first_and_the_third(n_states, n_actions, delta, steps):
    terms = log_terms(
        n_states=n_states, n_actions=n_actions, delta=delta, discount=0.9, steps=steps
    )
    assert terms.l1_prime >= terms.l1 >= 1
    assert terms.l1_prime >= terms.l3


def test_the_third_term_of_a_pair_counts_its_own_visits():
    problem = Problem(5, 2, 1.0, 0.1, discount=0.9)
    found = pair_log_term(problem, np.array([1, 7, 1000]))
    expected = [np.log(12 * 10 * (1 + np.log(n)) / 0.1) for n in (1, 7, 1000)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert pair_log_term(problem, 0) == found[0]


def test_what_was_not_asked_for_is_none():
    terms = log_terms(n_states=2, n_actions=2, delta=0.5, discount=0.9)
    assert terms.l2 is terms.l3 is terms.l4 is terms.l5 is terms.l6 is terms.b is None


def test_the_largest_value():
    assert maximum_value(r_max=2, discount=0.75) == 8
    assert maximum_value(r_max=2, horizon=7) == 14


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"delta": 0}, r"delta must be in \(0, 1\], got 0"),
        ({"delta": 1.5}, r"delta must be in \(0, 1\], got 1.5"),
        ({"delta": float("nan")}, r"delta must be in \(0, 1\]"),
        ({"epsilon": 0}, "epsilon must be a finite number greater than 0, got 0"),
        ({"epsilon": 10.1}, "epsilon must be at most the largest value there can be, V↑ = 10"),
        ({"steps": 0.5}, "steps must be a finite number of at least 1, got 0.5"),
        ({"n_states": 0}, "n_states must be an integer of at least 1, got 0"),
        ({"n_actions": 1.5}, "n_actions must be an integer"),
        ({"r_max": 0}, "r_max must be a finite number greater than 0"),
        ({"discount": 1}, r"discount must be in \[0, 1\)"),
        ({"discount": None}, "give either discount"),
        ({"horizon": 3}, "give either discount"),
        ({"steps": None, "episodes": 3}, "a discounted problem counts steps"),
        ({"discount": None, "horizon": 3}, "a problem with a horizon counts episodes"),
    ],
)
def test_bad_input_is_answered_in_words(wrong, words):
    good = {"n_states": 2, "n_actions": 2, "delta": 0.1, "discount": 0.9, "steps": 10}
    with pytest.raises(ValueError, match=words):
        log_terms(**good | wrong)


def test_the_largest_epsilon_is_allowed():
    log_terms(n_states=2, n_actions=2, delta=1, discount=0.9, epsilon=1 / (1 - 0.9))
