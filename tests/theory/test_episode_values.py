"""Runs with a horizon: the four value functions, the terms and the bound, by brute force."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.simulation import PLAN_LIMIT
from tests.theory.worlds import RandomWorld, run_of

HORIZON = 4
SETTINGS = {
    "the paper's": {},
    "few visits": {"m": 3},
    "few visits, little η": {"m": 3, "eta": 4.0},
    "λ by episode": {"lambda_t": np.linspace(0.2, 1, 30), "m": 2},
}
AGENTS = ("EUBRL", "EUBRL-MI", "frequentist")


def recorded(name, horizon=HORIZON, steps=None, seed=3, world=None):
    world = world or RandomWorld(4, 2, seed, r_max=2.0)
    if name == "frequentist":
        agent = FrequentistEUBRL(
            4, 2, lambda t: 5.0, r_max=2.0, horizon=horizon, plan_every="episode"
        )
    else:
        agent = eu.make_agent(name, world, horizon=horizon, plan_every="episode", discount=1.0)
    steps = steps or 30 * horizon
    return world, eu.simulate(agent, world, steps, seed=seed, record_plans=True)


def auxiliary_reward(values, episode, chosen):
    """r̃ pair by pair, from the paper."""
    plan, lambda_, n = values.plans[episode], values.lambdas[episode], values.visits[episode]
    v_max, l1 = 2.0 * HORIZON, np.log(24 * 4 * 2 * HORIZON / 0.1)
    m = chosen.get("m", (HORIZON / lambda_) ** 2)
    upsilon = 7 * v_max * l1 / lambda_
    if "eta" in chosen:
        upsilon = max(0.0, chosen["eta"] - 2.0 * np.sqrt(m))
    reward = plan.model.rewards.copy()
    for pair in np.ndindex(*n.shape):
        if n[pair] >= m:
            p_u = plan.probability_of_uncertainty[pair]
            reward[pair] = (1 - p_u) * plan.mean_reward[pair] + p_u * 2.0 + upsilon / n[pair]
    return reward


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", AGENTS)
def test_each_value_solves_its_own_equation_and_the_terms_add_up(name, settings):
    chosen = SETTINGS[settings]
    world, run = recorded(name)
    values = theory.episode_values(run, world, **chosen)
    transitions, rewards = world.model.transition_matrix(), world.model.rewards

    def residual(v, reward, matrix, policy=None, cap=np.inf):
        worst = np.abs(v[-1]).max()
        for step in range(HORIZON):
            q = reward + matrix @ v[step + 1]
            best = q.max(axis=1) if policy is None else q[np.arange(4), policy[step]]
            worst = max(worst, np.abs(np.minimum(best, cap) - v[step]).max())
        return worst

    assert residual(values.optimal, rewards, transitions) < 1e-9
    changed = 0
    for episode, plan in enumerate(values.plans):
        policy = values.policies[episode]
        assert residual(values.policy[episode], rewards, transitions, policy) < 1e-9
        own, cap = plan.model.transition_matrix(), getattr(plan, "value_cap", np.inf)
        assert residual(values.agent[episode], plan.model.rewards, own, cap=cap) < 1e-9
        reward = auxiliary_reward(values, episode, chosen)
        changed += not np.allclose(reward, plan.model.rewards)
        assert residual(values.auxiliary[episode], reward, own, cap=cap) < 1e-9
    assert changed > 15

    frame = theory.decompose(run, world, **chosen)
    assert list(frame.index) == list(range(1, 31)) and frame.index.name == "episode"
    total = frame.quasi_optimism + frame.complexity + frame.accuracy
    np.testing.assert_allclose(total, frame.regret, atol=1e-9)
    np.testing.assert_allclose(frame.regret, theory.regret(run, world), atol=1e-9)
    firsts = run.states[::HORIZON]
    auxiliary = values.auxiliary[np.arange(30), 0, firsts]
    np.testing.assert_allclose(frame.quasi_optimism, values.optimal[0, firsts] - auxiliary)
    np.testing.assert_allclose(
        frame.complexity, auxiliary - values.agent[np.arange(30), 0, firsts], atol=1e-12
    )


def expected_return(world, policy, state):
    """The mean sum of rewards over every way that an episode can go."""
    transitions, rewards = world.model.transition_matrix(), world.model.rewards
    total = 0.0
    for path in itertools.product(range(world.n_states), repeat=len(policy)):
        probability, collected, here = 1.0, 0.0, state
        for step, following in enumerate(path):
            action = policy[step][here]
            collected += rewards[here, action]
            probability *= transitions[here, action, following]
            here = following
        total += probability * collected
    return total


def test_optimum_and_policy_are_what_trying_everything_says():
    world = RandomWorld(3, 2, 1, r_max=1.0)
    agent = eu.make_agent("EUBRL", world, horizon=2, plan_every="episode", discount=1.0)
    run = eu.simulate(agent, world, 20, seed=0, record_plans=True)
    values = theory.episode_values(run, world)
    one_step = list(itertools.product(range(2), repeat=3))
    for state in range(3):
        best = max(
            expected_return(world, policy, state)
            for policy in itertools.product(one_step, repeat=2)
        )
        assert values.optimal[0, state] == pytest.approx(best)
        for episode in (0, 4, 9):
            lived = expected_return(world, values.policies[episode], state)
            assert values.policy[episode, 0, state] == pytest.approx(lived)


@pytest.mark.parametrize("name", AGENTS)
def test_visits_uncertainty_and_bound_are_those_of_each_episode(name):
    world, run = recorded(name)
    frame = theory.decompose(run, world, lambda_t=0.4)
    values = theory.episode_values(run, world, lambda_t=0.4)
    problem = theory.Problem(4, 2, 2.0, 0.1, horizon=HORIZON)
    transitions, rewards = world.model.transition_matrix(), world.model.rewards
    counts = np.zeros((4, 2))
    for episode in range(30):
        np.testing.assert_array_equal(values.visits[episode], counts)
        steps = range(episode * HORIZON, (episode + 1) * HORIZON)
        plan, first = run.plans[steps[0]], run.states[steps[0]]
        policy = plan.q.argmax(axis=2)
        for step, moment in enumerate(steps):
            policy[step, run.states[moment]] = run.actions[moment]
            counts[run.states[moment], run.actions[moment]] += 1
        p_u, row = plan.probability_of_uncertainty, frame.iloc[episode]
        best = (rewards + transitions @ values.optimal[1])[first].argmax()
        assert row.p_u_policy == p_u[first, run.actions[steps[0]]]
        assert row.p_u_optimal == p_u[first, best]
        bonus = p_u * plan.epistemic_uncertainty
        beta = theory.error_terms(problem, values.visits[episode], bonus, p_u, 0.4)
        j = np.zeros(4)
        for actions in policy[::-1]:
            chosen = np.arange(4), actions
            j = np.minimum(beta[chosen] + transitions[chosen] @ j, 2.0 * HORIZON)
        expected = theory.per_step_bound(
            p_u_policy=row.p_u_policy, p_u_optimal=row.p_u_optimal, lambda_=0.4, j=j[first],
            r_max=2.0, v_max=2.0 * HORIZON,
        )  # fmt: skip
        assert row.bound == pytest.approx(expected.total)
        assert row.regret <= row.bound


def test_the_frequentist_complexity_is_at_most_phi_under_the_theoretical_eta():
    """The paper, "Boundedness of Complexity": it holds always, no probability needed."""
    world = RandomWorld(2, 1, 0)
    for lambda_ in (1.0, 0.5):
        eta = theory.schedule(theory.Problem(2, 1, 1.0, 0.1, horizon=3), lambda_).eta
        agent = FrequentistEUBRL(2, 1, lambda t, eta=eta: eta, horizon=3, plan_every="episode")
        run = eu.simulate(agent, world, 600, seed=0, record_plans=True)
        frame = theory.decompose(run, world, lambda_t=lambda_)
        values = theory.episode_values(run, world, lambda_t=lambda_)
        assert (values.visits[-1] >= (3 / lambda_) ** 2).any()
        difference = values.auxiliary - values.agent
        assert (difference <= lambda_ + 1e-9).all() and (frame.complexity <= lambda_ + 1e-9).all()


@pytest.mark.parametrize("world", ["lazychain", "deepsea"])
def test_worlds_that_end_and_pay_less_than_nothing_are_rescaled(world):
    env = eu.make_env(world, size=3)
    _, run = recorded("EUBRL", horizon=6, steps=60, world=env)
    with pytest.raises(ValueError, match=r"rewards in \[0, R_max"):
        theory.decompose(run, env)
    frame = theory.decompose(run, env, rescale=True, m=2)
    total = frame.quasi_optimism + frame.complexity + frame.accuracy
    np.testing.assert_allclose(total, frame.regret, atol=1e-9)
    width = max(env.outcome_rewards.max(), 0) - min(env.outcome_rewards.min(), 0)
    np.testing.assert_allclose(frame.regret * width, theory.regret(run, env), atol=1e-9)
    assert "were mapped to [0, 1]" in frame.attrs["note"]
    values = theory.episode_values(run, env, rescale=True, m=2)
    mapped, matrix = values.reward_map, env.model.transition_matrix()
    v, rewards = values.optimal, mapped.rewards(env.model.rewards)
    for step in range(6):
        np.testing.assert_allclose(v[step], (rewards + matrix @ v[step + 1]).max(axis=1))
    for plan, v in zip(values.plans, values.agent, strict=True):
        rewards, matrix = mapped.rewards(plan.model.rewards), plan.model.transition_matrix()
        for step in range(6):
            np.testing.assert_allclose(v[step], (rewards + matrix @ v[step + 1]).max(axis=1))


def test_an_episode_that_was_cut_short_counts_as_one():
    world, run = recorded("EUBRL", steps=10)
    frame = theory.decompose(run, world)
    assert len(frame) == 3
    np.testing.assert_allclose(frame.regret, theory.regret(run, world), atol=1e-9)


def test_what_cannot_be_decomposed_is_said_in_words():
    world = RandomWorld(4, 2, 3, r_max=2.0)
    agent = eu.make_agent("EUBRL", world, horizon=3, discount=1.0)
    within = eu.simulate(agent, world, 9, seed=0, record_plans=True)
    with pytest.raises(ValueError, match='plan_every="episode"'):
        theory.decompose(within, world)
    agent = eu.make_agent("EUBRL", world, horizon=3, discount=0.9, plan_every="episode")
    discounting = eu.simulate(agent, world, 9, seed=0, record_plans=True)
    with pytest.raises(ValueError, match="give an agent with a horizon discount=1"):
        theory.decompose(discounting, world)
    _, run = recorded("EUBRL")
    with pytest.raises(ValueError, match="leave discount out where the agent has a horizon"):
        theory.decompose(run, world, discount=0.9)
    with pytest.raises(ValueError, match=r"lambda_t must be a number in \(0, 1\], or 30 of them"):
        theory.decompose(run, world, lambda_t=[0.5, 0.5])
    with pytest.raises(ValueError, match="theory.decompose and theory.regret take its runs"):
        theory.run_values(run, world, discount=0.9)
    with pytest.raises(ValueError, match="leave discount out where the agent has a horizon"):
        theory.events(run, world, discount=0.9)
    with pytest.raises(ValueError, match="discount must be in"):
        theory.decompose(run_of("EUBRL", world, 5), world)
    agent = eu.make_agent("BEB", world, horizon=3, discount=1.0, plan_every="episode")
    bonus = eu.simulate(agent, world, 9, seed=0, record_plans=True)
    with pytest.raises(ValueError, match="only the plans of EUBRL have P_U"):
        theory.decompose(bonus, world)


def test_a_run_that_is_too_large_is_refused_by_its_episodes():
    world, run = recorded("EUBRL", steps=8)
    horizon = PLAN_LIMIT // 16 + 1
    plan = replace(run.plans[0], q=np.broadcast_to(run.plans[0].q[:1], (horizon, 4, 2)))
    long = replace(run, plans=(plan,) * 8)
    with pytest.raises(ValueError, match=f"4 states times 2 actions times {2 * horizon} steps"):
        theory.decompose(long, world)
