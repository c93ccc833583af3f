"""Worlds, agents and rules of one's own in `run_study`."""

import doctest
import warnings

import gymnasium
import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.agents import Agent
from eubrl_edu.experiments import Study, run, run_study
from eubrl_edu.experiments.cells import study_cells
from eubrl_edu.experiments.grids import paper_grid
from eubrl_edu.experiments.store import Store
from eubrl_edu.success import SuccessRule


class Hallway(gymnasium.Env):
    """So many states in a row; only the last pays, and ends the episode. It publishes no table."""

    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, size=4):
        self.last = size - 1
        self.observation_space = gymnasium.spaces.Discrete(size)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return 0, {}

    def step(self, action):
        self.place = max(self.place + (1 if action else -1), 0)
        arrived = self.place == self.last
        return self.place, float(arrived), arrived, False, {}


class Walker(Agent):
    """Goes nowhere on purpose."""

    def __init__(self, world):
        self.n_actions = world.n_actions

    def act(self, state, rng):
        return int(rng.integers(self.n_actions))

    def observe(self, state, action, reward, next_state, terminated):
        pass


class Cheat(eu.EUBRL):
    """An agent of this package, changed."""

    def act(self, state, rng):
        return 1


class Trap(type(eu.make_env("chain"))):
    """A table of this package that does something else."""

    def step(self, action):
        return *super().step(action)[:1], -1.0, False, False, {}


def hallway(**changes):
    return Study(**{"name": "hallway", "environment": Hallway, "steps": 60} | changes)


@pytest.fixture
def readable_only(monkeypatch):
    monkeypatch.setattr(engine, "simulate", lambda *_, **__: pytest.fail("it ran compiled"))


@pytest.mark.parametrize("agent", ["RMAX", "MBIE-EB", "EQO", "UCBVI-gamma", "EUBRL-frequentist"])
def test_whoever_needs_a_largest_reward_that_nobody_says_warns(agent):
    with pytest.warns(UserWarning, match="largest reward is taken to be 1; .* give r_max"):
        eu.make_agent(agent, Hallway())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eu.make_agent(agent, Hallway(), r_max=3.0)
        eu.make_agent("EUBRL", Hallway())
        paper_grid(hallway(), "EUBRL", 4)  # whose η has a unit for want of another


def test_rows_are_what_simulate_gives(readable_only):
    frame = run_study(hallway(), {"walker": Walker}, seeds=3, progress=False)
    assert tuple(frame.columns) == run.COLUMNS
    assert (frame["size"] == 5).all(), "four states and an end"
    for row in frame.itertuples():
        world = eu.make_env(Hallway())
        lived = eu.simulate(Walker(world), world, steps=60, seed=row.seed)
        assert row.total_return == lived.rewards.sum() and row.steps == 60
        assert row.episodes == lived.episode_ends.sum() + (not lived.episode_ends[-1])


def test_own_agents_are_compared_with_named_ones_under_the_same_luck(readable_only):
    agents = {
        "walker": Walker,
        "mine": lambda world: eu.make_agent("EUBRL", world, eta=0.5),
        "RMAX": lambda world: eu.make_agent("RMAX", world),
    }
    own = run_study("loop", agents, [2], seeds=2, progress=False)
    assert own.agent.tolist() == [name for name in agents for _ in range(2)]
    assert own[own.agent == "mine"].total_return.min() > 2 * own.total_return.min()


def test_an_own_agent_runs_as_the_paper_says_that_it_does():
    """Its settings are those of the factory, and the readable run equals the compiled one."""
    compiled = run_study("chain", ["EUBRL"], seeds=2, progress=False, settings={"plan_every": 1})
    own = run_study(
        "chain", {"EUBRL": lambda world: eu.make_agent("EUBRL", world)}, seeds=2, progress=False
    )
    pd.testing.assert_frame_equal(own.drop(columns="seconds"), compiled.drop(columns="seconds"))


def test_what_is_changed_is_never_run_by_the_engine(readable_only):
    def cheat(world):
        return Cheat(eu.make_agent("EUBRL", world).belief, eta=1.0, discount=0.9)

    run_study("chain", {"cheat": cheat}, seeds=1, progress=False)
    trap = Study(name="chain", environment=Trap, steps=20)
    frame = run_study(trap, ["EUBRL", "RMAX"], seeds=1, progress=False)
    assert (frame.total_return == -20).all() and (frame["size"] == 5).all()


def test_sizes_reach_the_world_and_the_limit_of_steps():
    study = hallway(sizes=(3, 6), steps=10, steps_exponent=1, agents=("EUBRL",), n_seeds=2)
    frame = run_study(study, progress=False)
    assert frame["size"].tolist() == [3, 3, 6, 6]
    assert frame.steps.tolist() == [30, 30, 60, 60]
    assert study.make_world(6).n_states == 7


def test_a_rule_of_success_stops_a_run():
    def three_meals(world):
        return SuccessRule(optimal_reward=1.0)

    frame = run_study(hallway(steps=5000, success=three_meals), ["EUBRL"], seeds=2, progress=False)
    assert frame.solved.all() and (frame.steps < 5000).all() and (frame.episodes == 11).all()


def test_a_world_known_to_gymnasium_goes_by_its_name(tmp_path):
    lake = Study(name="lake", environment="FrozenLake-v1", steps=200, agents=("EUBRL", "RMAX"))
    store = tmp_path / "results.sqlite"
    frame = run_study(lake, seeds=2, store=store, progress=False)
    assert (frame["size"] == 16).all()
    again = run_study(lake, seeds=2, store=store, progress=False)
    pd.testing.assert_frame_equal(frame, again)
    with Store(store) as kept:
        (cell,) = study_cells(lake, ["EUBRL"])
        assert list(kept.rows("lake", "EUBRL", 16, cell.key())) == [0, 1]
        for other in (
            Study(name="lake", environment="FrozenLake8x8-v1", steps=200),
            Study(name="lake", environment="FrozenLake-v1", steps=300),
        ):
            (cell,) = study_cells(other, ["EUBRL"])
            assert kept.rows("lake", "EUBRL", 16, cell.key()) == {}
    sea = Study(name="sea", environment="eubrl_edu/DeepSea-v0", steps=20, sizes=(3,))
    assert sea.make_world(3).size == 3


def test_processes_take_what_is_made_on_the_spot():
    agents = {"lambda": lambda world: Walker(world), "class": Walker}
    study = hallway(environment=lambda: Hallway(3))
    here = run_study(study, agents, seeds=3, progress=False)
    there = run_study(study, agents, seeds=3, n_jobs=2, progress=False)
    pd.testing.assert_frame_equal(here.drop(columns="seconds"), there.drop(columns="seconds"))
    assert np.unique(here.total_return).size > 1


def test_a_stored_row_of_the_paper_keeps_its_key():
    """Word for word: with any other key all that is stored would run again."""
    (cell,) = study_cells("loop", ["EUBRL"], [2])
    assert cell.key() == (
        '{"alpha": 1e-08, "beta0": 0.0001, "clip_visited": true, "discount": 0.95, '
        '"environment": "loop", "epsilon": 0.1, "eta": 0.5, "known_after": 1, "lambda0": null, '
        '"learning_rate": 0.1, "n_models": 5, "plan_every": 1, "r_max": 2.0, '
        '"reward_model": "outcome", "steps": 1000, "stochastic": false, "success": null, '
        '"tau": 1.0, "uncertainty": "variance"}'
    )


def test_the_example_in_the_docstring_runs():
    finder = doctest.DocTestFinder(recurse=False)
    (example,) = finder.find(run_study, "run_study", globs={})
    outcome = doctest.DocTestRunner().run(example)
    assert outcome.attempted >= 7 and outcome.failed == 0
