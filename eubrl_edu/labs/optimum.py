"""The best way to act in a world: what the runs of the labs are measured against."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import greedy_actions, solve


@dataclass(frozen=True)
class Optimum:
    """The best way to act in a world, found by planning in its exact model.

    Attributes
    ----------
    actions : (S, A) boolean array
        Which actions are optimal.
    returns : (T + 1,) array
        Its expected sum of rewards after 0, 1, ..., T steps, new episodes included.
    """

    actions: np.ndarray
    returns: np.ndarray


def best_actions(q: np.ndarray) -> np.ndarray:
    """The actions that tie for the best in each state, (S, A) booleans."""
    best = np.zeros(q.shape, dtype=bool)
    for state, row in enumerate(q):
        best[state, greedy_actions(row)] = True
    return best


def find_optimum(env: TabularEnvironment, discount: float, steps: int) -> Optimum:
    """Plan in the world's exact model, and follow the distribution over its states.

    It plans as the agents of the labs do, within the episode and with their γ, and as theirs its
    ties are broken at random; only it has no doubt. Where episodes are short, one that made haste
    to the next could earn more.

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
    best = best_actions(solve(model, discount).q)
    policy = best / best.sum(axis=1, keepdims=True)
    weights = (policy[..., None] * model.weights).reshape(model.n_states, -1)
    rewards, ends = (policy * model.rewards).sum(axis=1), list(model.terminal_states)
    here = np.zeros(model.n_states)
    here[env.initial_states] = env.initial_probabilities

    # The first episode: what it pays at each step, and how likely it ends there.
    length = min(steps, env.max_episode_steps or steps)
    pays, ended = np.zeros(steps), np.zeros(steps)
    for step in range(length):
        pays[step] = here @ rewards
        moved = (here[:, None] * weights).ravel()
        here = np.bincount(model.successors.ravel(), moved, model.n_states)
        ended[step] = here[ends].sum()
        here[ends] = 0.0
    if length == env.max_episode_steps:
        ended[length - 1] += here.sum()
    return Optimum(best, running_sum(_with_new_episodes(pays, ended)))


def _with_new_episodes(pays: np.ndarray, ended: np.ndarray) -> np.ndarray:
    """(T,) array: what each step pays, where an episode that has ended is followed by the next."""
    if not ended.any():
        return pays
    gains = pays.copy()
    for step in range(1, len(gains)):
        gains[step] += ended[:step] @ gains[step - 1 :: -1]
    return gains


def running_sum(rewards: np.ndarray) -> np.ndarray:
    """(T + 1,) array: the sum of the rewards after 0, 1, ..., T steps."""
    return np.concatenate([[0.0], np.cumsum(rewards)])
