"""What counts as solved in each of the paper's worlds (the paper, "Metrics")."""

import numpy as np

from eubrl_edu.environments.deepsea import DeepSea
from eubrl_edu.environments.lazychain import RIGHT, LazyChain
from eubrl_edu.environments.loop import Loop
from eubrl_edu.success import SuccessRule


def collected_optimal_reward(env: Loop) -> SuccessRule:
    """Loop: the optimal loop's reward has been collected 11 times."""
    return SuccessRule(optimal_reward=float(env.successor_rewards.max()))


def found_treasure(env: DeepSea) -> SuccessRule:
    """Deterministic DeepSea: the episode ended with ``right`` in the bottom-right cell."""
    corner = env.cell(env.size - 1, env.size - 1)
    return SuccessRule(last_pair=(corner, int(env.right_action[-1, -1])))


def right_on_diagonal(env: DeepSea) -> SuccessRule:
    """Stochastic DeepSea: the greedy policy takes ``right`` in every cell of the diagonal."""
    diagonal = np.arange(env.size)
    return SuccessRule(
        states=diagonal * env.size + diagonal, right_actions=env.right_action[diagonal, diagonal]
    )


def optimal_return(env: LazyChain) -> SuccessRule:
    """Deterministic LazyChain: the episode returned N, by walking straight to the right end."""
    return SuccessRule(episode_return=float(env.size))


def always_right(env: LazyChain) -> SuccessRule:
    """Stochastic LazyChain: the greedy policy goes right from the middle to the right end."""
    states = np.arange(env.size, 2 * env.size)
    return SuccessRule(states=states, right_actions=np.full(len(states), RIGHT))


def nearly_always_right(env: LazyChain) -> SuccessRule:
    """As `always_right`; 95 % of the states do if the episode ended at the right end."""
    strict = always_right(env)
    return SuccessRule(
        states=strict.states, right_actions=strict.right_actions, nearly_at=2 * env.size
    )
