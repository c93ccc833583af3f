"""Every moment lived again equals the moment as it was, bit for bit."""

from copy import deepcopy
from dataclasses import fields

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.agents.base import Agent
from eubrl_edu.experiments.cells import used_by
from eubrl_edu.mdp import MDP
from eubrl_edu.replay import Recorder
from eubrl_edu.simulation import run

WORLDS = {
    "loop": {"size": 2},
    "chain": {},
    "bandit": {},
    "lazychain": {"size": 3, "stochastic": True},
    "deepsea": {"size": 4, "stochastic": True},
}


class Diary(Agent):
    """An agent that notes every plan at the moment it acts on it: the oracle of these tests."""

    def __init__(self, agent):
        self.agent = agent
        self.horizon = agent.horizon
        self.plans = []

    def act(self, state, rng):
        action = self.agent.act(state, rng)
        self.plans.append(deepcopy(self.agent.current_plan))
        return action

    def observe(self, *transition):
        self.agent.observe(*transition)

    def start_episode(self):
        self.agent.start_episode()


def assert_same(plan, noted):
    assert type(plan) is type(noted)
    for field in fields(plan):
        one, other = getattr(plan, field.name), getattr(noted, field.name)
        if isinstance(one, MDP):
            assert_same(one, other)
        else:
            np.testing.assert_array_equal(one, other, strict=True)


def record(agent, env, steps, **settings):
    recorder = Recorder(agent, env, seed=3, **settings)
    for _ in range(steps):
        recorder.advance()
    return recorder.recording()


def noted_run(agent, env, steps):
    diary = Diary(agent)
    taken = [step for step, _ in zip(run(diary, env, seed=3), range(steps), strict=False)]
    return diary.plans, taken


@pytest.mark.parametrize("most_checkpoints", [512, 7, 1])
@pytest.mark.parametrize("plan_every", [1, 5, "episode"])
@pytest.mark.parametrize("name", ["EUBRL", "EUBRL-MI", "PSRL", "RMAX", "Mean-MDP"])
@pytest.mark.parametrize("world", WORLDS)
def test_every_moment_is_the_same_as_at_run_time(world, name, plan_every, most_checkpoints):
    def make():
        env = eu.make_env(world, **WORLDS[world])
        return eu.make_agent(name, env, **used_by(name, {"plan_every": plan_every})), env

    plans, taken = noted_run(*make(), steps=60)
    recording = record(*make(), steps=60, most_checkpoints=most_checkpoints)
    assert len(recording) == 60
    assert len(recording.checkpoints) <= most_checkpoints
    for time in (0, 1, 6, 7, 8, 29, 58, 59):
        moment = recording.at(time)
        assert (moment.time, moment.state, moment.action) == (
            time,
            taken[time].state,
            taken[time].action,
        )
        assert_same(moment.agent.current_plan, plans[time])


def test_an_agent_with_a_horizon_is_told_of_every_restart():
    def make():
        env = eu.make_env("lazychain", size=2)
        return eu.make_agent("EUBRL", env, horizon=7), env

    plans, taken = noted_run(*make(), steps=40)
    recording = record(*make(), steps=40, most_checkpoints=3)
    for time in range(40):
        moment = recording.at(time)
        assert moment.action == taken[time].action
        assert_same(moment.agent.current_plan, plans[time])


def test_restarts_that_no_terminal_state_announces_are_lived_again():
    def make():
        env = eu.make_env("lazychain", size=2)
        env.max_episode_steps = 5
        return eu.make_agent("Mean-MDP", env, plan_every="episode"), env

    plans, _ = noted_run(*make(), steps=30)
    recording = record(*make(), steps=30, most_checkpoints=2)
    assert recording.restarts
    for time in range(30):
        assert_same(recording.at(time).agent.current_plan, plans[time])


def test_the_end_has_no_action_and_the_plan_after_the_last_observation():
    env = eu.make_env("loop", size=2)
    agent = eu.make_agent("EUBRL", env)
    recording = record(agent, env, steps=25)
    end = recording.at(25)
    assert end.action is None
    assert end.state == recording.trajectory.next_states[-1]
    assert_same(end.agent.current_plan, agent.current_plan)
    assert end.agent is not agent


def test_a_recorded_run_is_the_run_that_simulate_makes():
    env = eu.make_env("deepsea", size=4, stochastic=True)
    recording = record(eu.make_agent("PSRL", env), env, steps=50)
    trajectory = eu.simulate(eu.make_agent("PSRL", env), env, steps=50, seed=3)
    for field in fields(trajectory):
        np.testing.assert_array_equal(
            getattr(recording.trajectory, field.name), getattr(trajectory, field.name)
        )


def test_looking_back_changes_nothing():
    env = eu.make_env("chain")
    recording = record(eu.make_agent("PSRL", env), env, steps=30, most_checkpoints=4)
    first = recording.at(17).agent.current_plan
    recording.at(29)
    assert_same(recording.at(17).agent.current_plan, first)


def test_checkpoints_grow_apart_and_stay_few():
    env = eu.make_env("bandit")
    recorder = Recorder(eu.make_agent("Mean-MDP", env), env, seed=0, most_checkpoints=8)
    assert recorder.recording() is None
    for steps in range(1, 101):
        recorder.advance()
        recording = recorder.recording()
        times = [agent.belief.n_observations for agent, _ in recording.checkpoints]
        assert times == [k * recording.spacing for k in range(len(times))]
        assert len(times) <= 8
        assert steps - times[-1] <= recording.spacing
    assert recording.spacing == 16


def test_a_time_outside_the_run_is_refused():
    env = eu.make_env("bandit")
    recording = record(eu.make_agent("RMAX", env), env, steps=3)
    with pytest.raises(ValueError, match="time must be an integer from 0 to 3, got 4"):
        recording.at(4)
    with pytest.raises(ValueError, match="most_checkpoints"):
        Recorder(eu.make_agent("RMAX", env), env, most_checkpoints=0)


class Moody(Agent):
    """Draws on a source of randomness that no recording knows of."""

    source = np.random.default_rng(0)
    horizon = None

    def act(self, state, rng):
        return int(self.source.integers(2))

    def observe(self, state, action, reward, next_state, terminated):
        pass


def test_an_agent_that_cannot_be_lived_again_is_found_out():
    recording = record(Moody(), eu.make_env("bandit"), steps=60, most_checkpoints=1)
    with pytest.raises(RuntimeError, match="chose action"):
        recording.at(59)


class Stumbling(Agent):
    steps = 0

    def act(self, state, rng):
        self.steps += 1
        if self.steps > 3:
            raise RuntimeError("tired")
        return 0

    def observe(self, *transition):
        pass


def test_a_run_that_has_ended_says_so():
    recorder = Recorder(Stumbling(), eu.make_env("loop"), seed=0)
    with pytest.raises(RuntimeError, match="tired"):
        for _ in range(5):
            recorder.advance()
    with pytest.raises(RuntimeError, match="the run has ended after 3 steps"):
        recorder.advance()
    assert len(recorder.recording()) == 3
