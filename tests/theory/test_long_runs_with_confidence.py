"""Regret, Σ J and bad steps, with probability 1 − δ, on runs so long that the bounds say something.

The runs are those of `long_runs`, δ = 0.1. See `confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from eubrl_edu.agents import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.planning import backward_induction, solve
from tests.theory.confidence import assert_holds_and_could_fail
from tests.theory.long_runs import (
    ALPHA,
    DELTA,
    DISCOUNT,
    EPISODES,
    EPSILON,
    HORIZON,
    LONGER,
    MU0,
    RUNS,
    STEPS,
    TAU0,
    discounted,
    episodic,
    prior_of,
    prior_part_of_eta,
    problem_of,
    pull_arms,
    pull_arms_in_episodes,
    sizes,
)
from tests.theory.worlds import RandomWorld

pytestmark = pytest.mark.long

# Of the runs whose λ depends on state and action, to be held against the agent.
KEPT, LOOKED_AT = 40_000, 100


def share_of_regret(life, duration, resistance=0.0, bound=theory.regret_bound, **kind):
    """Regret as a share of its bound, which takes off what so much resistance does."""
    found = bound(**sizes(2), **kind, resistance_share=2 / 9 * resistance / duration)
    assert found.says_something
    return life.regret / found.total


@cache
def shares_of_sums():
    """Regret and Σ J as shares of their bounds, discounted and episodic."""
    rows = []
    for seed in range(RUNS):
        life, plan = discounted(seed)
        problem = problem_of(2, discount=DISCOUNT)
        stops = 13 * problem.v_max * 4 * np.log(12 * STEPS / DELTA) / (1 - DISCOUNT)
        kind = {"discount": DISCOUNT, "steps": STEPS}
        row = {
            "Regret(T)": share_of_regret(life, STEPS, **kind),
            "Regret(T) with Ψ(T)": share_of_regret(life, STEPS, life.resistance, **kind),
            "Σ J by 𝒴, discounted": life.errors
            / theory.error_sum_bound(problem, STEPS, plan.lambda_),
            "Σ J by Σ β, discounted": life.errors / (life.met + stops),
        }
        life, plan = episodic(seed)
        problem = problem_of(2, horizon=HORIZON)
        stops = 6 * problem.v_max * 4 * np.log(12 * HORIZON / DELTA)
        kind = {"horizon": HORIZON, "episodes": EPISODES}
        row |= {
            "Regret(K)": share_of_regret(life, EPISODES, **kind),
            "Regret(K) with Ψ(K)": share_of_regret(life, EPISODES, life.resistance, **kind),
            "Σ J by 𝒴, episodic": life.errors
            / theory.error_sum_bound(problem, EPISODES, plan.lambda_),
            "Σ J by Σ β, episodic": life.errors / (2 * life.met + stops),
        }
        life, _ = discounted(seed, with_prior=True)
        bound = theory.prior_dependent_regret_bound(
            **sizes(2), discount=DISCOUNT, steps=STEPS, prior=prior_of(2)
        )
        row["Regret(T) with a prior"] = life.regret / bound.total
        life, _ = discounted(seed, LONGER, KEPT, by_resistance=True)
        row["Regret(T), λ by state and action"] = share_of_regret(
            *(life, LONGER, life.least_resistance, theory.state_action_regret_bound),
            discount=DISCOUNT,
            steps=LONGER,
        )
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


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
        *("Regret(T) with Ψ(T)", "Regret(K) with Ψ(K)"),
        *("Regret(T) with a prior", "Regret(T), λ by state and action"),
    ],
)
def test_a_sum_holds_as_often_as_promised_and_a_smaller_bound_would_not(statement):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(shares_of_sums()[statement], DELTA)


@pytest.mark.parametrize("statement", ["W(T)", "T0", "W(K)", "K0", "bad steps with a prior"])
def test_bad_steps_are_as_few_as_promised_and_a_smaller_bound_would_not_do(statement):
    """A true statement is rejected with probability 1e-4 at most."""
    assert_holds_and_could_fail(shares_of_bad_steps()[statement], DELTA)


@pytest.mark.parametrize("seed", range(RUNS))
def test_what_psi_takes_off_the_bound_is_what_resistance_does_on_the_runs(seed):
    """V↑ Σ(9/2 − 𝕽)λ is 27/2 or 18 times (1 − Ψ)X; the paper rounds the first up to 14."""
    for run, duration, kind, lasting, rounded_up in (
        (discounted, STEPS, {"discount": DISCOUNT}, {"steps": STEPS}, 28 / 27),
        (episodic, EPISODES, {"horizon": HORIZON}, {"episodes": EPISODES}, 1.0),
    ):
        life, plan = run(seed)
        problem = problem_of(2, **kind)
        left = problem.v_max * plan.lambda_ * (4.5 * duration - life.resistance)
        share = 2 / 9 * life.resistance / duration
        bound = theory.regret_bound(**sizes(2), **kind, **lasting, resistance_share=share)
        assert bound.guided == pytest.approx(rounded_up * left, rel=1e-9)
        saved = problem.v_max * plan.lambda_ * life.resistance
        assert saved >= theory.resistance_lower_bound(problem, duration, plan.lambda_)


@pytest.mark.parametrize("horizon", [None, HORIZON])
def test_the_resistance_of_the_compiled_runs(horizon):
    """Once more, from the steps of a short run."""
    steps, model = 400, RandomWorld(2, 2, seed=3).model
    if horizon is None:
        life, _ = discounted(3, steps, steps)
        best, every = solve(model, DISCOUNT).policy, 1
    else:
        life, _ = episodic(3, steps // HORIZON, steps)
        best, every = backward_induction(model, HORIZON).policy[0], HORIZON
    visits, found = np.zeros((2, 2)), np.zeros(2)
    for number, (state, action, *_) in enumerate(life.history):
        state, action = int(state), int(action)
        if number % every == 0:
            p_u = 1 / np.sqrt(np.maximum(visits[state], 1))
            least = p_u.min()
            found += theory.epistemic_resistance(
                np.array([p_u[action], least]), np.array([p_u[best[state]], least])
            )
        visits[state, action] += 1
    np.testing.assert_allclose([life.resistance, life.least_resistance], found, rtol=1e-12)


@pytest.mark.parametrize("horizon", [None, HORIZON])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_compiled_runs_are_those_of_the_agent(seed, horizon):
    """The agent of the package, fed with a run, holds each of its actions for greedy."""
    steps = 400
    life, plan = (discounted if horizon is None else episodic)(seed, steps, steps)
    kind = {"discount": DISCOUNT} if horizon is None else {"horizon": horizon}
    every = {"plan_every": 1 if horizon is None else "episode"}
    agent = FrequentistEUBRL(2, 2, lambda t: plan.eta, **kind, **every)
    agent.plan()
    for number, (state, action, reward, following) in enumerate(life.history):
        q = agent.current_plan.q if horizon is None else agent.current_plan.q[number % horizon]
        row = q[int(state)]
        assert row[int(action)] >= row.max() - 1e-8 * row.max()
        agent.observe(int(state), int(action), reward, int(following), False)


def test_the_compiled_runs_with_a_prior_are_those_of_the_agent():
    """`EUBRL` with counts as uncertainty, which does not cut its values off."""
    life, plan = discounted(3, 400, 400, with_prior=True, capped=False)
    agent = EUBRL(prior_of(2), eta=plan.eta, discount=DISCOUNT, uncertainty="count")
    agent.plan()
    for state, action, reward, following in life.history:
        row = agent.current_plan.q[int(state)]
        assert row[int(action)] >= row.max() - 1e-8 * row.max()
        agent.observe(int(state), int(action), reward, int(following), False)


def test_the_compiled_runs_whose_lambda_depends_on_state_and_action_are_those_of_the_agent():
    """η_t is made from the visits of the state in which the agent is about to act.

    So late, η_t decides what is best: with that of λ_t = λ some actions are not greedy.
    """
    life, plan = discounted(0, LONGER, KEPT, by_resistance=True)
    agent = FrequentistEUBRL(2, 2, lambda t: plan.eta, discount=DISCOUNT, plan_every=KEPT + 1)
    shortfalls = []
    for step, (state, action, reward, following) in enumerate(life.history):
        state, action = int(state), int(action)
        if step % LOOKED_AT == 0:
            most = max(agent.visits[state].max(), 1)
            resistance = theory.epistemic_resistance(1 / np.sqrt(most), 1 / np.sqrt(most))
            problem = problem_of(2, discount=DISCOUNT)
            lambda_ = theory.regret_lambda(problem, LONGER, resistance)
            shortfalls.append([])
            for eta in (theory.schedule(problem, lambda_).eta, plan.eta):
                agent.eta = lambda t, eta=eta: eta
                row = agent.plan().q[state]
                shortfalls[-1].append(1 - row[action] / row.max())
        agent.observe(state, action, reward, int(following), False)
    with_resistance, without = np.array(shortfalls).T
    assert with_resistance.max() < 1e-8 < without.max()


def measured():
    """The rows of the table of `confidence`."""
    shares = shares_of_sums() | shares_of_bad_steps()
    return [(name, column, DELTA) for name, column in shares.items()]
