"""Regret, Σ J and bad steps, with probability 1 − δ, on runs so long that the bounds say something.

The bounds are below the trivial ones from about a million steps on, in worlds of one or two states.
The runs are those of `counting_runs`, δ = 0.1. See `confidence` for what is tested, and at which
level.
"""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.agents import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.planning import backward_induction, evaluate_policy, solve
from tests.theory.confidence import assert_holds_and_could_fail
from tests.theory.counting_runs import live, live_in_episodes
from tests.theory.worlds import RandomWorld

RUNS, DELTA = 12, 0.1
STEPS, DISCOUNT = 800_000, 0.1
EPISODES, HORIZON = 1_600_000, 2
# Two arms in one state, γ = 0 or H = 1, and ε below what the worse arm loses.
ARMS, EPSILON = np.array([[0.95, 0.05]]), 0.8
NO_PRIOR = 0.0, 0.0, 0.0
STAYING = np.ones((1, 2, 1))
# A prior that is far off: as if each next state had been seen twice, and ten rewards of 3.
ALPHA, MU0, TAU0 = 2.0, 3.0, 10.0


def problem_of(n_states, **kind):
    return theory.Problem(n_states, 2, 1.0, DELTA, **kind)


def sizes(n_states):
    return {"n_states": n_states, "n_actions": 2, "delta": DELTA}


def prior_of(n_states):
    rewards = NormalRewards(n_states, 2, mu0=MU0, tau0=TAU0, tau=1.0, on="action")
    return Belief(DirichletTransitions(n_states, 2, ALPHA), rewards)


def prior_part_of_eta(n_states, discount):
    """What a prior adds to Υ, and so to η: C_g ‖P_b0 − P‖₁ V↑ S + C_s |r_b0 − r| at most."""
    return 2 * ALPHA * n_states / (1 - discount) + TAU0 * (MU0 + 1)


def discounted(seed, steps=STEPS, kept=1, with_prior=False, capped=True):
    """A run in a random world of two states, with the η of the regret bound for T steps."""
    model = RandomWorld(2, 2, seed=seed).model
    problem = problem_of(2, discount=DISCOUNT)
    plan = theory.theoretical_eta(**sizes(2), discount=DISCOUNT, steps=steps)
    # The first state's action is the lowest digit.
    policies = [np.array(digits[::-1]) for digits in product((0, 1), repeat=2)]
    values = np.stack([evaluate_policy(model, policy, DISCOUNT) for policy in policies])
    best = solve(model, DISCOUNT).v
    table, chances = model.transition_matrix(), model.rewards
    if with_prior:
        plan = replace(plan, eta=plan.eta + prior_part_of_eta(2, DISCOUNT))
    found = live(
        table, chances, DISCOUNT, plan.eta, plan.lambda_, DELTA, steps, seed, best, values, 1.0,
        *((ALPHA, MU0, TAU0) if with_prior else NO_PRIOR),
        problem.v_max if capped else np.inf,
        kept,
    )  # fmt: skip
    return found, plan


def episodic(seed, episodes=EPISODES, kept=1):
    """The same with a horizon, for K episodes that begin in state 0."""
    model = RandomWorld(2, 2, seed=seed).model
    plan = theory.theoretical_eta(**sizes(2), horizon=HORIZON, episodes=episodes)
    best = backward_induction(model, HORIZON).v[0, 0]
    found = live_in_episodes(
        model.transition_matrix(), model.rewards, HORIZON, plan.eta, plan.lambda_, DELTA, episodes,
        seed, best, 1.0, kept,
    )  # fmt: skip
    return found, plan


@cache
def shares_of_sums():
    """Regret and Σ J as shares of their bounds, discounted and episodic."""
    rows = []
    for seed in range(RUNS):
        (lost, j, beta, *_), plan = discounted(seed)
        problem = problem_of(2, discount=DISCOUNT)
        stops = 13 * problem.v_max * 4 * np.log(12 * STEPS / DELTA) / (1 - DISCOUNT)
        bound = theory.regret_bound(**sizes(2), discount=DISCOUNT, steps=STEPS)
        assert bound.says_something
        row = {
            "Regret(T)": lost / bound.total,
            "Σ J by 𝒴, discounted": j / theory.error_sum_bound(problem, STEPS, plan.lambda_),
            "Σ J by Σ β, discounted": j / (beta + stops),
        }
        (lost, j, beta, *_), plan = episodic(seed)
        problem = problem_of(2, horizon=HORIZON)
        stops = 6 * problem.v_max * 4 * np.log(12 * HORIZON / DELTA)
        bound = theory.regret_bound(**sizes(2), horizon=HORIZON, episodes=EPISODES)
        assert bound.says_something
        row |= {
            "Regret(K)": lost / bound.total,
            "Σ J by 𝒴, episodic": j / theory.error_sum_bound(problem, EPISODES, plan.lambda_),
            "Σ J by Σ β, episodic": j / (2 * beta + stops),
        }
        (lost, *_), _ = discounted(seed, with_prior=True)
        bound = theory.prior_dependent_regret_bound(
            **sizes(2), discount=DISCOUNT, steps=STEPS, prior=prior_of(2)
        )
        row["Regret(T) with a prior"] = lost / bound.total
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def pull_arms(eta, lambda_, steps, seed, prior=NO_PRIOR):
    """How many steps had J > ε/4, and regret above ε."""
    values = ARMS[0][:, None]
    found = live(
        STAYING, ARMS, 0.0, eta, lambda_, DELTA, steps, seed, values.max(axis=0), values, EPSILON,
        *prior, 1.0, 1,
    )  # fmt: skip
    return found[3:5]


def pull_arms_in_episodes(eta, lambda_, episodes, seed):
    """The same, where each step is an episode."""
    return live_in_episodes(
        STAYING, ARMS, 1, eta, lambda_, DELTA, episodes, seed, ARMS.max(), EPSILON, 1
    )[3:5]


@cache
def shares_of_bad_steps():
    """|Γ| of W(|Γ|), and bad steps of T0 or K0, in runs that are longer than those."""
    rows = []
    for seed in range(RUNS):
        row = {}
        for names, kind, pull in (
            (("W(T)", "T0"), {"discount": 0.0}, pull_arms),
            (("W(K)", "K0"), {"horizon": 1}, pull_arms_in_episodes),
        ):
            bound = theory.sample_complexity_bound(**sizes(1), **kind, epsilon=EPSILON).total
            plan = theory.theoretical_eta(**sizes(1), **kind, epsilon=EPSILON)
            uncertain, bad = pull(plan.eta, plan.lambda_, bound + 1, seed)
            assert 0 < bad <= uncertain < bound
            allowed = theory.bad_steps_bound(problem_of(1, **kind), EPSILON, uncertain).total
            row[names[0]], row[names[1]] = uncertain / allowed, bad / bound
        kind = {"discount": 0.0, "epsilon": EPSILON}
        bound = theory.prior_dependent_sample_complexity(**sizes(1), **kind, prior=prior_of(1))
        plan = theory.theoretical_eta(**sizes(1), **kind)
        eta = plan.eta + prior_part_of_eta(1, 0.0)
        _, bad = pull_arms(eta, plan.lambda_, int(bound) + 1, seed, (ALPHA, MU0, TAU0))
        row["bad steps with a prior"] = bad / bound
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@pytest.mark.parametrize(
    "statement",
    [
        *("Regret(T)", "Σ J by 𝒴, discounted", "Σ J by Σ β, discounted"),
        *("Regret(K)", "Σ J by 𝒴, episodic", "Σ J by Σ β, episodic"),
        "Regret(T) with a prior",
    ],
)
def test_a_sum_holds_as_often_as_promised_and_a_smaller_bound_would_not(statement):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(shares_of_sums()[statement], DELTA)


@pytest.mark.parametrize("statement", ["W(T)", "T0", "W(K)", "K0", "bad steps with a prior"])
def test_bad_steps_are_as_few_as_promised_and_a_smaller_bound_would_not_do(statement):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(shares_of_bad_steps()[statement], DELTA)


@pytest.mark.parametrize("horizon", [None, HORIZON])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_compiled_runs_are_those_of_the_agent(seed, horizon):
    """The agent of the package, fed with a run, holds each of its actions for greedy."""
    steps = 400
    found, plan = (discounted if horizon is None else episodic)(seed, steps, steps)
    kind = {"discount": DISCOUNT} if horizon is None else {"horizon": horizon}
    every = {"plan_every": 1 if horizon is None else "episode"}
    agent = FrequentistEUBRL(2, 2, lambda t: plan.eta, **kind, **every)
    agent.plan()
    for number, (state, action, reward, following) in enumerate(found[-1]):
        q = agent.current_plan.q if horizon is None else agent.current_plan.q[number % horizon]
        row = q[int(state)]
        assert row[int(action)] >= row.max() - 1e-8 * row.max()
        agent.observe(int(state), int(action), reward, int(following), False)


def test_the_compiled_runs_with_a_prior_are_those_of_the_agent():
    """`EUBRL` with counts as uncertainty, which does not cut its values off."""
    found, plan = discounted(3, 400, 400, with_prior=True, capped=False)
    agent = EUBRL(prior_of(2), eta=plan.eta, discount=DISCOUNT, uncertainty="count")
    agent.plan()
    for state, action, reward, following in found[-1]:
        row = agent.current_plan.q[int(state)]
        assert row[int(action)] >= row.max() - 1e-8 * row.max()
        agent.observe(int(state), int(action), reward, int(following), False)


def measured():
    """The rows of the table of `confidence`."""
    shares = shares_of_sums() | shares_of_bad_steps()
    return [(name, column, DELTA) for name, column in shares.items()]
