from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from eubrl_edu.theory import Problem
from tests.theory import mp_paper as paper
from tests.theory.test_bounds import close

HISTORIES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=300)


def p_u_of_counts(history, e_max):
    """P_U of the pair taken and of another one, 1/(E_max √N) with 1 where N = 0."""
    visits = np.zeros(4)
    taken, other = [], []
    for pair, optimal in history:
        p_u = np.where(visits > 0, 1 / (e_max * np.sqrt(np.maximum(visits, 1))), 1.0)
        taken.append(p_u[pair])
        other.append(p_u[optimal])
        visits[pair] += 1
    return np.array(taken), np.array(other)


@given(HISTORIES, st.floats(1, 5), st.floats(0.01, 1), st.floats(0, 0.99))
def test_lower_and_upper_bound_on_every_history(history, e_max, lambda_, discount):
    """The paper, "Lower Bound of Epistemic Resistance", whatever is visited and optimal."""
    problem = Problem(2, 2, 3.0, 0.1, discount)
    resistance = theory.epistemic_resistance(*p_u_of_counts(history, e_max))
    steps = len(history)
    saved = resistance.sum() * lambda_ * problem.v_max
    lower = theory.resistance_lower_bound(problem, steps, lambda_, e_max)
    assert saved >= lower * (1 - 1e-12)
    close(lower, paper.resistance_saved(discount, 3.0, steps, lambda_, e_max))
    upper = theory.resistance_upper_bound(problem, steps, e_max)
    assert resistance.sum() <= upper * (1 + 1e-12) and upper <= 23 / 7 * steps * (1 + 1e-12)
    assert 0 <= theory.resistance_share(resistance) <= 46 / 63 + 1e-12


@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=200),
    st.floats(1, 5),
)
def test_episodic_lower_bound_on_every_history(horizon, history, e_max):
    """P_U before each episode, of its first pair: N^k counts the visits of earlier episodes."""
    episodes = len(history) // horizon
    if episodes == 0:
        return
    problem = Problem(2, 2, 3.0, 0.1, horizon=horizon)
    visits, total = np.zeros(4), 0.0
    for episode in range(episodes):
        part = history[episode * horizon : (episode + 1) * horizon]
        p_u = np.where(visits > 0, 1 / (e_max * np.sqrt(np.maximum(visits, 1))), 1.0)
        total += theory.epistemic_resistance(p_u[part[0][0]], p_u[part[0][1]])
        for pair, _ in part:
            visits[pair] += 1
    lower = theory.resistance_lower_bound(problem, episodes, 0.3, e_max)
    assert total * 0.3 * problem.v_max >= lower * (1 - 1e-12)
    close(lower, paper.resistance_saved_in_episodes(horizon, 3.0, episodes, 0.3, e_max))


def test_the_lower_bound_is_met_where_one_pair_is_all_there_is():
    history = [(0, 0)] * 400
    problem = Problem(1, 1, 1.0, 0.1, 0.5)
    resistance = theory.epistemic_resistance(*p_u_of_counts(history, 1.0))
    lower = theory.resistance_lower_bound(problem, 400, 1.0)
    assert lower == pytest.approx(23 / 7 / 0.5 * (2 * 19 + 1))
    assert lower < resistance.sum() * 2 < 1.05 * lower


@given(st.floats(0, 1), st.floats(0, 1))
def test_resistance(policy, optimal):
    found = theory.epistemic_resistance(policy, optimal)
    assert found == pytest.approx(2 * policy + 9 / 7 * optimal, rel=1e-14)
    assert found >= 23 / 7 * min(policy, optimal) * (1 - 1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_guidance_factor_lies_where_it_should(p_u):
    found = theory.guidance_factor(p_u)
    close(found, sum(paper.sqrt(1 - paper.mpf(46) / 63 * p) for p in p_u))
    assert sqrt(17 / 63) * len(p_u) * (1 - 1e-12) <= found <= len(p_u) * (1 + 1e-12)


@given(st.floats(0.1, 1e4), st.floats(0.1, 1e4), st.floats(1, 1e12))
def test_factor_times_logarithm_grows_with_the_factor(one, other, steps):
    """The paper, "State-action Dependent λ", the lemma on u log(1 + T/u)."""
    low, high = sorted((one, other))
    assert low * np.log1p(steps / low) <= high * np.log1p(steps / high) * (1 + 1e-12)


def test_share_of_a_run():
    assert theory.resistance_share([0.0, 9.0 / 4]) == pytest.approx(2 * 2.25 / (9 * 2))


@pytest.mark.parametrize("wrong", [(1.1, 0.0), (0.0, -0.1), (np.array([0.5, 2.0]), 0.0)])
def test_probabilities_outside_0_and_1_are_refused(wrong):
    with pytest.raises(ValueError, match=r"p_u_\w+ must be in \[0, 1\]"):
        theory.epistemic_resistance(*wrong)
    with pytest.raises(ValueError, match=r"least_p_u must be in \[0, 1\]"):
        theory.guidance_factor([0.2, 1.2])
