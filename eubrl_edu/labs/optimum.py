"""The best way to act in a world: what the runs of the labs are measured against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import greedy_actions, solve, solve_horizon

SELDOM = 1e-9  # a limit that is met less often changes no digit that is shown


@dataclass(frozen=True)
class Optimum:
    """The best way to act in a world, found by planning in its exact model.

    Attributes
    ----------
    actions : (S, A) boolean array
        Which actions are optimal.
    path : (S,) boolean array
        States in which an optimal policy acts when it starts where episodes start.
    returns : (T + 1,) array
        Its expected sum of rewards after 0, 1, ..., T steps, new episodes included.
    """

    actions: np.ndarray
    path: np.ndarray
    returns: np.ndarray


def best_actions(q: np.ndarray) -> np.ndarray:
    """The actions that tie for the best in each state, (S, A) booleans."""
    best = np.zeros(q.shape, dtype=bool)
    for state, row in enumerate(q):
        best[state, greedy_actions(row)] = True
    return best


def find_optimum(env: TabularEnvironment, discount: float, steps: int) -> Optimum:
    """Plan in the world's exact model, and follow the distribution over its states.

    Where the best policy may live to see the limit of an episode, ``returns`` are those of the
    best policy for episodes of that length.

    Parameters
    ----------
    env : TabularEnvironment
        The world.
    discount : float
        γ of the agent that is measured against it.
    steps : int
        T.

    Returns
    -------
    Optimum
    """
    model = env.model
    solution = solve(model, discount)
    start = np.zeros(model.n_states)
    start[env.initial_states] = env.initial_probabilities
    limit = env.max_episode_steps
    is_limited = limit is not None and limit <= steps
    if is_limited:
        first_episode = _places(model, solution.policy, start, np.zeros(model.n_states))
        is_limited = next(islice(first_episode, limit, None)).sum() > SELDOM

    rewards = model.rewards[np.arange(model.n_states), solution.policy]
    gains, path = [], start > 0
    lives = _places(model, solution.policy, start, start)
    for here in islice(lives, limit if is_limited else steps):
        gains.append(here @ rewards)
        path = path | (here > 0)
    if is_limited:
        gains = _gains_of_episodes(model, start, limit, steps)
    return Optimum(best_actions(solution.q), path, running_sum(gains))


def _places(
    model: MDP, policy: np.ndarray, start: np.ndarray, again: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield where a policy is before each step, (S,) probabilities; ``again`` follows an end."""
    every, ends = np.arange(model.n_states), list(model.terminal_states)
    successors, weights = model.successors[every, policy], model.weights[every, policy]
    here = start
    while True:
        yield here
        moved = (here[:, None] * weights).ravel()
        here = np.bincount(successors.ravel(), moved, minlength=model.n_states)
        ended = here[ends].sum()
        here[ends] = 0.0
        here = here + ended * again


def _gains_of_episodes(model: MDP, start: np.ndarray, limit: int, steps: int) -> np.ndarray:
    """(T,) array: expected rewards of the best policy for episodes of at most ``limit`` steps."""
    policy = solve_horizon(model, limit).policy
    every, ends = np.arange(model.n_states), list(model.terminal_states)
    successors, weights = model.successors[every, policy], model.weights[every, policy]
    rewards = model.rewards[every, policy]
    moments = model.n_states * np.arange(limit)[:, None, None]
    here = np.zeros((limit, model.n_states))  # by the steps taken in the episode
    here[0] = start
    gains = np.empty(steps)
    for step in range(steps):
        gains[step] = (here * rewards).sum()
        flow = np.bincount(
            (moments + successors).ravel(), (here[..., None] * weights).ravel(), here.size
        ).reshape(here.shape)
        ended = flow[:, ends].sum()
        flow[:, ends] = 0.0
        here[1:] = flow[:-1]
        here[0] = (ended + flow[-1].sum()) * start
    return gains


def running_sum(rewards: Sequence[float]) -> np.ndarray:
    """(T + 1,) array: the sum of the rewards after 0, 1, ..., T steps."""
    return np.concatenate([[0.0], np.cumsum(rewards)])
