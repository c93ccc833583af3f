"""Runs of millions of steps of the frequentist instance in small worlds, each lived through once.

The bounds are below the trivial ones from about a million steps on, in worlds of one or two states.
"""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from eubrl_edu import theory
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.planning import backward_induction, evaluate_policy, solve
from tests.theory.counting_runs import live, live_in_episodes
from tests.theory.worlds import RandomWorld

RUNS, DELTA = 12, 0.1
STEPS, DISCOUNT = 800_000, 0.1
# Where λ depends on state and action the largest λ has to be paid for, so it takes longer.
LONGER = 1_000_000
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


def times_within(duration):
    """Up to 60 times, ever further apart, at which counts are kept."""
    return np.unique(np.geomspace(10, duration - 1, 60).astype(np.int64))


def prior_of(n_states):
    rewards = NormalRewards(n_states, 2, mu0=MU0, tau0=TAU0, tau=1.0, on="action")
    return Belief(DirichletTransitions(n_states, 2, ALPHA), rewards)


def prior_part_of_eta(n_states, discount):
    """What a prior adds to Υ, and so to η: C_g ‖P_b0 − P‖₁ V↑ S + C_s |r_b0 − r| at most."""
    return 2 * ALPHA * n_states / (1 - discount) + TAU0 * (MU0 + 1)


@cache
def discounted(seed, steps=STEPS, kept=1, with_prior=False, capped=True, by_resistance=False):
    """A run in a random world of two states, with the η of the regret bound for T steps.

    ``by_resistance`` takes the λ that depends on state and action, as the errata repair it.
    """
    model = RandomWorld(2, 2, seed=seed).model
    problem = problem_of(2, discount=DISCOUNT)
    plan = theory.theoretical_eta(**sizes(2), discount=DISCOUNT, steps=steps)
    # The first state's action is the lowest digit.
    policies = [np.array(digits[::-1]) for digits in product((0, 1), repeat=2)]
    values = np.stack([evaluate_policy(model, policy, DISCOUNT) for policy in policies])
    best = solve(model, DISCOUNT)
    table, chances = model.transition_matrix(), model.rewards
    if with_prior:
        plan = replace(plan, eta=plan.eta + prior_part_of_eta(2, DISCOUNT))
    found = live(
        table, chances, DISCOUNT, plan.eta, plan.lambda_, by_resistance, DELTA, steps, seed,
        best.v, best.policy, values, 1.0,
        *((ALPHA, MU0, TAU0) if with_prior else NO_PRIOR),
        problem.v_max if capped else np.inf,
        kept,
        times_within(steps),
    )  # fmt: skip
    return found, plan


@cache
def episodic(seed, episodes=EPISODES, kept=1):
    """The same with a horizon, for K episodes that begin in state 0."""
    model = RandomWorld(2, 2, seed=seed).model
    plan = theory.theoretical_eta(**sizes(2), horizon=HORIZON, episodes=episodes)
    best = backward_induction(model, HORIZON)
    found = live_in_episodes(
        model.transition_matrix(), model.rewards, HORIZON, plan.eta, plan.lambda_, DELTA, episodes,
        seed, best.v[0, 0], best.policy[0, 0], 1.0, kept, times_within(episodes),
    )  # fmt: skip
    return found, plan


def pull_arms(eta, lambda_, steps, seed, prior=NO_PRIOR):
    """How many steps had J > ε/4, and regret above ε."""
    values = ARMS[0][:, None]
    life = live(
        STAYING, ARMS, 0.0, eta, lambda_, False, DELTA, steps, seed, values.max(axis=0),
        ARMS.argmax(axis=1), values, EPSILON, *prior, 1.0, 1, np.zeros(0, dtype=np.int64),
    )  # fmt: skip
    return life.uncertain, life.bad


def pull_arms_in_episodes(eta, lambda_, episodes, seed):
    """The same, where each step is an episode."""
    life = live_in_episodes(
        STAYING, ARMS, 1, eta, lambda_, DELTA, episodes, seed, ARMS.max(), ARMS.argmax(),
        EPSILON, 1, np.zeros(0, dtype=np.int64),
    )  # fmt: skip
    return life.uncertain, life.bad
