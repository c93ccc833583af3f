"""The terms of the per-step bound, with probability 1 − δ, on runs so long that they say something.

As long as J is near V↑, what it bounds is below V↑ anyway. Here λ is small and the runs are long:
those of `long_runs`, each looked at 60 times, ever further apart, in every state (and step of an
episode). See `confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import backward_induction, evaluate_horizon_policy, evaluate_policy, solve
from eubrl_edu.planning.capped import solve_capped
from tests.theory.confidence import assert_holds_and_could_fail, refuted
from tests.theory.long_runs import DELTA, DISCOUNT, HORIZON, RUNS, discounted, episodic, problem_of
from tests.theory.worlds import RandomWorld

pytestmark = pytest.mark.long

STATEMENTS = ("quasi-optimism", "complexity", "accuracy", "per-step regret")


def shares_at(model, problem, plan, visits, paid, counts):
    """What each statement's largest share was, after these visits, rewards and next states."""
    known = np.maximum(visits, 1.0)
    p_u, mean = 1 / np.sqrt(known), paid / known
    table = np.where(visits[..., None] > 0, counts / known[..., None], np.eye(2)[:, None])
    guided = (1 - p_u) * mean + p_u**2 * plan.eta
    late = (1 - p_u) * mean + p_u * problem.r_max + plan.upsilon / known
    own = MDP.from_dense(table, guided)
    auxiliary = MDP.from_dense(table, np.where(visits >= plan.m, late, guided))
    beta = theory.error_terms(problem, visits, p_u**2 * plan.eta, p_u, plan.lambda_)
    if problem.horizon is None:
        best = solve(model, problem.discount)
        found = solve_capped(own, problem.discount, problem.v_max)
        between = solve_capped(auxiliary, problem.discount, problem.v_max).v
        true = evaluate_policy(model, found.policy, problem.discount)
        j = theory.bellman_like(model, found.policy, beta, problem.discount, problem.v_max)
        optimal, agent = best.v, found.v
    else:
        best = backward_induction(model, problem.horizon)
        found = backward_induction(own, problem.horizon, cap=problem.v_max)
        between = backward_induction(auxiliary, problem.horizon, cap=problem.v_max).v[:-1]
        true = evaluate_horizon_policy(model, found.policy)[:-1]
        j = theory.bellman_like_horizon(model, found.policy, beta, problem.v_max)[:-1]
        optimal, agent = best.v[:-1], found.v[:-1]
    bounds = theory.term_bounds(
        p_u_policy=p_u[np.arange(2), found.policy],
        p_u_optimal=p_u[np.arange(2), best.policy],
        lambda_=plan.lambda_,
        j=j,
        r_max=problem.r_max,
        v_max=problem.v_max,
    )
    shares = (
        (optimal - between) / bounds.quasi_optimism,
        (between - agent) / bounds.complexity,
        (agent - true) / bounds.accuracy,
        (optimal - true) / bounds.total,
    )
    says = bounds.total < problem.v_max
    return [*(share.max() for share in shares), says.all()]


@cache
def all_shares(kind):
    """By statement, the share of its bound that each run used; and if the bound said something."""
    rows = []
    for seed in range(RUNS):
        if kind == "discounted":
            life, plan = discounted(seed)
            problem = problem_of(2, discount=DISCOUNT)
        else:
            life, plan = episodic(seed)
            problem = problem_of(2, horizon=HORIZON)
        model = RandomWorld(2, 2, seed=seed).model
        moments = zip(life.visits, life.paid, life.counts, strict=True)
        found = np.array([shares_at(model, problem, plan, *moment) for moment in moments])
        rows.append([*found[:, :4].max(axis=0), found[-1, 4]])
    *shares, said = np.array(rows).T
    return dict(zip(STATEMENTS, shares, strict=True)), said.astype(bool)


@pytest.mark.parametrize("kind", ["discounted", "episodic"])
@pytest.mark.parametrize("statement", STATEMENTS[1:])
def test_it_holds_as_often_as_promised_and_a_smaller_bound_would_not(statement, kind):
    """A true statement is rejected with probability 1e-4 at most; complexity is bounded always.

    At the end of a run the bound is below V↑ in every state.
    """
    shares, said = all_shares(kind)
    assert said.mean() > 0.5
    assert_holds_and_could_fail(shares[statement], DELTA)


@pytest.mark.parametrize("kind", ["discounted", "episodic"])
def test_quasi_optimism_holds_as_often_as_promised(kind):
    """Here no smaller bound would break; where one does is in `test_with_confidence`.

    A true statement is rejected with probability 1e-4 at most.
    """
    assert not refuted(all_shares(kind)[0]["quasi-optimism"] > 1, DELTA)


def measured():
    """The rows of the table of `confidence`."""
    return [
        (f"{name}, {kind}", shares, DELTA)
        for kind in ("discounted", "episodic")
        for name, shares in all_shares(kind)[0].items()
    ]
