"""What holds with probability 1 − δ in episodes: the events A1 to A8, and Σ J by Σ β.

Runs of the frequentist instance with a horizon, δ = 0.1: in random worlds of two and three states
with the η of λ = 1/2; and, for sums, in one where J falls while one watches, with δ = 1, with which
it falls sooner. The shares of events are those of `test_events_with_confidence`. See `confidence`
for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.theory.episode_events import episode_margins
from tests.theory.confidence import assert_holds_and_could_fail
from tests.theory.test_events_with_confidence import Rare, shares_of_counts
from tests.theory.worlds import RandomWorld

pytestmark = pytest.mark.long

DELTA = 0.1
COUNTED = {"horizon": 3, "episodes": 500, "lambda_": 0.5}
SUMMED = {"horizon": 2, "episodes": 2800, "lambda_": 1.0, "delta": 1.0}
COUNTED_RUNS, SUMMED_RUNS = 16, 12


def recorded(world, seed, horizon, episodes, lambda_, delta=DELTA):
    """A run with the theory's η, and its values."""
    sizes = world.n_states, world.n_actions
    eta = theory.schedule(theory.Problem(*sizes, 1.0, delta, horizon=horizon), lambda_).eta
    agent = FrequentistEUBRL(*sizes, lambda t: eta, horizon=horizon, plan_every="episode")
    run = eu.simulate(agent, world, episodes * horizon, seed=seed, record_plans=True)
    return run, theory.episode_values(run, world, delta=delta, r_max=1.0, lambda_t=lambda_)


def share_of_errors(run, values, j):
    """Σ J_1 as a share of its bound by Σ β before the stopping times.

    Its logarithm is that of A5 and A6, which may be asked for at another δ than J has in its β.
    """
    problem, horizon = values.problem, values.problem.horizon
    pairs = run.states * problem.n_actions + run.actions
    stops = theory.episode_stopping_times(pairs, horizon).offsets
    met = 0.0
    for number, (plan, visits) in enumerate(zip(values.plans, values.visits, strict=True)):
        p_u, lambda_ = plan.probability_of_uncertainty, values.lambdas[number]
        bonus = p_u * plan.epistemic_uncertainty
        beta = theory.error_terms(problem, visits, bonus, p_u, lambda_)
        met += beta.ravel()[pairs[number * horizon :][: stops[number] - 1]].sum()
    first = j[:, 0][np.arange(len(j)), values.first_states].sum()
    overshoot = 6 * problem.v_max * problem.n_pairs * np.log(12 * horizon / DELTA)
    return first / (2 * met + overshoot)


@cache
def counted():
    """A1 to A4: by name, the share that each run used."""
    rows = []
    for seed in range(COUNTED_RUNS):
        run, values = recorded(RandomWorld(2 + seed % 2, 2, seed=seed), seed, **COUNTED)
        following, lambda_ = values.optimal[1:], COUNTED["lambda_"]
        counts = shares_of_counts(run, values.model, following, values.problem, lambda_)
        rows.append(counts)
    return dict(zip(("A1", "A2", "A3", "A4"), np.array(rows).T, strict=True))


@cache
def summed():
    """A5 to A8, and Σ J by Σ β; and the share of bad episodes, J_1 > ε/4."""
    rows, bad = [], []
    for seed in range(SUMMED_RUNS):
        run, values = recorded(Rare(0.1), seed, **SUMMED)
        v_max, doubt = values.problem.v_max, np.log(6 / SUMMED["delta"])
        frame, j = episode_margins(values, run, epsilon=v_max), values.error_values
        parts = {"A5": 3 * v_max * doubt, "A6": 6 * v_max**2 * doubt}
        parts |= {"A7": parts["A5"], "A8": parts["A6"]}
        row = {name: 1 - frame[name].min() / part for name, part in parts.items()}
        rows.append(row | {"Σ J by Σ β": share_of_errors(run, values, j)})
        bad.append((j[np.arange(len(j)), 0, values.first_states] > v_max / 4).mean())
    shares = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return shares, np.array(bad)


@pytest.mark.parametrize("event", ["A1", "A2", "A3", "A4"])
def test_an_event_of_the_counts_holds_as_often_as_promised_and_a_smaller_radius_would_not(event):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(counted()[event], DELTA / 6)


@pytest.mark.parametrize("event", ["A5", "A6", "A7", "A8"])
def test_an_event_of_the_sums_holds_as_often_as_promised_and_a_smaller_radius_would_not(event):
    """A true statement is rejected with probability 1e-4 at most.

    Episodes that are bad, which A7 and A8 count, have to be neither none nor all.
    """
    shares, bad = summed()
    assert ((bad > 0.05) & (bad < 0.95)).all()
    assert_holds_and_could_fail(shares[event], SUMMED["delta"] / 6)


def test_the_sum_of_errors_holds_as_often_as_promised_and_a_smaller_bound_would_not():
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(summed()[0]["Σ J by Σ β"], DELTA)


def measured():
    """The rows of the table of `confidence`."""
    return [
        (f"{name}, episodic", shares, (delta if name.startswith("A") else 6 * DELTA) / 6)
        for found, delta in ((counted(), DELTA), (summed()[0], SUMMED["delta"]))
        for name, shares in found.items()
    ]
