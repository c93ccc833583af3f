"""The bounds of ``theory/DOUBLING.md`` against formulas typed anew, at 40 digits."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu import theory
from tests.theory.doubling_runs import error_terms

SIZES = {"n_states": 5, "n_actions": 2, "delta": 0.1, "discount": 0.95}
CONSTANTS = theory.PriorConstants(2.0, 3.0)

PROBLEMS = st.fixed_dictionaries(
    {
        "n_states": st.integers(1, 50),
        "n_actions": st.integers(1, 10),
        "delta": st.floats(1e-6, 1),
        "discount": st.floats(0, 0.999),
        "r_max": st.floats(0.1, 100),
    }
)


def mp_error_sum(sizes, count, steps, lambda_):
    s, a, delta = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "delta"))
    spread = 1 / (1 - mp.mpf(sizes["discount"]))
    v_max = sizes["r_max"] * spread
    l1, l2 = mp.log(24 * s * a / delta), mp.log(1 + mp.mpf(count) / (s * a))
    l3 = mp.log(12 * s * a * (1 + mp.log(1 + mp.mpf(count))) / delta)
    plans = 1 + s * a * mp.log(1 + mp.mpf(steps) / (s * a), 2)
    inner = s * a * l2 * (55 * l1 / lambda_ + mp.mpf(496) / 3 * s * l3)
    return v_max * spread * (inner + mp.mpf(9) / 5 * plans + mp.mpf(36) / 5 * mp.log(6 / delta))


def agrees(found, expected):
    return float(abs(found / expected - 1)) < 1e-12


@given(PROBLEMS, st.floats(1, 1e18), st.integers(0, 10**12), st.floats(1e-6, 1))
def test_plans_and_error_terms_agree_with_mpmath_to_twelve_digits(sizes, steps, visits, lambda_):
    plans = theory.most_plans(theory.Problem(**sizes), steps)
    terms = error_terms(theory.Problem(**sizes), np.array([visits, 0]), lambda_)
    with mp.workdps(40):
        s, a, delta = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "delta"))
        assert agrees(plans, 1 + s * a * mp.log(1 + mp.mpf(steps) / (s * a), 2))
        assert terms[1] == np.inf
        if visits:
            l1, n = mp.log(24 * s * a / delta), mp.mpf(visits)
            l3 = mp.log(12 * s * a * (1 + mp.log(n)) / delta)
            scale = mp.mpf(55) / 4 * l1 / mp.mpf(lambda_) + mp.mpf(124) / 3 * s * l3
            v_max = sizes["r_max"] / (1 - mp.mpf(sizes["discount"]))
            assert agrees(terms[0], v_max * scale / n)


@given(PROBLEMS, st.floats(1, 1e18))
def test_regret_agrees_with_mpmath_to_twelve_digits(sizes, steps):
    found = theory.regret_bound(**sizes, steps=steps, replanning="doubling")
    with mp.workdps(40):
        s, a, discount = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "discount"))
        l1, l2 = mp.log(24 * s * a / mp.mpf(sizes["delta"])), mp.log(1 + mp.mpf(steps) / (s * a))
        lambda_ = min(1, 3 * mp.sqrt(s * a * l1 * l2 / (mp.mpf(steps) * (1 - discount))))
        v_max = sizes["r_max"] / (1 - discount)
        expected = mp.mpf(15) / 4 * lambda_ * v_max * steps
        expected += mp_error_sum(sizes, steps, steps, lambda_)
        assert agrees(found.total, expected)


@settings(max_examples=30)
@given(PROBLEMS, st.floats(0.001, 1), st.floats(0, 40))
def test_sample_complexity_agrees_with_mpmath_to_twelve_digits(sizes, share, power):
    """Before it is rounded down; T counts all where the bound is beyond T."""
    epsilon, steps = share * sizes["r_max"] / (1 - sizes["discount"]), 10**power
    found = theory.sample_complexity_bound(
        **sizes, epsilon=epsilon, replanning="doubling", steps=steps
    )
    with mp.workdps(40):
        lambda_ = 2 * mp.mpf(epsilon) * (1 - mp.mpf(sizes["discount"])) / (15 * sizes["r_max"])

        def bound(count):
            return 2 / mp.mpf(epsilon) * mp_error_sum(sizes, count, steps, lambda_)

        assert agrees(sum(found.terms.values()), bound(min(mp_largest(bound), mp.mpf(steps))))


def mp_lasting(sizes, epsilon, k, count, more):
    """F_k(count, more)."""
    s, a, delta = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "delta"))
    spread = 1 / (1 - mp.mpf(sizes["discount"]))
    v_max = sizes["r_max"] * spread
    l1, l2 = mp.log(24 * s * a / delta), mp.log(1 + count / (s * a))
    l3 = mp.log(12 * s * a * (1 + mp.log(1 + count)) / delta)
    inner = s * a * l2 * (55 * l1 * 15 * v_max / (2 * epsilon) + mp.mpf(496) / 3 * s * l3)
    inner += mp.mpf(9) / 5 * (1 + s * a * mp.log(1 + more / (s * a), 2))
    inner += mp.mpf(36) / 5 * (mp.log(12 / delta) + k * mp.log(2))
    return 3**k * 4 * v_max * spread / epsilon * inner


def mp_largest(bound):
    high = mp.mpf(2)
    while bound(high) >= high:
        high *= 2
    low = high / 2
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if bound(middle) >= middle else (low, middle)
    return low


@settings(max_examples=25, deadline=None)
@given(PROBLEMS, st.floats(1e-6, 1))
def test_what_holds_for_ever_agrees_with_mpmath_and_with_its_induction(sizes, share):
    epsilon = share * sizes["r_max"] / (1 - sizes["discount"])
    found = theory.sample_complexity_bound(**sizes, epsilon=epsilon, replanning="doubling")
    with mp.workdps(40):
        epsilon, pairs = mp.mpf(epsilon), sizes["n_states"] * sizes["n_actions"]
        most = mp_largest(lambda n: mp_lasting(sizes, epsilon, 0, n, 9 * n))
        assert most >= 20 * pairs
        expected = mp_largest(lambda n: mp_lasting(sizes, epsilon, 0, n, 9 * most))
        assert agrees(sum(found.terms.values()), expected)
        assert expected <= most
        for k in (1, 2, 3, 10, 40):  # step 11.3
            assert mp_lasting(sizes, epsilon, k, 9**k * most, 9 ** (k + 1) * most) <= 9**k * most
        shares = [mp_lasting(sizes, epsilon, 0, n * pairs, 9 * most) / n for n in (20, 30, 99, 9e9)]
        assert shares == sorted(shares, reverse=True)


@given(PROBLEMS, st.floats(0.001, 0.999))
def test_with_t_the_bound_grows_and_without_it_no_moment_is_late(sizes, share):
    epsilon = share * sizes["r_max"] / (1 - sizes["discount"])
    bound = {"epsilon": epsilon, "replanning": "doubling"} | sizes
    early, late = (theory.sample_complexity_bound(**bound, steps=t).total for t in (1e30, 1e50))
    assert late > early
    assert theory.sample_complexity_bound(**bound).total < 3 * early


@given(PROBLEMS, st.floats(1, 1e18))
def test_the_proved_bound_is_not_above_what_the_paper_prints(sizes, steps):
    """Without resistance, and where the printed bound says something at all."""
    proved = theory.regret_bound(**sizes, steps=steps, replanning="doubling")
    printed = theory.regret_bound(**sizes, steps=steps)
    if proved.lambda_ < 1:
        assert proved.guided + proved.learning <= printed.guided + printed.learning
        assert proved.total <= printed.total
    assert proved.lower_order <= printed.lower_order


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"replanning": "weekly"},
            "unknown replanning 'weekly'; choose one of: every step, doubling. The paper's theorem "
            "is for an agent that plans at every step, that of DOUBLING.md for",
        ),
        ({"replanning": "doubling", "resistance_share": 0.1}, "must be 0, got 0.1"),
        (
            {"replanning": "doubling", "horizon": 5, "discount": None, "steps": None}
            | {"episodes": 9},
            "needs a discounted problem; .* got horizon=5",
        ),
    ],
)
def test_a_bound_for_a_plan_that_it_does_not_cover_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        theory.regret_bound(**SIZES | {"steps": 100} | settings)


@pytest.mark.parametrize(
    "bound",
    [
        lambda: theory.sample_complexity_bound(**SIZES, epsilon=1.0, replanning="weekly"),
        lambda: theory.first_informative_step(theory.Problem(5, 2, 1.0, 0.1, 0.95), "weekly"),
    ],
)
def test_no_bound_takes_an_unknown_replanning(bound):
    with pytest.raises(ValueError, match="unknown replanning 'weekly'; .* is for an agent that"):
        bound()


def test_sample_complexity_says_which_theorem_takes_steps():
    with pytest.raises(ValueError, match="replanning='doubling' only, got steps=9"):
        theory.sample_complexity_bound(**SIZES, epsilon=1.0, steps=9)


EPISODIC = theory.Problem(5, 2, 1.0, 0.1, horizon=5)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: theory.doubling_error_sum(EPISODIC, 10, 100, 0.5),
        lambda: theory.doubling_lambda(EPISODIC, 1.0),
        lambda: theory.most_plans(EPISODIC, 100),
    ],
)
def test_what_the_theorem_is_made_of_is_for_discounted_problems(ask):
    with pytest.raises(ValueError, match=r"needs a discounted problem; .* got horizon=5"):
        ask()
