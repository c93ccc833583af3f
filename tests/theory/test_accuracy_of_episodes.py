"""The lemma on Δ_h(V^k − V^π), "Helper Lemmas", in random episodic MDPs by brute force.

Models are as wrong as the events A1 to A4 let them be: P̂ is moved towards some next state, and r̂
away from r, as far as the inequalities allow.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory

S, A, DELTA = 3, 2, 0.5
STATES = np.arange(S)


@dataclass
class Case:
    """One MDP, one model of it, and what the lemma is about; values are (H + 1, S)."""

    problem: theory.Problem
    lambda_: float
    transitions: np.ndarray
    p_u: np.ndarray
    beta: np.ndarray
    best: np.ndarray
    best_policy: np.ndarray
    own: np.ndarray  # V^k
    policy: np.ndarray  # π_k, (H, S)
    true: np.ndarray  # V^π


def induction(rewards, transitions, horizon, policy=None, cap=np.inf):
    values, actions = np.zeros((horizon + 1, S)), np.zeros((horizon, S), dtype=int)
    for h in reversed(range(horizon)):
        q = rewards + transitions @ values[h + 1]
        actions[h] = q.argmax(axis=1) if policy is None else policy[h]
        values[h] = np.minimum(q[STATES, actions[h]], cap)
    return values, actions


def allowed(trial, true, best, lambda_, visits, v_max, l1, l3):
    """Whether A1 to A3 allow these frequencies for one pair."""
    if (np.abs(trial - true) > 2 * np.sqrt(2 * true * l3 / visits) + 2 * l3 / (3 * visits)).any():
        return False
    for v in best[1:]:
        variance = true @ v**2 - (true @ v) ** 2
        first = lambda_ / (4 * v_max) * variance + 3 * v_max * l1 / (lambda_ * visits)
        second = variance / 2 + 6 * v_max**2 * l1 / visits
        if abs((trial - true) @ v) > first or (true - trial) @ v**2 > second:
            return False
    return True


def make_case(seed, lambda_, horizon):
    rng = np.random.default_rng(seed)
    problem = theory.Problem(S, A, 1.0, DELTA, horizon=horizon)
    v_max, l1 = float(horizon), log(24 * horizon * S * A / DELTA)
    true = rng.dirichlet(np.full(S, 0.5), size=(S, A))
    rewards = rng.random((S, A)) * rng.integers(0, 2, (S, A))
    visits = 10.0 ** rng.uniform(0, 12, size=(S, A))
    best, best_policy = induction(rewards, true, horizon)

    frequencies = true.copy()
    for pair in np.ndindex(S, A):
        towards = np.eye(S)[rng.integers(S)]
        l3 = log(12 * S * A * (1 + log(visits[pair])) / DELTA)
        for share in np.geomspace(1, 1e-9, 60):
            trial = (1 - share) * true[pair] + share * towards
            if allowed(trial, true[pair], best, lambda_, visits[pair], v_max, l1, l3):
                frequencies[pair] = trial
                break
    a4 = lambda_ * rewards + l1 / (lambda_ * visits)
    average = np.clip(rewards + rng.choice([-1, 0, 1], size=(S, A)) * a4, 0, 1)

    p_u = 1 / np.sqrt(visits)
    bonus = theory.schedule(problem, lambda_).eta * p_u**2
    own, policy = induction((1 - p_u) * average + bonus, frequencies, horizon, cap=v_max)
    return Case(
        problem=problem,
        lambda_=lambda_,
        transitions=true,
        p_u=p_u,
        beta=theory.error_terms(problem, visits, bonus, p_u, lambda_),
        best=best,
        best_policy=best_policy,
        own=own,
        policy=policy,
        true=induction(rewards, true, horizon, policy)[0],
    )


def excess(case, least):
    """The left side of the lemma less its right, at every step and state, in units of V↑.

    ``least`` takes the least P_U of all pairs, as the lemma has to; else that of the state.
    """
    horizon, v_max, lambda_ = case.problem.horizon, case.problem.v_max, case.lambda_

    def d(h):
        if least or h == horizon:
            p_u_policy = p_u_optimal = case.p_u.min()
        else:
            p_u_policy = case.p_u[STATES, case.policy[h]]
            p_u_optimal = case.p_u[STATES, case.best_policy[h]]
        slack = (1.5 - p_u_optimal) * lambda_ * v_max + lambda_
        difference = case.own[h] - case.best[h]
        assert (difference + slack >= -1e-9).all()  # the lemmas that it rests on
        luck = (3 - 2 * p_u_policy) * case.best[h] - case.best[h] ** 2 / (2 * v_max)
        return lambda_ * luck + (slack**2 - (difference + slack) ** 2) / (7 * v_max)

    found = np.empty((horizon, S))
    gap = case.own - case.true
    for h in range(horizon):
        chosen = STATES, case.policy[h]
        following = case.transitions[chosen]
        left = gap[h] - following @ gap[h + 1]
        right = d(h) - following @ d(h + 1) + 2 * case.beta[chosen]
        found[h] = (left - right) / v_max
    return found


@given(st.integers(0, 10**6), st.floats(0.01, 1), st.integers(1, 6))
def test_with_the_least_p_u_the_lemma_holds(seed, lambda_, horizon):
    assert excess(make_case(seed, lambda_, horizon), least=True).max() <= 1e-12


def test_with_the_p_u_of_each_state_as_printed_it_does_not():
    """See the erratum on f in "Quasi-Optimism", which names D too."""
    worst = [excess(make_case(seed, 1.0, 5), least=False).max() for seed in range(100)]
    assert max(worst) > 0.05


@given(st.integers(0, 10**6), st.floats(0.01, 1), st.integers(1, 6))
def test_so_accuracy_is_at_most_what_its_lemma_says(seed, lambda_, horizon):
    """V^k − V^π ≤ D + 2J, and its bound with the least P_U ("Boundedness of Accuracy")."""
    case = make_case(seed, lambda_, horizon)
    j = np.zeros((horizon + 1, S))
    for h in reversed(range(horizon)):
        chosen = STATES, case.policy[h]
        j[h] = np.minimum(case.beta[chosen] + case.transitions[chosen] @ j[h + 1], horizon)
    bound = theory.term_bounds(
        p_u_policy=case.p_u.min(), p_u_optimal=case.p_u.min(), lambda_=lambda_, j=j, r_max=1.0,
        v_max=case.problem.v_max,
    )  # fmt: skip
    assert (case.own - case.true <= bound.accuracy + 1e-9).all()
