"""One agent in one world, step by step, from one seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import gymnasium
import numpy as np

from eubrl_edu.agents.base import Agent
from eubrl_edu.environments import world_from_gymnasium
from eubrl_edu.validation import require_positive_int

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

    @classmethod
    def from_steps(cls, steps: list[Step], plans: list | None = None) -> "Trajectory":
        """Gather steps into arrays, and the plans behind them if they were recorded."""
        columns = list(zip(*steps, strict=True)) or [()] * len(Step._fields)
        states, actions, rewards, next_states, terminated, episode_ends = columns
        return cls(
            states=np.array(states, dtype=np.int64),
            actions=np.array(actions, dtype=np.int64),
            rewards=np.array(rewards, dtype=float),
            next_states=np.array(next_states, dtype=np.int64),
            terminated=np.array(terminated, dtype=bool),
            episode_ends=np.array(episode_ends, dtype=bool),
            plans=None if plans is None else tuple(plans),
        )


def run(agent: Agent, env: gymnasium.Env, seed: int | None = None) -> Iterator[Step]:
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

    Yields
    ------
    Step

    Raises
    ------
    ValueError
        If the agent was made for a world of another size, or ``seed`` is not a natural number.
    """
    env = _as_known_to(agent, env)
    world_seed, agent_seed = seeds_of(seed)
    rng = np.random.default_rng(agent_seed)
    horizon = getattr(agent, "horizon", None)
    state, _ = env.reset(seed=int(world_seed.generate_state(1)[0]))
    agent.start_episode()
    in_episode = 0
    while True:
        action = agent.act(state, rng)
        next_state, reward, terminated, truncated, _ = env.step(action)
        agent.observe(state, action, reward, next_state, terminated)
        in_episode += 1
        episode_end = terminated or truncated or in_episode == horizon
        if episode_end and not terminated and in_episode != horizon:
            agent.start_episode()
        yield Step(state, action, reward, next_state, terminated, episode_end)
        state = next_state
        if episode_end:
            state, _ = env.reset()
            in_episode = 0


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
        If ``agent`` is no agent or ``env`` no world, the agent was made for a world of another
        size, ``steps`` or ``seed`` is out of its range, or plans are to be recorded in too large
        a run.
    """
    if not isinstance(agent, Agent) or not isinstance(env, gymnasium.Env):
        raise ValueError(
            "the agent (an eubrl_edu.agents.Agent) comes first, then the world (a gymnasium.Env), "
            f"got {type(agent).__name__} and {type(env).__name__}"
        )
    limit = require_positive_int("steps", steps)
    plans = None
    if record_plans:
        n_states, n_actions = int(env.observation_space.n), int(env.action_space.n)
        size = n_states * n_actions * limit
        if size > PLAN_LIMIT:
            raise ValueError(
                f"plans can be recorded up to {PLAN_LIMIT} states times actions times steps, got "
                f"{n_states} states times {n_actions} actions times {limit} steps = {size}"
            )
        agent = _PlanKeeper(agent)
        plans = agent.plans
    taken = []
    for step in run(agent, env, seed):
        taken.append(step)
        if len(taken) == limit or (until is not None and until(step)):
            break
    return Trajectory.from_steps(taken, plans)


class _PlanKeeper(Agent):
    """An agent as it is, of which every plan that it acts on is kept."""

    def __init__(self, agent: Agent):
        self.agent = agent
        self.horizon = getattr(agent, "horizon", None)
        self.plans: list = []

    def act(self, state: int, rng: np.random.Generator) -> int:
        action = self.agent.act(state, rng)
        self.plans.append(self.agent.current_plan)
        return action

    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        self.agent.observe(state, action, reward, next_state, terminated)

    def start_episode(self) -> None:
        self.agent.start_episode()
