"""What holds with probability 1 − δ in episodes: the events, the terms of a plan, Σ J by Σ β.

Runs of the frequentist instance with a horizon of 3 in random worlds of two and three states,
δ = 0.1, with the η of λ = 1/2. The shares of events are those of `test_events_with_confidence`. See
`confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from tests.theory.confidence import assert_holds_and_could_fail, refuted
from tests.theory.test_events_with_confidence import shares_of_counts
from tests.theory.worlds import RandomWorld

RUNS, EPISODES, HORIZON, DELTA, LAMBDA = 20, 1200, 3, 0.1, 0.5


def recorded(seed):
    """A run with the theory's η, and its values."""
    world = RandomWorld(2 + seed % 2, 2, seed=seed)
    problem = theory.Problem(world.n_states, 2, 1.0, DELTA, horizon=HORIZON)
    eta = theory.schedule(problem, LAMBDA).eta
    agent = FrequentistEUBRL(
        world.n_states, 2, lambda t: eta, horizon=HORIZON, plan_every="episode"
    )
    run = eu.simulate(agent, world, EPISODES * HORIZON, seed=seed, record_plans=True)
    return run, theory.episode_values(run, world, delta=DELTA, r_max=1.0, lambda_t=LAMBDA)


def errors(values):
    """β and J of every episode, (K, S, A) and (K, H + 1, S)."""
    problem, betas, js = values.problem, [], []
    for plan, visits, policy in zip(values.plans, values.visits, values.policies, strict=True):
        p_u = plan.probability_of_uncertainty
        bonus = p_u * plan.epistemic_uncertainty
        betas.append(theory.error_terms(problem, visits, bonus, p_u, LAMBDA))
        js.append(theory.bellman_like_horizon(values.model, policy, betas[-1], problem.v_max))
    return np.array(betas), np.array(js)


def shares_of_plans(values, j):
    """The terms and the regret, over all episodes, steps and states, as shares of their bounds."""
    p_u = np.stack([plan.probability_of_uncertainty for plan in values.plans])
    episodes, states = np.arange(len(p_u))[:, None, None], np.arange(p_u.shape[1])
    bounds = theory.term_bounds(
        p_u_policy=p_u[episodes, states, values.policies],
        p_u_optimal=p_u[episodes, states, values.optimal_policy],
        lambda_=LAMBDA,
        j=j[:, :-1],
        r_max=1.0,
        v_max=values.problem.v_max,
    )
    optimal, auxiliary = values.optimal[:-1], values.auxiliary[:, :-1]
    agent, policy = values.agent[:, :-1], values.policy[:, :-1]
    return {
        "quasi-optimism": ((optimal - auxiliary) / bounds.quasi_optimism).max(),
        "complexity": ((auxiliary - agent) / bounds.complexity).max(),
        "accuracy": ((agent - policy) / bounds.accuracy).max(),
        "regret of an episode": ((optimal - policy) / bounds.total).max(),
    }


def shares_of_sums(run, values, beta, j):
    """A5 and A6 up to each episode, at most, and Σ J by Σ β up to the last."""
    problem, transitions = values.problem, values.model.transition_matrix()
    states, actions, nexts = (
        array.reshape(-1, HORIZON) for array in (run.states, run.actions, run.next_states)
    )
    pairs = run.states * problem.n_actions + run.actions
    before_stop = (
        np.arange(1, HORIZON + 1) < theory.episode_stopping_times(pairs, HORIZON).offsets[:, None]
    )
    episodes, steps = np.arange(len(states))[:, None], np.arange(1, HORIZON + 1)
    following = j[episodes, steps]  # (K, H, S), J at the next step
    rows, reached = transitions[states, actions], j[episodes, steps, nexts]
    mean, square = (rows * following).sum(axis=-1), (rows * following**2).sum(axis=-1)

    def sums(table):
        return np.where(before_stop, table, 0.0).sum(axis=1).cumsum()

    spread, doubt = sums(square - mean**2), np.log(6 / problem.delta)
    v_max = problem.v_max
    stops = 6 * v_max * problem.n_pairs * np.log(12 * HORIZON / problem.delta)
    met = sums(beta[episodes, states, actions])[-1]
    a5 = (sums(mean - reached) - spread / (4 * v_max)) / (3 * v_max * doubt)
    a6 = (sums(square - reached**2) - spread / 2) / (6 * v_max**2 * doubt)
    first = j[:, 0][np.arange(len(j)), values.first_states]
    return {"A5": a5.max(), "A6": a6.max(), "Σ J by Σ β": first.sum() / (2 * met + stops)}


@cache
def all_shares():
    """By statement, the share of its bound that each run used."""
    rows = []
    for seed in range(RUNS):
        run, values = recorded(seed)
        beta, j = errors(values)
        counts = shares_of_counts(run, values.model, values.optimal[1:], values.problem, LAMBDA)
        row = {f"A{number + 1}": share for number, share in enumerate(counts)}
        rows.append(row | shares_of_sums(run, values, beta, j) | shares_of_plans(values, j))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("event", ["A1", "A2", "A3", "A4", "A5", "A6"])
def test_an_event_holds_as_often_as_promised_and_a_smaller_radius_would_not(event):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(all_shares()[event], DELTA / 6)


@pytest.mark.parametrize(
    "statement", ["complexity", "accuracy", "regret of an episode", "Σ J by Σ β"]
)
def test_it_holds_as_often_as_promised_and_a_smaller_bound_would_not(statement):
    """A true statement is rejected with probability 1e-4 at most; complexity is bounded always."""
    assert_holds_and_could_fail(all_shares()[statement], DELTA)


def test_quasi_optimism_holds_as_often_as_promised():
    """Here no smaller bound would break; what a smaller η does is seen in `test_with_confidence`.

    A true statement is rejected with probability 1e-4 at most.
    """
    assert not refuted(all_shares()["quasi-optimism"] > 1, DELTA)


def measured():
    """The rows of the table of `confidence`."""
    return [
        (f"{name}, episodic", shares, DELTA / 6 if name.startswith("A") else DELTA)
        for name, shares in all_shares().items()
    ]
