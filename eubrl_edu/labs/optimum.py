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

    A limit on the steps of an episode is left out: no optimal policy here lives to see it.

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
    every = np.arange(model.n_states)
    successors = model.successors[every, solution.policy]
    weights = model.weights[every, solution.policy]
    rewards = model.rewards[every, solution.policy]

    start = np.zeros(model.n_states)
    start[env.initial_states] = env.initial_probabilities
    ends = list(env.terminal_states)
    here, path = start, start > 0
    gains = np.empty(steps)
    for step in range(steps):
        gains[step] = here @ rewards
        flow = np.bincount(
            successors.ravel(), (here[:, None] * weights).ravel(), minlength=model.n_states
        )
        ended = flow[ends].sum()
        flow[ends] = 0.0
        here = flow + ended * start
        path = path | (here > 0)
    return Optimum(best_actions(solution.q), path, running_sum(gains))


def running_sum(rewards: np.ndarray) -> np.ndarray:
    """(T + 1,) array: the sum of the rewards after 0, 1, ..., T steps."""
    return np.concatenate([[0.0], np.cumsum(rewards)])
