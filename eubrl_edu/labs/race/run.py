"""The long work of a race: every agent with every seed, and one run of each step by step."""

from collections import OrderedDict
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eubrl_edu import engine, simulation
from eubrl_edu.agents import EUBRL, PlanningAgent
from eubrl_edu.agents.base import Agent
from eubrl_edu.environments.tabular import TabularEnvironment, reachable_states
from eubrl_edu.experiments import make_agent, paper_settings
from eubrl_edu.experiments.agents import world_variant
from eubrl_edu.labs.optimum import find_optimum, running_sum
from eubrl_edu.labs.race.scene import (
    Outcome,
    RaceParams,
    Racer,
    RaceState,
    WatchedRun,
    coverage_over_time,
    shown_times,
    success_rule,
    why_not_here,
)
from eubrl_edu.labs.slices import SoFar
from eubrl_edu.simulation import Step, Trajectory
from eubrl_edu.success import SuccessRule, SuccessWatch

# As many seeds of each agent are run before a first picture; all others follow.
FIRST_SEEDS = 20
# An agent that plans and has no compiled twin takes up to seconds for a run.
MOST_UNCOMPILED_SEEDS = 20
MOST_KEPT = 40


@dataclass
class Lane:
    """The runs so far of one agent in one world: what it has done is not done again."""

    name: str
    settings: dict[str, Any]
    env: TabularEnvironment
    steps: int
    rule: SuccessRule | None
    reachable: np.ndarray
    outcomes: list[Outcome] = field(default_factory=list)
    watched: dict[int, WatchedRun] = field(default_factory=dict)

    def __post_init__(self):
        self._racers: dict[tuple[int, int], Racer] = {}
        self._agent: Agent | None = None

    def make_agent(self) -> Generator[float, None, None]:
        """Make the agent that starts every run; one that plans before may take a while."""
        if self._agent is not None:
            return
        other_thread = ThreadPoolExecutor(1)
        making = other_thread.submit(make_agent, self.name, self.env, **self.settings)
        other_thread.shutdown(wait=False)
        while not making.done():
            wait([making], timeout=0.01)
            yield 0.0
        self._agent = agent = making.result()
        self.is_planning = isinstance(agent, PlanningAgent)
        self.is_compiled = self.is_planning and engine.why_not(agent, self.env) is None
        self.has_uncertainty = isinstance(agent, EUBRL)

    def n_seeds(self, asked: int) -> int:
        """How many of the seeds asked for are run."""
        quick = self.is_compiled or not self.is_planning
        return asked if quick else min(asked, MOST_UNCOMPILED_SEEDS)

    def add_outcome(self) -> Generator[float, None, None]:
        """Run the next seed."""
        seed = len(self.outcomes)
        trajectory, solved_at, _ = yield from self._run(seed, readable=not self.is_compiled)
        returns = running_sum(trajectory.rewards)[shown_times(self.steps)]
        self.outcomes.append(Outcome(returns, solved_at))

    def watch(self, seed: int) -> Generator[float, None, None]:
        """Run a seed step by step; P_U is in the plans of the readable agent only."""
        readable = self.has_uncertainty or not self.is_compiled
        trajectory, solved_at, uncertainty = yield from self._run(seed, readable)
        coverage = coverage_over_time(
            trajectory.states, trajectory.actions, self.reachable, self.env.n_actions
        )
        self.watched[seed] = WatchedRun(
            running_sum(trajectory.rewards), coverage, uncertainty, solved_at
        )

    def racer(self, n_seeds: int, seed: int) -> Racer:
        """What the lane has by now, up to ``n_seeds`` seeds, and the run that is watched."""
        key = min(n_seeds, len(self.outcomes)), seed
        if key not in self._racers:
            # A racer keeps its intervals, which take a while: the same one whenever it serves.
            self._racers[key] = Racer(
                name=self.name,
                outcomes=tuple(self.outcomes[:n_seeds]),
                watched=self.watched[seed],
                is_compiled=self.is_compiled,
            )
        return self._racers[key]

    def _run(self, seed: int, readable: bool) -> Generator[float, None, tuple]:
        """Run a seed; return the trajectory, when it was solved, and the mean P_U over time."""
        if readable:
            return (yield from self._readable_run(seed))
        return (*self._compiled_run(seed), None)

    def _compiled_run(self, seed: int) -> tuple[Trajectory, int | None]:
        # The engine leaves an agent as it was made.
        agent = self._agent
        solved_at = None
        if self.rule is not None:
            watch = SuccessWatch(self.rule, agent)
            trajectory = engine.simulate(agent, self.env, self.steps, seed, until=watch)
            if not watch.solved:
                return trajectory, None
            solved_at = len(trajectory)
        # A run ends where it is watched and solved; the race goes on.
        return engine.simulate(agent, self.env, self.steps, seed), solved_at

    def _readable_run(self, seed: int) -> Generator[float, None, tuple]:
        agent = deepcopy(self._agent)
        plans = [] if self.has_uncertainty else None
        uncertainty = []
        watch = SuccessWatch(self.rule, agent) if self.rule is not None else None
        taken: list[Step] = []
        solved_at = None
        for step in simulation.run(agent, self.env, seed, plans):
            taken.append(step)
            if self.has_uncertainty:
                uncertainty.append(self._mean_uncertainty(plans.pop()))
            if watch is not None and solved_at is None and watch(step):
                solved_at = len(taken)
            if len(taken) == self.steps:
                break
            yield len(taken) / self.steps
        trajectory = Trajectory.from_steps(taken)
        if not self.has_uncertainty:
            return trajectory, solved_at, None
        uncertainty.append(self._mean_uncertainty(agent.current_plan))
        return trajectory, solved_at, np.array(uncertainty)

    def _mean_uncertainty(self, plan: Any) -> float:
        return float(plan.probability_of_uncertainty[self.reachable].mean())


class RaceMemory:
    """The lanes used last, so that only what has changed runs again."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[tuple, Lane] = OrderedDict()
        self._worlds: dict[tuple, tuple[TabularEnvironment, np.ndarray]] = {}

    def world(self, params: RaceParams) -> tuple[TabularEnvironment, np.ndarray]:
        """The world, and what an agent that knew it would have after 0 .. T steps."""
        key = params.world, params.size, params.stochastic, params.steps
        if key not in self._worlds:
            env = params.make_env()
            discount = paper_settings(world_variant(env), "EUBRL").discount
            self._worlds = {key: (env, find_optimum(env, discount, params.steps).returns)}
        return self._worlds[key]

    def lane(self, name: str, params: RaceParams) -> Lane:
        """The lane of an agent, with all that it has run already."""
        settings = params.settings_of(name)
        place = params.world, params.size, params.stochastic, params.steps
        key = (name, *place, *settings.items())
        if key not in self._lanes:
            env, _ = self.world(params)
            reachable = reachable_states(env)
            rule = success_rule(params, env)
            self._lanes[key] = Lane(name, settings, env, params.steps, rule, reachable)
        self._lanes.move_to_end(key)
        while len(self._lanes) > MOST_KEPT:
            self._lanes.popitem(last=False)
        return self._lanes[key]


def race(params: RaceParams, memory: RaceMemory) -> Generator[float | SoFar, None, RaceState]:
    """Run a race; once each agent has had a few seeds, there is something to look at.

    Each agent first runs `FIRST_SEEDS` seeds and the run that is watched; then the other seeds
    follow.

    Parameters
    ----------
    params : RaceParams
        The race.
    memory : RaceMemory
        What was run before.
    """
    env, optimum = memory.world(params)
    reasons = {name: why_not_here(name, params, env) for name in params.agents}
    absent = {name: reason for name, reason in reasons.items() if reason}
    names = [name for name in params.agents if name not in absent]
    if not names:
        words = "; ".join(f"{name}: {reason}" for name, reason in absent.items())
        raise ValueError(
            "agents must hold at least one that can live in this world"
            + (f" ({words})" if words else ", none is chosen")
        )
    lanes = [memory.lane(name, params) for name in names]

    def so_far() -> RaceState:
        return RaceState(
            params=params,
            env=env,
            times=shown_times(params.steps),
            optimum=optimum,
            racers=tuple(lane.racer(lane.n_seeds(params.seeds), params.seed) for lane in lanes),
            absent=absent,
            has_rule=success_rule(params, env) is not None,
        )

    for lane in lanes:
        yield from lane.make_agent()
    total = sum(lane.n_seeds(params.seeds) + 1 for lane in lanes)
    done = 0
    for fraction in _in_turns(lanes, FIRST_SEEDS, params):
        yield (done + fraction) / total
        done += int(fraction)
    yield SoFar(done / total, so_far, stage=1)
    for fraction in _in_turns(lanes, params.seeds, params):
        yield SoFar((done + fraction) / total, so_far, stage=1)
        done += int(fraction)
    return so_far()


def _in_turns(lanes: list[Lane], most: int, params: RaceParams) -> Generator[float, None, None]:
    """Run what is missing of so many seeds of each; yield the share of a run, 1 at its end."""
    for lane in lanes:
        while len(lane.outcomes) < min(most, lane.n_seeds(params.seeds)):
            yield from lane.add_outcome()
            yield 1
        if params.seed not in lane.watched:
            yield from lane.watch(params.seed)
            yield 1
