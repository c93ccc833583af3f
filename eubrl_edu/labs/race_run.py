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
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent, paper_settings
from eubrl_edu.experiments.agents import world_variant
from eubrl_edu.experiments.explored_run import find_optimum, reachable_states
from eubrl_edu.labs.race_state import (
    Outcome,
    RaceParams,
    Racer,
    RaceState,
    WatchedRun,
    coverage_over_time,
    running_sum,
    shown_times,
    success_rule,
    why_not_here,
)
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
        uncertainty = []
        if self.has_uncertainty:
            uncertainty.append(self._mean_uncertainty(deepcopy(agent).plan()))
        watch = SuccessWatch(self.rule, agent) if self.rule is not None else None
        taken: list[Step] = []
        solved_at = None
        for step in simulation.run(agent, self.env, seed):
            taken.append(step)
            if self.has_uncertainty:
                uncertainty.append(self._mean_uncertainty(agent.current_plan))
            if watch is not None and solved_at is None and watch(step):
                solved_at = len(taken)
            if len(taken) == self.steps:
                break
            yield len(taken) / self.steps
        trajectory = Trajectory.from_steps(taken)
        return trajectory, solved_at, np.array(uncertainty) if self.has_uncertainty else None

    def _mean_uncertainty(self, plan: Any) -> float:
        return float(plan.probability_of_uncertainty[self.reachable].mean())


class RaceMemory:
    """The lanes used last, so that only what has changed runs again."""

    def __init__(self) -> None:
        self._lanes: OrderedDict[tuple, Lane] = OrderedDict()
        self._worlds: dict[tuple, tuple[TabularEnvironment, np.ndarray]] = {}

    def world(self, params: RaceParams) -> tuple[TabularEnvironment, np.ndarray]:
        """The world, and what who knows it has after 0 .. T steps."""
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


class RaceRun(Generator):
    """A race under way: yields the fraction done, and can be looked at before it is finished.

    Each agent first runs `FIRST_SEEDS` seeds and the run that is watched; then the other seeds
    follow.

    Parameters
    ----------
    params : RaceParams
        The race.
    memory : RaceMemory
        What was run before.
    """

    def __init__(self, params: RaceParams, memory: RaceMemory) -> None:
        self.params = params
        self.memory = memory
        self.has_first = self.was_shown = False
        self._lanes: list[Lane] = []
        self._work = self._steps()

    def send(self, value: Any) -> float:
        """Take a step."""
        return next(self._work)

    def throw(self, *exception: Any) -> None:
        """Be ended: the runs that are done stay in the memory."""
        raise exception[0]

    def so_far(self) -> RaceState:
        """Return the race as it stands; possible once ``has_first``."""
        params = self.params
        return RaceState(
            params=params,
            env=self._env,
            times=shown_times(params.steps),
            optimum=self._optimum,
            racers=tuple(
                lane.racer(lane.n_seeds(params.seeds), params.seed) for lane in self._lanes
            ),
            absent=self._absent,
            has_rule=success_rule(params, self._env) is not None,
        )

    def _steps(self) -> Generator[float, None, RaceState]:
        params = self.params
        self._env, self._optimum = self.memory.world(params)
        reasons = {name: why_not_here(name, params, self._env) for name in params.agents}
        self._absent = {name: reason for name, reason in reasons.items() if reason}
        names = [name for name in params.agents if name not in self._absent]
        if not names:
            absent = "; ".join(f"{name}: {reason}" for name, reason in self._absent.items())
            raise ValueError(
                "agents must hold at least one that can live in this world"
                + (f" ({absent})" if absent else ", none is chosen")
            )
        self._lanes = [self.memory.lane(name, params) for name in names]

        for lane in self._lanes:
            yield from lane.make_agent()
        total = sum(lane.n_seeds(params.seeds) + 1 for lane in self._lanes)
        done = 0
        for most in (FIRST_SEEDS, params.seeds):
            for lane in self._lanes:
                while len(lane.outcomes) < min(most, lane.n_seeds(params.seeds)):
                    for fraction in lane.add_outcome():
                        yield (done + fraction) / total
                    yield (done := min(done + 1, total)) / total
                if params.seed not in lane.watched:
                    for fraction in lane.watch(params.seed):
                        yield (done + fraction) / total
                    yield (done := min(done + 1, total)) / total
            if not self.has_first:
                self.has_first = True
                yield done / total
        return self.so_far()
