"""One agent in one world, step by step, from one seed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import gymnasium
import numpy as np

from eubrl_edu.agents.base import Agent
from eubrl_edu.validation import require_positive_int


class Step(NamedTuple):
    """One transition, as the agent has just observed it."""

    state: int
    action: int
    reward: float
    next_state: int
    terminated: bool
    episode_end: bool


@dataclass(frozen=True)
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
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    terminated: np.ndarray
    episode_ends: np.ndarray

    def __len__(self) -> int:
        return len(self.states)

    @classmethod
    def from_steps(cls, steps: list[Step]) -> "Trajectory":
        """Gather steps into arrays."""
        columns = list(zip(*steps, strict=True)) or [()] * len(Step._fields)
        states, actions, rewards, next_states, terminated, episode_ends = columns
        return cls(
            states=np.array(states, dtype=np.int64),
            actions=np.array(actions, dtype=np.int64),
            rewards=np.array(rewards, dtype=float),
            next_states=np.array(next_states, dtype=np.int64),
            terminated=np.array(terminated, dtype=bool),
            episode_ends=np.array(episode_ends, dtype=bool),
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
    """
    world_seed, agent_seed = np.random.SeedSequence(seed).spawn(2)
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


def simulate(
    agent: Agent,
    env: gymnasium.Env,
    steps: int,
    seed: int | None = None,
    until: Callable[[Step], bool] | None = None,
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

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        If ``steps`` is not a positive integer.
    """
    limit = require_positive_int("steps", steps)
    taken = []
    for step in run(agent, env, seed):
        taken.append(step)
        if len(taken) == limit or (until is not None and until(step)):
            break
    return Trajectory.from_steps(taken)
