"""Steps 8 to 11 of ``theory/DOUBLING.md``, at every moment of runs in worlds of several γ.

Events that may fail, B1 and B2, hold on these runs. Longer ones are in
`test_doubling_with_confidence`.
"""

from functools import cache
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu import theory
from tests.theory.doubling_runs import live_by_doubling, shares_of_luck
from tests.theory.worlds import RandomWorld

SEEDS = st.integers(0, 2**32 - 1)
# S, A, γ, λ, T and the seed: long enough for J to be below its cap in the end.
RUNS = [
    (3, 2, 0.5, 1 / 3, 40_000, 3),
    (2, 2, 0.2, 0.2, 40_000, 0),
    (2, 3, 0.7, 0.3, 80_000, 1),
    (4, 1, 0.8, 0.3, 80_000, 2),
    (2, 2, 0.9, 1 / 3, 100_000, 4),
]


@cache
def run_of(n_states, n_actions, discount, lambda_, steps, seed):
    world = RandomWorld(n_states, n_actions, seed=seed, reach=8)
    return live_by_doubling(world, discount, steps, lambda_, seed)


def thresholds(run):
    """Numbers that J is above at many steps and below at many, by the run's own quantiles."""
    return np.quantile(run.j, (0.05, 0.5)) + 1e-9


@pytest.mark.parametrize("setting", RUNS, ids=str)
def test_steps_8_to_10_at_every_moment(setting):
    """Γ is every step, or those at which J is above a number."""
    run = run_of(*setting)
    of_gamma = [np.ones(len(run.j), dtype=bool), *(run.j > above for above in thresholds(run))]
    for chosen in of_gamma:
        of_luck, of_squares, _, learned = shares_of_luck(run, chosen)
        assert max(of_luck, of_squares) <= 1
        for step in (100, 1000, 10_000, len(run.j)):  # step 10
            count = max(chosen[:step].sum(), 1)
            bound = theory.doubling_error_sum(run.problem, count, step, run.lambda_)
            assert 2 * learned[step - 1] <= bound["learning"] + bound["states"]


@pytest.mark.parametrize("setting", RUNS, ids=str)
def test_step_11_the_ends_of_plans_at_which_j_is_small(setting):
    """All T at once: E in place of M W U, and which ends cost how much."""
    run = run_of(*setting)
    discount, cap, pairs = run.problem.discount, run.cap, run.problem.n_pairs
    widest, doubt = 1 / (1 - discount), log(6 / run.problem.delta)
    for theta in thresholds(run):
        chosen, more = run.j > theta, run.j > theta / 3
        assert more.sum() > chosen.sum() > 0
        w, inner = run.weights(chosen), ~run.last
        within = np.where(inner, w * np.where(inner, run.b + discount * run.xi, 0), 0)
        left = np.cumsum(np.where(chosen, run.j, 0))
        # At a moment within a plan, that moment ends it, and the step itself is not unrolled.
        ends = np.cumsum(np.where(run.last, w * run.j, 0)) + np.where(inner, w * run.j - within, 0)
        assert (left <= np.cumsum(within) + ends + 1e-6 * (1 + left)).all()
        harmless = np.cumsum(np.where(run.last & ~more, w * run.j, 0))
        assert (harmless <= theta / 3 * np.cumsum(chosen) + 1e-6).all()
        others = 1 + pairs * np.log2(1 + np.cumsum(more) / pairs)
        assert (1 + np.cumsum(run.last & more) <= others + 1e-9).all()
        learned = np.cumsum(np.where(inner, w * np.where(inner, run.b, 0), 0))
        of_all = 2 * learned + 1.5 * widest * cap * others + 6 * widest * cap * doubt
        assert (theta / 2 * np.cumsum(chosen) <= of_all).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=300), SEEDS)
def test_step_11_how_often_a_bad_pair_ends_a_plan(pairs, seed):
    """Which pairs are bad, J > θ, is drawn anew for each plan."""
    pairs, rng = np.array(pairs), np.random.default_rng(seed)
    starts = theory.plan_starts(pairs)
    is_bad = rng.random((len(starts), 5)) < rng.random()
    steps = np.arange(1, len(pairs) + 1)
    bad = is_bad[np.searchsorted(starts, steps, side="right") - 1, pairs]
    is_last = np.isin(steps + 1, starts)
    for pair in range(5):
        here = (pairs == pair) & bad
        assert (here & is_last).sum() <= np.log2(1 + here.sum()) + 1e-9
    assert (bad & is_last).sum() <= 5 * np.log2(1 + bad.sum() / 5) + 1e-9


@pytest.mark.parametrize("setting", RUNS, ids=str)
def test_the_runs_say_something(setting):
    """J is well below its cap in the end, so that the sums above are not those of the cap."""
    run = run_of(*setting)
    assert run.j[-1] < 0.9 * run.cap
    assert len(run.starts) <= theory.most_plans(run.problem, len(run.j)) + 1
