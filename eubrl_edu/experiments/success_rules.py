"""What counts as solved in each of the paper's worlds (the paper, "Metrics").

The name of a rule is part of what stored runs are found by: a rule that changes takes another.
"""

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


def only_right_on_diagonal(env: DeepSea) -> SuccessRule:
    """Stochastic DeepSea: ``right`` is strictly best in every cell of the diagonal."""
    diagonal = np.arange(env.size)
    return SuccessRule(
        states=diagonal * env.size + diagonal, right_actions=env.right_action[diagonal, diagonal]
    )


def optimal_return(env: LazyChain) -> SuccessRule:
    """Deterministic LazyChain: the episode returned N, by walking straight to the right end."""
    return SuccessRule(episode_return=float(env.size))


def only_right(env: LazyChain) -> SuccessRule:
    """Stochastic LazyChain: right is strictly best from the middle to the right end."""
    states = np.arange(env.size, 2 * env.size)
    return SuccessRule(states=states, right_actions=np.full(len(states), RIGHT))


def nearly_only_right(env: LazyChain) -> SuccessRule:
    """As `only_right`; 95% of the states do if the episode ended at the right end."""
    strict = only_right(env)
    return SuccessRule(
        states=strict.states, right_actions=strict.right_actions, nearly_at=2 * env.size
    )
