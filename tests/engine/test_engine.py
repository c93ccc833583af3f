"""The compiled engine lives through what the readable classes live through, to the last bit."""

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import engine, simulation
from eubrl_edu.experiments import STUDIES
from eubrl_edu.success import SuccessWatch

COLUMNS = ("states", "actions", "rewards", "next_states", "terminated", "episode_ends")
WORLDS = {
    "chain": {},
    "loop-3": {"name": "loop", "size": 3},
    "deepsea": {"name": "deepsea", "size": 5, "seed": 3},
    "deepsea-stochastic": {"name": "deepsea", "size": 5, "stochastic": True, "seed": 3},
    "lazychain": {"name": "lazychain", "size": 4},
    "lazychain-stochastic": {"name": "lazychain", "size": 4, "stochastic": True},
    "bandit": {},
}
AGENTS = {
    "EUBRL": {},
    "EUBRL, count": {"uncertainty": "count"},
    "EUBRL+": {"plan_every": 3},
    "EUBRL, doubling": {"plan_every": "doubling"},
    "PSRL, doubling": {"plan_every": "doubling"},
    "MBIE-EB, doubling": {"plan_every": "doubling"},
    "EUBRL-MI": {},
    "PSRL": {},
    "PSRL, large alpha": {"alpha": 0.5, "plan_every": 5},
    "PSRL, tiny alpha": {"alpha": 1e-8, "plan_every": "episode"},
    "RMAX": {"known_after": 2},
    "MBIE-EB": {},
    "BEB": {},
    "EQO": {},
    "EQO, within the cap": {"eta": 0.05, "discount": 0.8},
    "UCBVI-gamma": {"eta": 0.1},
    "UCBVI-gamma, seldom": {"plan_every": "episode", "discount": 0.9, "eta": 0.02},
    "VBRB": {"plan_every": "episode"},
    "Mean-MDP": {},
}


def world(key):
    return eu.make_env(**{"name": key} | WORLDS[key])


def agent(key, env, **settings):
    return eu.make_agent(key.split(",")[0], env, **AGENTS[key] | settings)


def assert_same(compiled, readable):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(compiled, column), getattr(readable, column))


@pytest.mark.parametrize("agent_key", AGENTS)
@pytest.mark.parametrize("world_key", WORLDS)
def test_same_trajectory_bit_for_bit(agent_key, world_key):
    for seed in range(3):
        env = world(world_key)
        compiled = engine.simulate(agent(agent_key, env), env, 150, seed)
        readable = simulation.simulate(agent(agent_key, env), env, 150, seed)
        assert_same(compiled, readable)


@pytest.mark.parametrize(
    ("eta", "settings"), [(0.05, {"discount": 0.8}), (30.0, {}), (3.0, {"plan_every": "doubling"})]
)
@pytest.mark.parametrize("world_key", WORLDS)
def test_same_trajectory_of_the_agent_of_the_theorems(world_key, eta, settings):
    for seed in range(3):
        env = world(world_key)
        known = {"terminal_states": env.terminal_states} | settings
        compiled, readable = (
            play(eu.FrequentistEUBRL(env.n_states, env.n_actions, eta, **known), env, 150, seed)
            for play in (engine.simulate, simulation.simulate)
        )
        assert_same(compiled, readable)


@pytest.mark.parametrize("uncertainty", ["variance", "count"])
def test_same_trajectory_without_the_shrinkage_and_not_that_with_it(uncertainty):
    differs = False
    for world_key in ("loop-3", "deepsea-stochastic"):
        env = world(world_key)
        agents = [agent("EUBRL", env, uncertainty=uncertainty) for _ in range(3)]
        agents[0].shrinkage = agents[1].shrinkage = False
        compiled = engine.simulate(agents[0], env, 200, 5)
        assert_same(compiled, simulation.simulate(agents[1], env, 200, 5))
        with_it = engine.simulate(agents[2], env, 200, 5)
        differs |= bool((with_it.actions != compiled.actions).any())
    assert differs


@pytest.mark.parametrize("reward_model", ["outcome", "action", "known"])
@pytest.mark.parametrize("agent_key", ["EUBRL", "PSRL"])
def test_same_trajectory_under_every_reward_model(agent_key, reward_model):
    for world_key in ("chain", "deepsea-stochastic", "lazychain-stochastic"):
        env = world(world_key)
        settings = {"reward_model": reward_model}
        compiled = engine.simulate(agent(agent_key, env, **settings), env, 200, 5)
        readable = simulation.simulate(agent(agent_key, env, **settings), env, 200, 5)
        assert_same(compiled, readable)


@pytest.mark.parametrize("agent_class", ["EUBRL", "PSRL"])
@pytest.mark.parametrize("on", ["outcome", "action"])
def test_same_trajectory_with_normal_rewards(agent_class, on):
    env = world("deepsea-stochastic")

    def made():
        sizes = env.n_states, env.n_actions
        rewards = eu.NormalRewards(*sizes, tau0=0.5, tau=2.0, on=on)
        belief = eu.Belief(eu.DirichletTransitions(*sizes, 0.01), rewards, env.terminal_states)
        return getattr(eu, agent_class)(belief)

    assert_same(engine.simulate(made(), env, 300, 1), simulation.simulate(made(), env, 300, 1))


@pytest.mark.parametrize("uncertainty", ["variance", "mutual-information"])
@pytest.mark.parametrize("stochastic", [False, True])
@pytest.mark.parametrize(("name", "size"), [("lazychain", 5), ("deepsea", 1)])
def test_same_trajectory_under_a_tied_prior(name, size, stochastic, uncertainty):
    env = eu.make_env(name, size=size, stochastic=stochastic)
    compiled, readable = (
        play(eu.make_agent("EUBRL-tied", env, uncertainty=uncertainty), env, 400, 2)
        for play in (engine.simulate, simulation.simulate)
    )
    assert_same(compiled, readable)


@pytest.mark.parametrize("agent", ["EUBRL", "RMAX"])
@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.success])
def test_success_stops_both_at_the_same_step(name, agent):
    study, solved = STUDIES[name], []
    size = {"loop": 2, "deepsea": 4, "lazychain": 3}[study.environment]
    for seed in range(4):
        env = eu.make_env(study.environment, size, study.stochastic, seed)
        runs = []
        for play in (engine.simulate, simulation.simulate):
            made = eu.make_agent(agent, env)
            watch = SuccessWatch(study.success(env), made)
            runs.append(play(made, env, study.step_limit(size), seed, until=watch))
            solved.append(watch.solved)
        assert solved[-1] == solved[-2]
        assert_same(*runs)
    assert any(solved)


def test_long_episodes_are_truncated_alike():
    env = eu.make_env("lazychain", size=2)
    myopic = {"discount": 0.0}  # doing nothing pays more than a step
    compiled = engine.simulate(eu.make_agent("Mean-MDP", env, **myopic), env, 2500, 0)
    readable = simulation.simulate(eu.make_agent("Mean-MDP", env, **myopic), env, 2500, 0)
    assert_same(compiled, readable)
    assert (compiled.episode_ends & ~compiled.terminated).any()


def test_what_a_belief_has_learned_before_counts():
    env = eu.make_env("lazychain", size=4, stochastic=True)
    runs = []
    for play in (engine.simulate, simulation.simulate):
        teacher = eu.make_agent("EUBRL", env)
        simulation.simulate(teacher, env, 60, 9)
        pupil = eu.EUBRL(teacher.belief, eta=2.0, discount=0.9)
        runs.append(play(pupil, env, 100, 4))
    assert_same(*runs)


def test_the_agent_stays_as_it_was():
    env = eu.make_env("loop")
    made = eu.make_agent("EUBRL", env)
    engine.simulate(made, env, 50, 0)
    assert made.belief.n_observations == 0
    assert made.current_plan is None
    assert not made.belief.transitions.counts.any()


def test_what_cannot_be_compiled_is_said():
    env = eu.make_env("lazychain", size=3)
    sampler = eu.PSRL(eu.make_agent("EUBRL-tied", env).belief)
    for made, reason in [
        (eu.make_agent("EUBRL", env, horizon=5), "horizon"),
        (sampler, "tied"),
        (eu.FrequentistEUBRL(env.n_states, env.n_actions, lambda t: 1.0), "η is a function"),
    ]:
        assert reason in engine.why_not(made, env)
        with pytest.raises(ValueError, match=reason):
            engine.simulate(made, env, 10, 0)


class HalfCounts(eu.DirichletTransitions):
    def count(self, state, action, next_state, times=1):
        return super().count(state, action, next_state, times / 2)


class ClipsRewards(eu.Belief):
    def update(self, state, action, reward, next_state):
        super().update(state, action, min(reward, 1.0), next_state)


def test_a_belief_of_ones_own_is_not_compiled():
    world = eu.make_env("chain")
    half, usual, rewards = HalfCounts(5, 2), eu.DirichletTransitions(5, 2), eu.NormalRewards(5, 2)
    for belief, name in [
        (eu.Belief(half, rewards), "HalfCounts"),
        (ClipsRewards(usual, rewards), "ClipsRewards"),
    ]:
        for agent in (eu.EUBRL(belief), eu.PSRL(belief.copy())):
            assert engine.why_not(agent, world) == f"{name} has no compiled twin"


class Pays7More(type(eu.make_env("loop"))):
    def step(self, action):
        state, reward, *others = super().step(action)
        return state, reward + 7.0, *others


def test_a_world_with_a_step_or_a_reset_of_its_own_is_not_compiled():
    world = Pays7More()
    assert engine.why_not(eu.make_agent("EUBRL", world), world) == "the world has a step of its own"
    assert eu.simulate(eu.make_agent("EUBRL", world), world, 5, seed=0).rewards.min() >= 7.0
    world = eu.make_env("chain")
    world.reset = lambda **given: (3, {})
    assert "a reset of its own" in engine.why_not(eu.make_agent("EUBRL", world), world)


@pytest.mark.parametrize("name", ["EUBRL", "RMAX", "PSRL"])
@pytest.mark.parametrize(("made_for", "world"), [("chain", "loop"), ("loop", "chain")])
def test_an_agent_made_for_another_world_is_refused(name, made_for, world):
    made, env = eu.make_agent(name, eu.make_env(made_for)), eu.make_env(world)
    with pytest.raises(ValueError, match="the agent must be made for its world: it knows"):
        engine.simulate(made, env, 10, 0)


def test_an_agent_that_has_planned_cannot_start_again():
    env = eu.make_env("loop")
    made = eu.make_agent("EUBRL", env)
    made.plan()
    assert "already planned" in engine.why_not(made, env)


def test_an_agent_that_has_observed_is_not_run_as_if_it_had_not():
    env = eu.make_env("loop")
    agent = eu.make_agent("EUBRL", env, plan_every=5)
    agent.observe(0, 0, 0.0, 1, False)
    assert engine.why_not(agent, env) == "the agent has already planned or observed"
