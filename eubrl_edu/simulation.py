"""One agent in one world, step by step, from one seed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import gymnasium
import numpy as np

from eubrl_edu.agents.base import Agent
from eubrl_edu.environments.from_gymnasium import (
    require_answer,
    require_discrete,
    world_from_gymnasium,
)
from eubrl_edu.validation import (
    require_bool,
    require_finite,
    require_index,
    require_positive_int,
    require_steps,
    shown,
)

if TYPE_CHECKING:
    import pandas

# Plans are recorded up to this many states times actions times steps: 50 to 150 MB, and more only
# where an agent plans over a long horizon at every step.
PLAN_LIMIT = 500_000


class Step(NamedTuple):
    """One transition, as the agent has just observed it."""

    state: int
    action: int
    reward: float
    next_state: int
    terminated: bool
    episode_end: bool


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What happened in a run of T steps.

    Attributes
    ----------
    states, actions, next_states : (T,) integer arrays
        State before each step, action taken, state reached.
    rewards : (T,) array
        Reward of each step.
    terminated : (T,) boolean array
        Whether the step reached a terminal state.
    episode_ends : (T,) boolean array
        Whether the world was reset after the step, at a terminal state or a limit of steps.
    plans : tuple of T plans, or None
        What the agent acted on at each step, if it was recorded; one object where it stayed.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    terminated: np.ndarray
    episode_ends: np.ndarray
    plans: tuple | None = None

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, number: int) -> Step:
        """The step with this number, from 0, as the plain numbers that the agent observed."""
        return Step(*(getattr(self, name)[number].item() for name in COLUMNS))

    def __repr__(self) -> str:
        episodes = int(self.episode_ends.sum())
        plans = "" if self.plans is None else ", plans recorded"
        return (
            f"Trajectory({len(self):,} steps, {episodes:,} episodes ended, "
            f"return {self.rewards.sum():g}{plans})"
        )

    @property
    def episode_returns(self) -> np.ndarray:
        """The sum of the rewards of each episode; the last may have been cut short."""
        starts = np.flatnonzero(np.concatenate([[True], self.episode_ends[:-1]]))
        return np.add.reduceat(self.rewards, starts) if len(self) else np.empty(0)

    def to_frame(self) -> "pandas.DataFrame":
        """The steps as a table.

        Returns
        -------
        pandas.DataFrame
            A row for each step: ``episode`` (from 0), ``state action reward next_state terminated
            episode_end``.
        """
        import pandas

        columns = [getattr(self, name) for name in COLUMNS]
        frame = pandas.DataFrame(dict(zip(Step._fields, columns, strict=True)))
        before = frame.episode_end.cumsum() - frame.episode_end
        frame.insert(0, "episode", before.astype(np.int64))
        return frame

    @classmethod
    def from_steps(cls, steps: Iterable[Step], plans: list | None = None) -> "Trajectory":
        """Gather steps into arrays, and the plans behind them if they were recorded."""
        table = np.fromiter(steps, dtype=list(COLUMNS.items()))  # a list takes six times as much
        arrays = (table[name].copy() for name in COLUMNS)
        return cls(*arrays, plans=None if plans is None else tuple(plans))


# The first arrays of a `Trajectory`, each with its type: one for each field of a `Step`.
COLUMNS = {
    column.name: {int: np.int64, float: np.float64, bool: np.bool_}[kind]
    for column, kind in zip(fields(Trajectory), Step.__annotations__.values(), strict=False)
}


def run(
    agent: Agent, env: gymnasium.Env, seed: int | None = None, plans: list | None = None
) -> Iterator[Step]:
    """Let the agent live in the world, and yield every step: it never stops by itself.

    World and agent get separate children of one seed, so that different agents in the same
    world face the same luck. An episode ends where the world ends it, or after the agent's
    horizon.

    Parameters
    ----------
    agent : Agent
        The agent; it learns on the way.
    env : gymnasium.Env
        A world with discrete states and actions.
    seed : int, optional
        Seed of everything random in the run.
    plans : list, optional
        Takes the plan that the agent acts on, ``agent.current_plan``, at every step.

    Yields
    ------
    Step

    Raises
    ------
    ValueError
        If ``agent`` is no agent or ``env`` no world, the agent was made for a world of another
        size, or ``seed`` is not a natural number; on the way, if the world shows a state or pays a
        reward that is none, or the agent takes an action that is none.
    """
    require_agent_and_world(agent, env)
    return _live(agent, _as_known_to(agent, env), *seeds_of(seed), plans)


def _live(agent: Agent, env: gymnasium.Env, world_seed, agent_seed, plans) -> Iterator[Step]:
    rng = np.random.default_rng(agent_seed)
    horizon = getattr(agent, "horizon", None)
    states, actions = env.observation_space, env.action_space
    n_states, first_state = int(states.n), int(states.start)
    n_actions, first_action = int(actions.n), int(actions.start)

    def require_state(observation):
        return require_index("the world's observation", observation, n_states, first_state)

    begun = env.reset(seed=int(world_seed.generate_state(1)[0]))
    observation, _ = require_answer("the world's reset", begun, 2)
    state = require_state(observation)
    agent.start_episode()
    in_episode = 0
    while True:
        action = agent.act(state, rng)
        if plans is not None:
            plans.append(agent.current_plan)
        action = require_index("the agent's action", action, n_actions, first_action)
        answer = require_answer("the world's step", env.step(action), 5)
        observation, reward, terminated, truncated, _ = answer
        next_state = require_state(observation)
        reward = require_finite("the world's reward", reward)
        terminated = require_bool("the world's terminated", terminated)
        truncated = require_bool("the world's truncated", truncated)
        agent.observe(state, action, reward, next_state, terminated)
        in_episode += 1
        episode_end = terminated or truncated or in_episode == horizon
        if episode_end and not terminated and in_episode != horizon:
            agent.start_episode()
        yield Step(state, action, reward, next_state, terminated, episode_end)
        state = next_state
        if episode_end:
            observation, _ = require_answer("the world's reset", env.reset(), 2)
            state = require_state(observation)
            in_episode = 0


def require_agent_and_world(agent, env) -> None:
    """Raise ``ValueError`` unless an agent comes first, then a world with discrete spaces."""
    if not isinstance(agent, Agent) or not isinstance(env, gymnasium.Env):
        raise ValueError(
            "the agent (an eubrl_edu.agents.Agent) comes first, then the world (a gymnasium.Env), "
            f"got {type(agent).__name__} and {type(env).__name__}"
        )
    require_discrete(env)


def seeds_of(seed: int | None) -> list[np.random.SeedSequence]:
    """The seeds of the world and of the agent in the run with this seed."""
    if seed is not None:
        seed = require_positive_int("seed", seed, at_least=0)
    return np.random.SeedSequence(seed).spawn(2)


def _as_known_to(agent: Agent, env: gymnasium.Env) -> gymnasium.Env:
    """The environment itself, or seen as a world if it is a world's states that the agent counts.

    A world may have one terminal state more than the environment that it was made of.
    """
    reason = misfit(agent, env)
    if reason is None:
        return env
    world = world_from_gymnasium(env)
    if misfit(agent, world) is not None:
        raise ValueError(f"the agent must be made for its world: {reason}")
    return world


def misfit(agent: Agent, env: gymnasium.Env) -> str | None:
    """Say in what an agent's states or actions are not those of the world; None if they are.

    An agent knows its sizes by its belief or has them itself; what it does not have fits.
    """
    known = getattr(agent, "belief", agent)
    spaces = {"states": env.observation_space, "actions": env.action_space}
    for name, space in spaces.items():
        of_agent, of_world = getattr(known, f"n_{name}", None), getattr(space, "n", None)
        if of_agent not in (None, of_world):
            return f"it knows {of_agent} {name}, and the world has {of_world}"
    return None


def simulate(
    agent: Agent,
    env: gymnasium.Env,
    steps: int,
    seed: int | None = None,
    until: Callable[[Step], bool] | None = None,
    record_plans: bool = False,
) -> Trajectory:
    """Run the agent in the world and record what happened.

    Parameters
    ----------
    agent : Agent
        The agent; it has learned when this returns.
    env : gymnasium.Env
        A world with discrete states and actions.
    steps : int
        How many steps at most.
    seed : int, optional
        Seed of everything random in the run: the same seed, the same trajectory.
    until : callable, optional
        Called with every step; the run stops after the first for which it is true.
    record_plans : bool
        Whether to keep the plan that the agent acted on at each step, ``agent.current_plan``, as
        the theory needs it.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        See `run`; or if ``steps`` is out of its range, ``until`` cannot be called, or plans are to
        be recorded in too large a run or of an agent that has none.
    """
    limit = require_steps("steps", steps)
    if until is not None and not callable(until):
        raise ValueError(f"until must be a function, got {shown(until)}")
    require_agent_and_world(agent, env)
    plans = [] if require_bool("record_plans", record_plans) else None
    if record_plans:
        n_states, n_actions = int(env.observation_space.n), int(env.action_space.n)
        size = n_states * n_actions * limit
        if size > PLAN_LIMIT:
            raise ValueError(
                f"plans can be recorded up to {PLAN_LIMIT} states times actions times steps, got "
                f"{n_states} states times {n_actions} actions times {limit} steps = {size}"
            )
        if not hasattr(agent, "current_plan"):
            raise ValueError(f"record_plans must be False for {agent!r}, which has no current_plan")

    def lived() -> Iterator[Step]:
        for number, step in enumerate(run(agent, env, seed, plans), start=1):
            yield step
            if number == limit or (until is not None and until(step)):
                return

    return Trajectory.from_steps(lived(), plans)
