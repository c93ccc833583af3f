"""The best way to act in a world: what the runs of the labs are measured against."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import greedy_actions, solve

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

    It plans as the agents of the labs do, within the episode and with their γ, only without a
    doubt. Where episodes are short, one that made haste to the next could earn more.

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
    model, limit = env.model, env.max_episode_steps
    solution = solve(model, discount)
    every, ends = np.arange(model.n_states), list(model.terminal_states)
    weights = model.weights[every, solution.policy]
    rewards = model.rewards[every, solution.policy]

    def places(rows: int) -> np.ndarray:
        """Where a step leads from each place of a table with a column for each state."""
        successors = model.successors[every, solution.policy]
        return (successors + model.n_states * np.arange(rows)[:, None, None]).ravel()

    def moved(here: np.ndarray, lead_to: np.ndarray) -> tuple[np.ndarray, float]:
        """Where it is after a step, and how likely the episode has ended."""
        there = np.bincount(lead_to, (here[:, :, None] * weights).ravel(), here.size)
        there = there.reshape(here.shape)
        ended = there[:, ends].sum()
        there[:, ends] = 0.0
        return there, ended

    start = np.zeros((1, model.n_states))
    start[0, env.initial_states] = env.initial_probabilities
    at_limit, lead_to = start, places(1)
    for _ in range(0 if limit is None or limit > steps else limit):
        at_limit, _ = moved(at_limit, lead_to)
    is_limited = limit is not None and limit <= steps and at_limit.sum() > SELDOM
    here = start
    if is_limited:  # by the steps taken in the episode
        here, lead_to = np.vstack([start, np.zeros((limit - 1, model.n_states))]), places(limit)
    gains, path = np.empty(steps), start[0] > 0
    for step in range(steps):
        gains[step] = (here @ rewards).sum()
        path = path | (here > 0).any(axis=0)
        here, ended = moved(here, lead_to)
        if is_limited:
            ended += here[-1].sum()
            here = np.roll(here, 1, axis=0)
            here[0] = 0.0
        here[0] += ended * start[0]
    return Optimum(best_actions(solution.q), path, running_sum(gains))


def running_sum(rewards: np.ndarray) -> np.ndarray:
    """(T + 1,) array: the sum of the rewards after 0, 1, ..., T steps."""
    return np.concatenate([[0.0], np.cumsum(rewards)])
