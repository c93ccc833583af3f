from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import Problem
from tests.theory import mp_paper as paper
from tests.theory.test_bounds import close

PROBLEMS = st.builds(
    Problem,
    n_states=st.integers(1, 100),
    n_actions=st.integers(1, 9),
    r_max=st.floats(0.01, 100),
    delta=st.floats(1e-6, 1),
    discount=st.floats(0, 0.999),
)
EPISODIC = st.builds(
    Problem,
    n_states=st.integers(1, 100),
    n_actions=st.integers(1, 9),
    r_max=st.floats(0.01, 100),
    delta=st.floats(1e-6, 1),
    horizon=st.integers(1, 100),
)
LAMBDAS = st.floats(1e-5, 1)


@given(PROBLEMS, st.integers(1, 10**12), st.floats(0, 23 / 7))
def test_lambda_of_the_regret(problem, steps, resistance):
    sizes = problem.n_states, problem.n_actions, problem.delta, problem.discount
    uniform = theory.regret_lambda(problem, steps)
    close(uniform, paper.discounted_regret(*sizes, problem.r_max, steps)[1])
    found = theory.regret_lambda(problem, steps, resistance=resistance)
    close(found, paper.state_action_lambda(*sizes, steps, resistance))
    assert 0 < uniform <= found <= 1
    assert theory.regret_lambda(problem, steps, resistance=0) == uniform


@given(EPISODIC, st.integers(1, 10**12))
def test_lambda_of_the_episodic_regret(problem, episodes):
    sizes = problem.n_states, problem.n_actions, problem.delta, problem.horizon
    expected = paper.episodic_regret(*sizes, problem.r_max, episodes)[1]
    close(theory.regret_lambda(problem, episodes), expected)


@given(st.one_of(PROBLEMS, EPISODIC), LAMBDAS, st.floats(1, 10))
def test_m_upsilon_and_eta(problem, lambda_, e_max):
    found = theory.schedule(problem, lambda_, e_max)
    sizes = problem.n_states, problem.n_actions, problem.delta
    if problem.horizon is None:
        l1 = paper.discounted_terms(*sizes, problem.discount)["l1"]
        v_max = paper.mpf(problem.r_max) / (1 - paper.mpf(problem.discount))
    else:
        l1 = paper.episodic_terms(*sizes, problem.horizon)["l1"]
        v_max = paper.mpf(problem.r_max) * problem.horizon
    m, upsilon, eta = paper.settings(v_max, l1, problem.r_max, lambda_, e_max)
    close(found.m, m)
    close(found.upsilon, upsilon)
    close(found.eta, eta)
    close(found.phi, problem.r_max * lambda_)


@given(st.one_of(PROBLEMS, EPISODIC), st.floats(1e-9, 1))
def test_lambda_of_the_sample_complexity(problem, share):
    epsilon = share * problem.v_max * (1 - 1e-12)
    found = theory.sample_complexity_lambda(problem, epsilon)
    close(found, epsilon / (18 * problem.v_max))
    assert 0 < found <= 1 / 18


@given(st.one_of(PROBLEMS, EPISODIC), LAMBDAS, st.floats(1, 10))
def test_eta_gives_the_advantage_that_quasi_optimism_needs(problem, lambda_, e_max):
    """b − P_U R_max ≥ Υ/N for every N ≥ 1 ("Helper Lemmas"), with b as in "Preliminary"."""
    settings = theory.schedule(problem, lambda_, e_max)
    for n in (1, 2, settings.m / 2, settings.m * 0.999, settings.m, settings.m * 7):
        n = max(n, 1)
        p_u = 1 / sqrt(n) / e_max
        bonus = p_u * settings.eta / sqrt(n)
        if n >= settings.m:
            bonus = p_u * problem.r_max + settings.upsilon / n
        assert bonus - p_u * problem.r_max >= settings.upsilon / n * (1 - 1e-9)


@given(st.one_of(PROBLEMS, EPISODIC), LAMBDAS, st.floats(1, 10), st.floats(1, 1e6))
def test_from_m_visits_on_the_auxiliary_reward_is_close_to_the_agents(
    problem, lambda_, e_max, times
):
    """Its excess, over the effective horizon, is at most Φ ("Boundedness of Complexity")."""
    settings = theory.schedule(problem, lambda_, e_max)
    n = settings.m * times
    p_u = 1 / sqrt(n) / e_max
    gap = p_u * problem.r_max + settings.upsilon / n - p_u * settings.eta / sqrt(n)
    assert gap <= problem.r_max * problem.r_max * lambda_ / problem.v_max * (1 + 1e-9)
    assert gap * problem.effective_horizon <= settings.phi * (1 + 1e-9)


@given(st.one_of(PROBLEMS, EPISODIC), LAMBDAS, st.floats(1, 1e9))
def test_beta_times_visits_is_at_most_y(problem, lambda_, visits):
    """P_U η E + the doubt about N is at most (12 V↑ℓ1/λ + 30 V↑Sℓ3)/N ("Boundedness of J")."""
    settings = theory.schedule(problem, lambda_)
    l1 = settings.upsilon * lambda_ / (7 * problem.v_max)
    p_u = 1 / sqrt(visits)
    beta = p_u * settings.eta / sqrt(visits)
    beta += (4 - p_u) * problem.v_max * l1 / lambda_ / visits
    assert beta * visits <= 12 * problem.v_max * l1 / lambda_ * (1 + 1e-9)


def test_theoretical_eta_is_the_schedule_of_the_theorem():
    sizes = {"n_states": 5, "n_actions": 2, "delta": 0.1, "r_max": 10.0}
    problem = Problem(5, 2, 10.0, 0.1, discount=0.95)
    found = theory.theoretical_eta(**sizes, discount=0.95, steps=10**7)
    assert found.lambda_ == theory.regret_lambda(problem, 10**7) < 1
    v_max, l1 = 10 / (1 - 0.95), log(24 * 10 / 0.1)
    assert found.upsilon == pytest.approx(7 * v_max * l1 / found.lambda_)
    assert found.m == pytest.approx((v_max / (10 * found.lambda_)) ** 2)
    assert found.eta == pytest.approx(found.upsilon + 10 * sqrt(found.m))
    assert found.phi == 10 * found.lambda_
    found = theory.theoretical_eta(**sizes, horizon=5, epsilon=0.5)
    assert found.lambda_ == pytest.approx(0.5 / (18 * 50))
    assert found.upsilon == pytest.approx(7 * 50 * log(24 * 5 * 10 / 0.1) / found.lambda_)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: theory.schedule(p, 0), r"lambda_ must be in \(0, 1\], got 0"),
        (lambda p: theory.schedule(p, 1.1), r"lambda_ must be in \(0, 1\], got 1.1"),
        (lambda p: theory.schedule(p, 1, 0.5), "max_uncertainty must be a finite number of at"),
        (lambda p: theory.regret_lambda(p, 5, resistance=4), r"resistance must be in \[0, 23/7\]"),
        (lambda p: theory.sample_complexity_lambda(p, 99), "epsilon must be at most"),
        (
            lambda p: theory.regret_lambda(Problem(2, 2, 1, 0.1, horizon=3), 5, resistance=1),
            "for discounted problems only",
        ),
        (
            lambda p: theory.theoretical_eta(
                n_states=2, n_actions=2, delta=0.1, discount=0.5, steps=4, epsilon=1
            ),
            "and not both",
        ),
    ],
)
def test_bad_input_is_answered_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call(Problem(2, 2, 1.0, 0.1, discount=0.9))


def test_arrays_of_resistances_and_of_lambdas_are_taken_one_by_one():
    problem = Problem(5, 2, 2.0, 0.1, discount=0.9)
    resistances = np.linspace(0, 23 / 7, 5)
    lambdas = theory.regret_lambda(problem, 10**7, resistance=resistances)
    assert lambdas.shape == (5,) and (np.diff(lambdas) > 0).all() and lambdas[-1] < 1
    settings = theory.schedule(problem, lambdas, 1.5)
    for number, resistance in enumerate(resistances):
        alone = theory.regret_lambda(problem, 10**7, resistance=float(resistance))
        assert type(alone) is float and lambdas[number] == pytest.approx(alone, rel=1e-15)
        one = theory.schedule(problem, alone, 1.5)
        for field in ("lambda_", "m", "upsilon", "eta", "phi"):
            assert getattr(settings, field)[number] == pytest.approx(getattr(one, field), rel=1e-14)
    with pytest.raises(ValueError, match=r"lambda_ must be in \(0, 1\]"):
        theory.schedule(problem, [0.5, 0.0])
