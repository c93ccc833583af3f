"""The events A1 to A8 and the mirror of A5, each with probability 1 − δ/6, on runs of the agent.

The share here is of what an event allows beyond its part with the variance (or with λr): of the
part with ℓ1 or log(6/δ), and for A3 of all that it allows. An event holds where it is at most 1.
See `confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.theory.events import margins
from tests.theory.confidence import assert_holds_and_could_fail, refuted
from tests.theory.worlds import RandomWorld, run_of

pytestmark = pytest.mark.long

DELTA = 0.1
COUNTED = {"discount": 0.5, "steps": 2500, "lambda_": 0.3}
SUMMED = {"discount": 0.2, "steps": 4000, "lambda_": 1.0}
COUNTED_RUNS, SUMMED_RUNS = 30, 20


class Rare(TabularEnvironment):
    """Two states and one action; the second state follows with a small probability."""

    def __init__(self, probability):
        self.probability = probability
        super().__init__(2, 1)

    def outcomes(self, state, action):
        yield Outcome(self.probability, 1, 0.0)
        yield Outcome(1 - self.probability, 0, 1.0)


def recorded(world, seed, discount, steps, lambda_):
    """A run with the theory's η, planned every 20 steps, and its values."""
    problem = theory.Problem(world.n_states, world.n_actions, 1.0, DELTA, discount)
    eta = theory.schedule(problem, lambda_).eta
    run = run_of("frequentist", world, steps, seed, discount, eta, plan_every=20)
    settings = {"delta": DELTA, "r_max": 1.0, "lambda_t": lambda_}
    return run, theory.run_values(run, world, discount=discount, **settings)


def shares_of_a_pair(nexts, rewards, p, r, following, problem, lambda_):
    """A1 to A4 of one pair after each of its visits, the largest share of each.

    ``following`` has a row for each value function that A1 and A2 are asked for.
    """
    v_max, n = problem.v_max, np.arange(1.0, len(nexts) + 1)
    log1 = np.log(24 * problem.n_pairs * (problem.horizon or 1) / problem.delta)
    log3 = np.log(12 * problem.n_pairs * (1 + np.log(n)) / problem.delta)[:, None]
    frequency = np.eye(len(p))[nexts].cumsum(axis=0) / n[:, None]
    average = rewards.cumsum() / n
    a1 = a2 = -np.inf
    for v in following:
        variance = p @ v**2 - (p @ v) ** 2
        excess = np.abs((frequency - p) @ v) - lambda_ / (4 * v_max) * variance
        a1 = max(a1, (excess * lambda_ * n / (3 * v_max * log1)).max())
        excess = (p - frequency) @ v**2 - variance / 2
        a2 = max(a2, (excess * n / (6 * v_max**2 * log1)).max())
    allowed = 2 * np.sqrt(2 * p * log3 / n[:, None]) + 2 * log3 / (3 * n[:, None])
    a3 = (np.abs(frequency - p) / allowed).max()
    a4 = ((np.abs(average - r) - lambda_ * r) * lambda_ * n / (problem.r_max * log1)).max()
    return a1, a2, a3, a4


def shares_of_counts(run, model, following, problem, lambda_):
    """A1 to A4 over all pairs, at every number of visits that the agent could plan with."""
    transitions, found = model.transition_matrix(), []
    for state, action in np.ndindex(model.rewards.shape):
        visited = np.flatnonzero((run.states[:-1] == state) & (run.actions[:-1] == action))
        if visited.size:
            p, r = transitions[state, action], model.rewards[state, action]
            nexts, rewards = run.next_states[visited], run.rewards[visited]
            found.append(shares_of_a_pair(nexts, rewards, p, r, following, problem, lambda_))
    return np.max(found, axis=0)


def shares_of_sums(frame, problem):
    """A5 to A8 and the mirror, from how far each is from failing."""
    scale = problem.v_max / (1 - problem.discount)
    doubt = np.log(6 / problem.delta)
    first, second = 6 * scale * doubt, 12 * scale**2 * doubt
    parts = {"A5": first, "A5_mirror": first, "A7": first, "A6": second, "A8": second}
    return {name: 1 - frame[name].min() / part for name, part in parts.items()}


@cache
def counted():
    """Shares of A1 to A4 on each run; and whether the package says that they held, on eight."""
    shares, held = [], []
    for seed in range(COUNTED_RUNS):
        run, values = recorded(RandomWorld(2, 2, seed=seed), seed, **COUNTED)
        following, lambda_ = values.optimal[None], COUNTED["lambda_"]
        shares.append(shares_of_counts(run, values.model, following, values.problem, lambda_))
        if seed < 8:
            held.append((margins(values, run)[["A1", "A2", "A3", "A4"]] >= 0).all().to_numpy())
    return np.array(shares), np.array(held)


@cache
def summed():
    """Shares of A5 to A8, whether all of A1 to A6 held, and the share of bad steps, J > ε/4."""
    rows, together, bad = [], [], []
    for seed in range(SUMMED_RUNS):
        run, values = recorded(Rare(0.1), seed, **SUMMED)
        epsilon = values.problem.v_max
        frame = margins(values, run, epsilon)
        rows.append(shares_of_sums(frame, values.problem))
        together.append((frame[["A1", "A2", "A3", "A4", "A5", "A6"]] >= 0).all(axis=None))
        j = values.error_values[np.arange(len(run)), run.states]
        bad.append((j > epsilon / 4).mean())
    shares = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return shares, np.array(together), np.array(bad)


@cache
def fair_coins():
    """ΣX − 3λ/(4C) ΣE[X²] as a share of C/λ log(1/δ), X = ±1, λ = 0.1, at any of 2000 times."""
    coins = np.random.default_rng(0).integers(2, size=(1000, 2000), dtype=np.int8)
    sums = (2 * coins - 1).cumsum(axis=1)
    excess = sums - 0.75 * 0.1 * np.arange(1, 2001)
    return excess.max(axis=1) / (np.log(1 / DELTA) / 0.1)


def test_the_concentration_of_martingale_differences_holds_as_often_as_promised():
    """The lemma that A5 to A8 come from; with coins it does fail now and then.

    A true statement is rejected with probability 1e-4 at most.
    """
    assert (fair_coins() > 1).any()
    assert_holds_and_could_fail(fair_coins(), DELTA)


@pytest.mark.parametrize("event", [1, 2, 3, 4])
def test_an_event_of_the_counts_holds_as_often_as_promised_and_a_smaller_radius_would_not(event):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(counted()[0][:, event - 1], DELTA / 6)


@pytest.mark.parametrize("event", ["A5", "A5_mirror", "A6", "A7", "A8"])
def test_an_event_of_the_sums_holds_as_often_as_promised_and_a_smaller_radius_would_not(event):
    """A true statement is rejected with probability 1e-4 at most.

    Steps that are bad, which A7 and A8 count, have to be neither none nor all.
    """
    shares, _, bad = summed()
    assert ((bad > 0.05) & (bad < 0.95)).all()
    assert_holds_and_could_fail(shares[event], DELTA / 6)


def test_the_package_says_of_each_event_what_is_counted_here():
    shares, held = counted()
    np.testing.assert_array_equal(shares[: len(held)] <= 1, held)


def test_all_events_together_hold_with_probability_one_minus_delta():
    """A true statement is rejected with probability 1e-4 at most."""
    assert not refuted(~summed()[1], DELTA)


def measured():
    """The rows of the table of `confidence`."""
    shares = {f"A{number + 1}": column for number, column in enumerate(counted()[0].T)}
    events = [(name, column, DELTA / 6) for name, column in (shares | summed()[0]).items()]
    return [*events, ("concentration of martingale differences", fair_coins(), DELTA)]
