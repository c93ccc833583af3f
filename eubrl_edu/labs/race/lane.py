"""One agent of a race: its runs so far, compiled or in the readable loop."""

from collections.abc import Callable, Generator
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from eubrl_edu import engine, simulation
from eubrl_edu.agents import PlanningAgent
from eubrl_edu.agents.base import Agent
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments.agents import require_new
from eubrl_edu.labs.optimum import running_sum
from eubrl_edu.labs.own import RAISED, OwnCodeFailed, copy_of
from eubrl_edu.labs.race.scene import Outcome, Racer, WatchedRun, coverage_over_time, shown_times
from eubrl_edu.labs.slices import elsewhere
from eubrl_edu.success import SuccessRule, SuccessWatch
from eubrl_edu.trajectory import Step, Trajectory

# An agent that plans and has no compiled twin, or is one's own, takes up to seconds for a run.
MOST_UNCOMPILED_SEEDS = 20


@dataclass
class Lane:
    """The runs so far of one agent in one world: what it has done is not done again.

    Where world or agent is one's own, its runs are lived in the readable loop, each by an agent
    made anew, and what is raised on the way ends this lane only: ``failure`` says it.
    """

    name: str
    make: Callable[[TabularEnvironment], Agent]
    is_own: bool
    env: TabularEnvironment
    steps: int
    rule: SuccessRule | None
    reachable: np.ndarray
    by_seed: dict[int, Outcome] = field(default_factory=dict)
    watched: dict[int, WatchedRun] = field(default_factory=dict)
    failure: str | None = None

    def __post_init__(self):
        self._racers: dict[tuple[int, int], Racer] = {}
        self._agent: Agent | None = None

    def make_agent(self) -> Generator[float, None, None]:
        """Make the agent that starts every run; one that plans before may take a while."""
        if self._agent is not None:
            return
        if self.is_own:
            agent = self._make_own()
        else:
            agent = yield from elsewhere(0.0, self.make, self.env)
        self.is_planning = isinstance(agent, PlanningAgent)
        compiled = self.is_planning and not self.is_own
        self.is_compiled = compiled and engine.why_not(agent, self.env) is None
        self._agent = agent

    def _make_own(self) -> Agent:
        try:
            agent = self.make(self.env)
            require_new(self.name, agent, self.make(self.env))
            if self.rule is not None:
                SuccessWatch(self.rule, agent)
        except RAISED as error:
            raise OwnCodeFailed("when it was made", error) from error
        return agent

    def n_seeds(self, asked: int) -> int:
        """How many of the seeds asked for are run."""
        quick = self.is_compiled or not (self.is_planning or self.is_own)
        return asked if quick else min(asked, MOST_UNCOMPILED_SEEDS)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What has come of the seeds 0, 1, 2, ... so far."""
        return tuple(self.by_seed.values())

    def lacks(self, asked: int) -> bool:
        """Whether some of the seeds asked for have still to be run."""
        return len(self.by_seed) < self.n_seeds(asked)

    def add_outcome(self) -> Generator[float, None, None]:
        """Run the next seed; another thread may be about to end the same."""
        seed = len(self.by_seed)
        trajectory, solved_at = yield from self._run(seed)
        returns = running_sum(trajectory.rewards)[shown_times(self.steps)]
        self.by_seed.setdefault(seed, Outcome(returns, solved_at))

    def watch(self, seed: int) -> Generator[float, None, None]:
        """Run a seed, and keep all its steps."""
        trajectory, solved_at = yield from self._run(seed)
        coverage = coverage_over_time(
            trajectory.states, trajectory.actions, self.reachable, self.env.n_actions
        )
        self.watched[seed] = WatchedRun(running_sum(trajectory.rewards), coverage, solved_at)

    def racer(self, n_seeds: int, seed: int) -> Racer:
        """What the lane has by now, up to ``n_seeds`` seeds, and the run that is watched."""
        outcomes = self.outcomes[:n_seeds]
        key = len(outcomes), seed
        if key not in self._racers:
            # A racer keeps its intervals, which take a while: the same one whenever it serves.
            self._racers[key] = Racer(self.name, outcomes, self.watched[seed])
        return self._racers[key]

    def _run(self, seed: int) -> Generator[float, None, tuple[Trajectory, int | None]]:
        """Run a seed; return the trajectory, and when it was solved."""
        if self.is_compiled:
            return self._compiled_run(seed)
        taken: list[Step] = []
        try:
            return (yield from self._readable_run(seed, taken))
        except RAISED as error:
            if not self.is_own:
                raise
            raise OwnCodeFailed(f"at seed {seed}, step {len(taken) + 1}", error) from error

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

    def _readable_run(
        self, seed: int, taken: list[Step]
    ) -> Generator[float, None, tuple[Trajectory, int | None]]:
        # A world that another thread, or a film, does not move meanwhile; if it can be copied.
        env = copy_of(self.env)
        agent = self.make(env) if self.is_own else deepcopy(self._agent)
        watch = SuccessWatch(self.rule, agent) if self.rule is not None else None
        solved_at = None
        for step in simulation.run(agent, env, seed):
            taken.append(step)
            if watch is not None and solved_at is None and watch(step):
                solved_at = len(taken)
            if len(taken) == self.steps:
                break
            yield len(taken) / self.steps
        return Trajectory.from_steps(taken), solved_at
