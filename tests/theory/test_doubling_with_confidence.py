"""The theorem of ``theory/DOUBLING.md`` and its events, on runs so long that it says something.

With probability 1 − δ, δ = 0.1; see `confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.environments import Bandit
from tests.theory.confidence import assert_holds_and_could_fail, refuted
from tests.theory.doubling_runs import (
    DELTA,
    live_by_doubling,
    shares_of_luck,
    shares_of_model_events,
)
from tests.theory.worlds import RandomWorld

pytestmark = pytest.mark.long

RUNS = 12
STEPS = {0.1: 650_000, 0.3: 850_000, 0.5: 1_200_000}  # by γ, in worlds of two states
# Two arms, and ε below what the worse one loses for ever, both in units of V↑.
ARMS, EPSILON = (0.95, 0.05), 0.8


def sizes(n_states, discount):
    return {"n_states": n_states, "n_actions": 2, "delta": DELTA, "discount": discount}


def shares_of_regret(n_states, discount, steps, seed):
    """What a run used of the bound of Regret(T), of Σ J, and of each event."""
    world = RandomWorld(n_states, 2, seed=seed, reach=8)
    bound = theory.regret_bound(**sizes(n_states, discount), steps=steps, replanning="doubling")
    assert bound.says_something
    run = live_by_doubling(world, discount, steps, bound.lambda_, seed)
    b1, b2, errors, _ = shares_of_luck(run, np.ones(steps, dtype=bool))
    of_errors = theory.doubling_error_sum(run.problem, steps, steps, bound.lambda_)
    guided = 15 / 4 * bound.lambda_ * run.problem.v_max
    assert (run.lost <= guided + run.j + 1e-9).all()  # step 6
    late_b1, late_b2, *_ = shares_of_luck(run, run.j > guided)
    events = dict(zip(("A1", "A2", "A3", "A4"), shares_of_model_events(run), strict=True))
    return events | {
        "Regret(T)": run.lost.sum() / bound.total,
        "Σ J": errors[-1] / sum(of_errors.values()),
        "B1": b1,
        "B2": b2,
        "B1 where J > ε/2": late_b1,
        "B2 where J > ε/2": late_b2,
    }


def shares_of_bad_steps(discount, seed):
    """What a run that is longer than the bound of its bad steps used of it, with T and for ever."""
    problem = theory.Problem(1, 2, 1.0, DELTA, discount=discount)
    kind = sizes(1, discount) | {"epsilon": EPSILON * problem.v_max, "replanning": "doubling"}
    for_ever = theory.sample_complexity_bound(**kind)
    steps = int(for_ever.total) + 1
    within = theory.sample_complexity_bound(**kind, steps=steps)
    run = live_by_doubling(Bandit(ARMS), discount, steps, for_ever.lambda_, seed)
    bad = (run.lost > kind["epsilon"]).sum()
    uncertain = (run.j > kind["epsilon"] / 2).sum()
    assert 0 < bad <= uncertain < within.total < for_ever.total < steps
    return {
        "Γ(T)": bad / within.total,
        "Γ for ever": bad / for_ever.total,
        "J > ε/2, T": uncertain / within.total,
        "J > ε/2, for ever": uncertain / for_ever.total,
    }


@cache
def shares():
    """By statement, the share of its bound that each run used."""
    rows = []
    for seed in range(RUNS):
        discount = list(STEPS)[seed % len(STEPS)]
        row = shares_of_regret(2, discount, STEPS[discount], seed)
        rows.append(row | shares_of_bad_steps((0.0, 0.5)[seed % 2], seed))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


STATEMENTS = (
    *("Regret(T)", "Σ J", "Γ(T)", "Γ for ever", "J > ε/2, T", "J > ε/2, for ever"),
    *("A1", "A2", "A3", "A4"),
)
LUCK = ("B1", "B2", "B1 where J > ε/2", "B2 where J > ε/2")


@pytest.mark.parametrize("statement", STATEMENTS)
def test_it_holds_as_often_as_promised_and_a_smaller_bound_would_not(statement):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(shares()[statement], DELTA)


@pytest.mark.parametrize("event", LUCK)
def test_luck_is_within_its_bound_as_often_as_promised(event):
    """Runs differ so much that a smaller bound fails in some only: a fifth of it in one at least.

    A true statement is rejected with probability 1e-4 at most.
    """
    found = shares()[event]
    assert not refuted(found > 1, DELTA)
    assert found.max() > 1 / 5


@pytest.mark.parametrize(("n_states", "discount", "steps"), [(3, 0.5, 2.4e6), (2, 0.7, 2.4e6)])
def test_the_same_in_larger_worlds(n_states, discount, steps):
    found = [shares_of_regret(n_states, discount, int(steps), seed) for seed in range(3)]
    assert max(max(row.values()) for row in found) <= 1


def measured():
    """The rows of the table of `confidence`."""
    return [(f"doubling: {name}", column, DELTA) for name, column in shares().items()]
