"""Going back in time: a run that can be looked at again at each of its steps.

Keeping every plan of a long run would take far more memory than the run itself. A recording keeps
the transitions and, every so many steps, a checkpoint: a copy of the agent and of its random
generator. Any other moment is lived again from the checkpoint before it, with the recorded
transitions in place of the world: the agent then thinks, bit for bit, what it thought there.
"""

import threading
from copy import deepcopy
from dataclasses import dataclass

import gymnasium
import numpy as np

from eubrl_edu.agents.base import Agent
from eubrl_edu.simulation import require_agent_and_world, run
from eubrl_edu.trajectory import Step, Trajectory
from eubrl_edu.validation import require_index, require_positive_int, shown


@dataclass(frozen=True)
class Moment:
    """An agent at one moment of a run, with its next action chosen and not yet carried out.

    Attributes
    ----------
    time : int
        How many steps it has taken.
    state : int
        Where it is.
    action : int or None
        What it is about to do; None at the end of the run.
    agent : Agent
        A copy of it as it was then; ``agent.current_plan`` is what it acts on.
    """

    time: int
    state: int
    action: int | None
    agent: Agent


@dataclass(frozen=True)
class Recording:
    """A run of T steps with all its moments, 0 to T.

    Attributes
    ----------
    trajectory : Trajectory
        What happened.
    checkpoints : tuple of (Agent, numpy.random.Generator)
        Copies of both before the steps 0, ``spacing``, 2 ``spacing``, ...
    spacing : int
        Steps between two checkpoints.
    restarts : frozenset of int
        Times at which the world was reset and the agent was told so by `Agent.start_episode`.

    Raises
    ------
    ValueError
        If ``trajectory`` is none, there is no checkpoint, or ``spacing`` is not a number of steps.
    """

    trajectory: Trajectory
    checkpoints: tuple[tuple[Agent, np.random.Generator], ...]
    spacing: int
    restarts: frozenset[int]

    def __post_init__(self):
        if not isinstance(self.trajectory, Trajectory):
            raise ValueError(f"trajectory must be a Trajectory, got {shown(self.trajectory)}")
        some = isinstance(self.checkpoints, tuple) and len(self.checkpoints) > 0
        if not some or not all(map(_is_checkpoint, self.checkpoints)):
            raise ValueError(
                "checkpoints must be pairs of an Agent and a numpy random Generator, one or more, "
                f"in a tuple, got {shown(self.checkpoints)}"
            )
        require_positive_int("spacing", self.spacing)
        if not isinstance(self.restarts, frozenset | set):
            raise ValueError(f"restarts must be a set of times, got {shown(self.restarts)}")

    def __len__(self) -> int:
        return len(self.trajectory)

    def at(self, time: int) -> Moment:
        """Live again up to ``time`` from the checkpoint before it.

        Raises
        ------
        ValueError
            If ``time`` is not an integer from 0 to T.
        RuntimeError
            If the agent chooses differently this time, as it may where it draws on a source of
            randomness of its own.
        """
        time = require_index("time", time, len(self) + 1)
        nearest = min(time // self.spacing, len(self.checkpoints) - 1)
        agent, rng = deepcopy(self.checkpoints[nearest])
        for past in range(nearest * self.spacing, time):
            step = self.trajectory[past]
            self._check(past, agent.act(step.state, rng), step.action)
            agent.observe(step.state, step.action, step.reward, step.next_state, step.terminated)
            if past + 1 in self.restarts:
                agent.start_episode()
        if time == len(self):
            return Moment(time, self.trajectory[-1].next_state, None, agent)
        step = self.trajectory[time]
        self._check(time, agent.act(step.state, rng), step.action)
        return Moment(time, step.state, step.action, agent)

    @staticmethod
    def _check(time: int, chosen: int, recorded: int) -> None:
        if chosen != recorded:
            raise RuntimeError(
                f"the agent chose action {chosen} at time {time}, {recorded} when it was recorded: "
                "its choices must follow from its observations and from the generator it is given"
            )


class Recorder:
    """Runs an agent in a world, one step at a time, and can be stopped after any of them.

    Parameters
    ----------
    agent : Agent
        The agent; it learns on the way.
    env : gymnasium.Env
        A world with discrete states and actions.
    seed : int, optional
        Seed of everything random in the run, as in `simulate`.
    most_checkpoints : int
        How many checkpoints to keep. They stand closer the shorter the run, from one at each
        step on: when there are too many, every second one goes and the spacing doubles.

    Raises
    ------
    ValueError
        See `run`; or if ``most_checkpoints`` is out of its range, or `copy.deepcopy` cannot copy
        the agent (which `advance` tells where it comes about on the way).
    """

    def __init__(
        self, agent: Agent, env: gymnasium.Env, seed: int | None = None, most_checkpoints: int = 512
    ):
        require_agent_and_world(agent, env)
        _copied(agent, None)
        self._watched = _Watched(agent, require_positive_int("most_checkpoints", most_checkpoints))
        self._run = run(self._watched, env, seed)
        self._steps: list[Step] = []
        self._lock = threading.Lock()  # a Stop button may be heard on another thread

    def advance(self) -> Step:
        """Take one more step.

        Raises
        ------
        RuntimeError
            If the run ended before, at what was raised on the way.
        """
        with self._lock:
            step = next(self._run, None)
            if step is None:
                text = f"the run has ended after {len(self._steps)} steps, by what was raised then"
                raise RuntimeError(text)
            self._steps.append(step)
        return step

    def recording(self) -> Recording | None:
        """Return the run so far; None before the first step."""
        watched = self._watched
        with self._lock:
            if not self._steps:
                return None
            return Recording(
                Trajectory.from_steps(self._steps),
                tuple(watched.checkpoints),
                watched.spacing,
                frozenset(watched.restarts),
            )


class _Watched(Agent):
    """An agent that leaves copies of itself on its way."""

    def __init__(self, agent: Agent, most_checkpoints: int):
        self.agent = agent
        self.horizon = getattr(agent, "horizon", None)
        self.belief = getattr(agent, "belief", agent)  # by its sizes one sees whether it fits
        self.most_checkpoints = most_checkpoints
        self.spacing = 1
        self.time = 0
        self.checkpoints: list[tuple[Agent, np.random.Generator]] = []
        self.restarts: list[int] = []

    def act(self, state: int, rng: np.random.Generator) -> int:
        if self.time == len(self.checkpoints) * self.spacing:
            if len(self.checkpoints) == self.most_checkpoints:
                self.checkpoints, self.spacing = self.checkpoints[::2], 2 * self.spacing
            if self.time == len(self.checkpoints) * self.spacing:
                self.checkpoints.append(_copied(self.agent, rng))
        return self.agent.act(state, rng)

    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        self.agent.observe(state, action, reward, next_state, terminated)
        self.time += 1

    def start_episode(self) -> None:
        self.agent.start_episode()
        self.restarts.append(self.time)


def _is_checkpoint(value) -> bool:
    match value:
        case (Agent(), np.random.Generator()):
            return True
    return False


def _copied(
    agent: Agent, rng: np.random.Generator | None
) -> tuple[Agent, np.random.Generator | None]:
    """Both, copied together: the agent may hold the generator."""
    try:
        return deepcopy((agent, rng))
    except Exception as error:  # whatever a copy of what it holds may raise
        raise ValueError(
            f"agent must be one that copy.deepcopy can copy, got {shown(agent)}: {error}"
        ) from error
