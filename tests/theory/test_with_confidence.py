"""Quasi-optimism with probability 1 − δ, what an η too small does to it, and overshooting.

Runs of the frequentist instance in random worlds of two to four states, γ = 1/2, δ = 0.1, with the
η of λ = 0.05 or a part of it. It plans every 20 steps, which quasi-optimism allows: it is about the
counts that a plan is made from. See `confidence` for what is tested, and at which level; other
statements are in ``test_plans_with_confidence``, ``test_events_with_confidence``,
``test_episodes_with_confidence``, ``test_long_runs_with_confidence`` and
``test_sticking_with_confidence``.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from tests.theory.confidence import assert_holds_and_could_fail, refuted
from tests.theory.worlds import RandomWorld, run_of

RUNS, STEPS, DISCOUNT, DELTA, LAMBDA = 24, 2000, 0.5, 0.1, 0.05


@cache
def recorded(seed, eta_divided_by=1):
    """A run and its values."""
    world = RandomWorld(2 + seed % 3, 2, seed=seed)
    problem = theory.Problem(world.n_states, 2, 1.0, DELTA, DISCOUNT)
    eta = theory.schedule(problem, LAMBDA).eta / eta_divided_by
    run = run_of("frequentist", world, STEPS, seed, DISCOUNT, eta, plan_every=20)
    settings = {"delta": DELTA, "r_max": 1.0, "lambda_t": LAMBDA, "eta": eta}
    return run, theory.run_values(run, world, discount=DISCOUNT, **settings)


@cache
def quasi_optimism(eta_divided_by=1):
    """V* − Ṽ as a share of λ(3/2 − P_U*)V↑, at any plan and state of each run."""
    shares = []
    for seed in range(RUNS):
        _, values = recorded(seed, eta_divided_by)
        states = np.arange(values.problem.n_states)
        p_u = np.stack([plan.probability_of_uncertainty for plan in values.plans])
        chosen = p_u[:, states, values.optimal_policy]
        bound = LAMBDA * (1.5 - chosen) * values.problem.v_max
        shares.append(((values.optimal - values.auxiliary) / bound).max())
    return np.array(shares)


@cache
def overshoot():
    """Overshooting as a share of its bound, with γ^ν and, as printed, without it."""
    shares = []
    for seed in range(RUNS):
        run, values = recorded(seed)
        problem = values.problem
        times = theory.stopping_times(run.states * problem.n_actions + run.actions)
        weights = DISCOUNT ** times.offsets[times.stopped]
        repaired = weights.sum() / theory.overshoot_bound(problem, STEPS)
        printed = times.stopped.sum() / theory.printed_overshoot_bound(problem, STEPS)
        shares.append((repaired, printed))
    return np.array(shares).T


def test_quasi_optimism_holds_as_often_as_promised():
    """A true statement is rejected with probability 1e-4 at most."""
    assert not refuted(quasi_optimism() > 1, DELTA)


@pytest.mark.parametrize("divisor", [2000, 5000])
def test_quasi_optimism_would_not_hold_with_an_eta_far_too_small(divisor):
    """Under the theory's η every run is optimistic: no smaller bound breaks, a smaller η does."""
    assert refuted(quasi_optimism(divisor) > 1, DELTA)


def test_overshooting_holds_as_repaired_and_a_smaller_bound_would_not():
    """It holds always; the same test says how far it is from its bound."""
    assert_holds_and_could_fail(overshoot()[0], DELTA)


def test_overshooting_as_printed_is_refuted():
    """Without γ^ν the printed bound fails on nearly every run: see the errata."""
    assert refuted(overshoot()[1] > 1, DELTA)


def measured():
    """The rows of the table of `confidence`."""
    rows = [("overshoot", overshoot()[0], DELTA), ("overshoot as printed", overshoot()[1], DELTA)]
    for divisor in (1, 100, 1000, 2000):
        name = f"quasi-optimism, λ = {LAMBDA}, with η/{divisor}"
        rows.append((name, quasi_optimism(divisor), DELTA))
    return rows
