"""Where a world's steps can lead: which states an episode reaches, and how far a step goes."""

import gymnasium
import numpy as np


def reachable_states(env: gymnasium.Env, actions: np.ndarray | None = None) -> np.ndarray:
    """Where one may have to act in an episode by these actions, (S, A), or any: (S,) booleans."""
    model = env.model
    if model is None or env.initial_states is None:  # nobody knows
        reachable = np.ones(env.n_states, dtype=bool)
    else:
        reachable = np.zeros(env.n_states, dtype=bool)
        likely = (model.weights > 0) & (actions is None or actions[:, :, None])
        frontier = {int(state) for state in env.initial_states}
        steps = 0
        while frontier and steps != env.max_episode_steps:
            reachable[list(frontier)] = True
            ahead = {int(s) for state in frontier for s in model.successors[state][likely[state]]}
            frontier = {state for state in ahead if not reachable[state]}
            steps += 1
    reachable[list(env.terminal_states)] = False
    return reachable


def moves_further_than_one_step(env: gymnasium.Env) -> bool:
    """Whether a step may lead further than to the next state; False where nobody knows."""
    return env.model is not None and lead_further(env.model.successors, env.model.weights)


def lead_further(successors: np.ndarray, probabilities: np.ndarray) -> bool:
    """Whether any possible next state, of (S, A, K) arrays, is further away than the next one."""
    distance = np.abs(successors - np.arange(len(successors))[:, None, None])
    return bool((distance[probabilities > 0] > 1).any())
