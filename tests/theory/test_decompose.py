from dataclasses import replace

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.environments import Outcome, TabularEnvironment
from eubrl_edu.simulation import PLAN_LIMIT
from eubrl_edu.trajectory import Trajectory
from tests.theory.worlds import RandomWorld, run_of

COLUMNS = (
    "regret quasi_optimism complexity accuracy p_u_policy p_u_optimal resistance bound".split()
)
SETTINGS = {
    "the paper's": {},
    "few visits": {"m": 5},
    "few visits, little η": {"m": 5, "eta": 3.0},
    "small λ": {"lambda_t": 0.05},
    "λ by step": {"lambda_t": np.linspace(0.2, 1, 120), "m": 3},
}
RUNS = {
    "EUBRL": {"eta": 1.0},
    "EUBRL-MI": {"eta": 0.5},
    "frequentist": {"eta": 2.0},
    "frequentist in theory": {"eta": 700.0},
    "replanning rarely": {"eta": 1.0, "plan_every": 7},
}


def recorded(name, seed=3):
    world = RandomWorld(5, 2, seed, r_max=2.0)
    agent = "frequentist" if "frequentist" in name else "EUBRL-MI" if "MI" in name else "EUBRL"
    return world, run_of(agent, world, 120, seed=seed, **RUNS[name])


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", RUNS)
def test_the_three_terms_add_up_and_each_value_solves_its_own_equation(name, settings):
    world, run = recorded(name)
    chosen = SETTINGS[settings]
    frame = theory.decompose(run, world, discount=0.9, **chosen)
    assert list(frame.columns) == COLUMNS
    assert list(frame.index) == list(range(1, 121))
    total = frame.quasi_optimism + frame.complexity + frame.accuracy
    np.testing.assert_allclose(total, frame.regret, atol=1e-9)
    measured = theory.regret(run, world, discount=0.9)
    np.testing.assert_allclose(frame.regret, measured, atol=1e-9)

    values = theory.run_values(run, world, discount=0.9, **chosen)
    transitions, rewards = world.model.transition_matrix(), world.model.rewards

    def residual(model_rewards, model_transitions, v, cap=np.inf):
        q = model_rewards + 0.9 * model_transitions @ v
        return np.abs(np.minimum(q.max(axis=1), cap) - v).max()

    assert residual(rewards, transitions, values.optimal) < 1e-9
    states = np.arange(5)
    for policy, v in zip(values.policies, values.policy, strict=True):
        target = rewards[states, policy] + 0.9 * transitions[states, policy] @ v
        np.testing.assert_allclose(v, target, atol=1e-9)
    changed = 0
    for moment, plan in enumerate(values.plans):
        cap = getattr(plan, "value_cap", np.inf)
        own = plan.model.transition_matrix()
        assert residual(plan.model.rewards, own, values.agent[moment], cap) < 1e-9
        auxiliary = _auxiliary_reward(values, moment, plan, chosen)
        changed += not np.allclose(auxiliary, plan.model.rewards)
        assert residual(auxiliary, own, values.auxiliary[moment], cap) < 1e-9
    if "few" in settings or "by step" in settings:
        assert changed > len(values.plans) / 2


def _auxiliary_reward(values, moment, plan, chosen):
    """r̃ pair by pair, from the paper."""
    lambda_, n, r_max = values.lambdas[moment], values.visits[moment], 2.0
    v_max, l1 = r_max / 0.1, np.log(24 * 10 / 0.1)
    m = chosen.get("m", (v_max / (r_max * lambda_)) ** 2)
    upsilon = 7 * v_max * l1 / lambda_
    if "eta" in chosen:
        upsilon = max(0.0, chosen["eta"] - r_max * np.sqrt(m))
    reward = plan.model.rewards.copy()
    for pair in np.ndindex(*n.shape):
        if n[pair] >= m:
            p_u = plan.probability_of_uncertainty[pair]
            reward[pair] = (1 - p_u) * plan.mean_reward[pair] + p_u * r_max + upsilon / n[pair]
    return reward


@pytest.mark.parametrize("name", RUNS)
def test_visits_uncertainty_and_bound_are_those_of_each_step(name):
    world, run = recorded(name)
    frame = theory.decompose(run, world, discount=0.9, lambda_t=0.4)
    values = theory.run_values(run, world, discount=0.9, lambda_t=0.4)
    best = (world.model.rewards + 0.9 * world.model.transition_matrix() @ values.optimal).argmax(
        axis=1
    )
    problem = theory.Problem(5, 2, 2.0, 0.1, 0.9)
    counts, before = np.zeros((5, 2)), {}
    for step, plan in enumerate(run.plans):
        state, action = run.states[step], run.actions[step]
        visits = before.setdefault(id(plan), counts.copy())
        np.testing.assert_array_equal(values.visits[values.moment_of_step[step]], visits)
        p_u = plan.probability_of_uncertainty
        row = frame.iloc[step]
        assert row.p_u_policy == p_u[state, action]
        assert row.p_u_optimal == p_u[state, best[state]]
        assert row.resistance == pytest.approx(2 * row.p_u_policy + 9 / 7 * row.p_u_optimal)
        bonus = p_u * plan.epistemic_uncertainty
        beta = theory.error_terms(problem, visits, bonus, p_u, 0.4)
        policy = plan.q.argmax(axis=1)
        policy[state] = action
        j = theory.bellman_like(world.model, policy, beta, 0.9, 20.0)[state]
        expected = theory.per_step_bound(
            p_u_policy=row.p_u_policy, p_u_optimal=row.p_u_optimal, lambda_=0.4, j=j, r_max=2.0,
            v_max=20.0,
        )  # fmt: skip
        assert row.bound == pytest.approx(expected.total, rel=1e-9)
        counts[state, action] += 1


def test_visits_are_those_at_the_plan_even_where_lambda_moves_on():
    world, run = recorded("replanning rarely")
    values = theory.run_values(run, world, discount=0.9, lambda_t=np.linspace(0.2, 1, 120))
    counts, at_plan = np.zeros((5, 2)), {}
    for step, plan in enumerate(run.plans):
        visits = at_plan.setdefault(id(plan), counts.copy())
        np.testing.assert_array_equal(values.visits[values.moment_of_step[step]], visits)
        counts[run.states[step], run.actions[step]] += 1


def test_the_frequentist_complexity_is_at_most_phi_under_the_theoretical_eta():
    """The paper, "Boundedness of Complexity": it holds always, no probability needed."""
    world = RandomWorld(2, 1, 0)
    for lambda_ in (1.0, 0.5):
        eta = theory.schedule(theory.Problem(2, 1, 1.0, 0.1, 0.9), lambda_).eta
        run = run_of("frequentist", world, 2000, eta=eta)
        frame = theory.decompose(run, world, discount=0.9, lambda_t=lambda_)
        assert (frame.complexity <= lambda_ + 1e-9).all()
        values = theory.run_values(run, world, discount=0.9, lambda_t=lambda_)
        assert (values.visits[-1] >= (10 / lambda_) ** 2).any()


def test_thousand_steps_of_chain_have_the_shape_they_should():
    env = eu.make_env("chain")
    run = eu.simulate(eu.make_agent("EUBRL", env), env, 1000, seed=0, record_plans=True)
    frame = theory.decompose(run, env, discount=0.95)
    assert len(frame) == 1000
    assert frame.regret.iloc[-200:].mean() < frame.regret.iloc[:200].mean() / 10
    assert frame.attrs["note"] == ""
    assert (frame.regret <= frame.bound).all()


def test_a_run_plus_a_shift_has_the_same_terms_divided_by_the_scale():
    """Rewards r and (r − a)/b: the same run, up to units."""
    world, run = recorded("EUBRL")
    shifted = RandomWorld(5, 2, 3, r_max=2.0)
    shifted.outcome_rewards = shifted.outcome_rewards * 3.0 - 6.0
    shifted.model = replace(shifted.model, rewards=shifted.model.rewards * 3.0 - 6.0)
    plans = tuple(_shifted(plan, 3.0, -6.0, 0.9) for plan in run.plans)
    other = Trajectory(
        run.states, run.actions, run.rewards * 3 - 6, run.next_states, run.terminated,
        run.episode_ends, plans,
    )  # fmt: skip
    settings = {"discount": 0.9, "m": 8, "eta": 30.0, "rescale": True}
    one = theory.decompose(run, world, **settings)
    two = theory.decompose(other, shifted, **settings)
    np.testing.assert_allclose(one, two, atol=1e-8)
    assert two.attrs["note"] == "rewards from [-6, 0] were mapped to [0, 1]"
    plain = theory.decompose(run, world, discount=0.9, m=8, eta=60.0)
    np.testing.assert_allclose(one.regret, plain.regret / 2, atol=1e-9)
    np.testing.assert_allclose(one.quasi_optimism, plain.quasi_optimism / 2, atol=1e-8)
    with pytest.raises(ValueError, match=r"from -6 to 0; no reward .*: rescale=True"):
        theory.decompose(other, shifted, discount=0.9)


def _shifted(plan, scale, shift, discount):
    return replace(
        plan,
        model=replace(plan.model, rewards=plan.model.rewards * scale + shift),
        mean_reward=plan.mean_reward * scale + shift,
        q=plan.q * scale + shift / (1 - discount),
        v=plan.v * scale + shift / (1 - discount),
    )


@pytest.mark.parametrize("world", ["lazychain", "deepsea"])
def test_worlds_outside_the_theory_are_refused_or_rescaled(world):
    env = eu.make_env(world, size=3)
    run = run_of("EUBRL", env, 60, discount=0.9)
    with pytest.raises(ValueError, match=r"rewards in \[0, R_max"):
        theory.decompose(run, env, discount=0.9)
    frame = theory.decompose(run, env, discount=0.9, rescale=True)
    assert "were mapped to [0, 1]" in frame.attrs["note"]
    total = frame.quasi_optimism + frame.complexity + frame.accuracy
    np.testing.assert_allclose(total, frame.regret, atol=1e-9)
    lowest = min(env.outcome_rewards.min(), 0)
    width = max(env.outcome_rewards.max(), 0) - lowest
    measured = theory.regret(run, env, discount=0.9)
    np.testing.assert_allclose(frame.regret * width, measured, atol=1e-9)


def test_gaussian_noise_is_outside_the_theory_too():
    env = eu.make_env("deepsea", size=3, stochastic=True)
    run = run_of("EUBRL", env, 30, discount=0.9)
    with pytest.raises(ValueError, match="rescale=True"):
        theory.decompose(run, env, discount=0.9)
    note = theory.decompose(run, env, discount=0.9, rescale=True).attrs["note"]
    assert "nothing of the theory is guaranteed" in note


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"delta": 0}, r"delta must be in \(0, 1\]"),
        ({"lambda_t": 0}, r"lambda_t must be a number in \(0, 1\], or 120 of them"),
        ({"lambda_t": [0.5, 0.5]}, "lambda_t must be"),
        ({"m": -1}, "m must be a finite number of at least 0"),
        ({"eta": -1, "m": 1}, "eta must be a finite number of at least 0"),
        ({"r_max": 1.0}, r"rewards in \[0, R_max = 1\]"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\)"),
    ],
)
def test_bad_settings_are_answered_in_words(settings, words):
    world, run = recorded("EUBRL")
    with pytest.raises(ValueError, match=words):
        theory.decompose(run, world, **{"discount": 0.9} | settings)


@pytest.mark.parametrize("name", RUNS)
def test_another_discount_than_the_agents_is_refused_by_name(name):
    world, run = recorded(name)
    for other in (0.0, 0.89, 0.95):
        words = f"discount must be the agent's own: its plans have γ = 0.9, got {other}"
        for function in (theory.decompose, theory.run_values, theory.events):
            with pytest.raises(ValueError, match=words):
                function(run, world, discount=other)


def test_runs_that_cannot_be_decomposed_are_answered_in_words():
    world = RandomWorld(3, 2, 0)
    bare = eu.simulate(eu.make_agent("EUBRL", world, discount=0.9), world, 5, seed=0)
    with pytest.raises(ValueError, match="record_plans=True"):
        theory.decompose(bare, world, discount=0.9)
    with pytest.raises(ValueError, match="only the plans of EUBRL have P_U"):
        theory.decompose(run_of("BEB", world, 5), world, discount=0.9)


def test_recording_too_much_is_refused_with_the_size_and_the_limit():
    env = eu.make_env("chain")
    steps = PLAN_LIMIT // 10 + 1
    words = (
        f"up to {PLAN_LIMIT} states times actions times steps, got 5 states times 2 actions times "
        f"{steps} steps = {10 * steps}"
    )
    with pytest.raises(ValueError, match=words):
        eu.simulate(eu.make_agent("EUBRL", env), env, steps, seed=0, record_plans=True)
    run = run_of("EUBRL", env, 3, discount=0.9)
    many = np.zeros(steps, dtype=np.int64)
    long = Trajectory(many, many, many + 2.0, many, many > 0, many > 0, run.plans[:1] * steps)
    with pytest.raises(ValueError, match=words):
        theory.decompose(long, env, discount=0.9)


def test_recording_plans_changes_nothing_else():
    env = eu.make_env("loop", size=2)
    plain = eu.simulate(eu.make_agent("PSRL", env), env, 40, seed=5)
    kept = eu.simulate(eu.make_agent("PSRL", env), env, 40, seed=5, record_plans=True)
    assert plain.plans is None
    assert len(kept.plans) == 40
    for column in ("states", "actions", "rewards", "next_states", "terminated", "episode_ends"):
        np.testing.assert_array_equal(getattr(plain, column), getattr(kept, column))
    for step, plan in enumerate(kept.plans):
        row = plan.q[kept.states[step]]
        assert row[kept.actions[step]] >= row.max() - 1e-9 * np.abs(row).max()


class Hall(TabularEnvironment):
    """Two cells and an end, which pays 1; all rewards are as the theory assumes."""

    def __init__(self):
        super().__init__(3, 2, terminal_states=(2,))

    def outcomes(self, state, action):
        return [Outcome(1.0, state + action, state + action == 2)]


def test_a_world_that_ends_is_decomposed():
    env = Hall()
    run = eu.simulate(eu.make_agent("EUBRL", env), env, 30, seed=0, record_plans=True)
    table = theory.decompose(run, env, discount=0.99)
    np.testing.assert_allclose(
        table.quasi_optimism + table.complexity + table.accuracy, table.regret, atol=1e-9
    )
    assert np.isfinite(theory.event_margins(run, env, discount=0.99).A6[1:]).all()


class Sure(TabularEnvironment):
    def __init__(self):
        super().__init__(1, 1)

    def outcomes(self, state, action):
        return [Outcome(1.0, 0, 1.0)]


def test_rewards_above_0_are_not_shifted():
    env = Sure()
    run = eu.simulate(eu.make_agent("EUBRL", env, eta=0.5), env, 30, seed=0, record_plans=True)
    one, other = (
        theory.decompose(run, env, discount=0.99, rescale=rescale) for rescale in (False, True)
    )
    np.testing.assert_array_equal(one.to_numpy(), other.to_numpy())
