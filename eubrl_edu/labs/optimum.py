"""The best way to act in a world: what the runs of the labs are measured against."""

from dataclasses import dataclass

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
    every = np.arange(model.n_states)
    successors = model.successors[every, solution.policy]
    weights = model.weights[every, solution.policy]
    rewards = model.rewards[every, solution.policy]

    def flow_of(here: np.ndarray) -> np.ndarray:
        return np.bincount(
            successors.ravel(), (here[:, None] * weights).ravel(), minlength=model.n_states
        )

    start = np.zeros(model.n_states)
    start[env.initial_states] = env.initial_probabilities
    ends = list(env.terminal_states)
    here, path = start, start > 0
    gains = np.empty(steps)
    first, limit = start, env.max_episode_steps
    for step in range(steps):
        gains[step] = here @ rewards
        flow = flow_of(here)
        ended = flow[ends].sum()
        flow[ends] = 0.0
        here = flow + ended * start
        path = path | (here > 0)
        if limit is not None and step < limit:
            first = flow_of(first)
            first[ends] = 0.0
            if step + 1 == limit and first.sum() > SELDOM:
                gains = _gains_of_episodes(model, start, limit, steps)
                break
    return Optimum(best_actions(solution.q), path, running_sum(gains))


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


def running_sum(rewards: np.ndarray) -> np.ndarray:
    """(T + 1,) array: the sum of the rewards after 0, 1, ..., T steps."""
    return np.concatenate([[0.0], np.cumsum(rewards)])
