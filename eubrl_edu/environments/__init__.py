"""The worlds. Each is a table, plays as a Gymnasium environment and knows its exact model.

They know nothing of agents. Importing this package also registers them with Gymnasium:
``gymnasium.make("eubrl_edu/DeepSea-v0", size=5)``.
"""

from eubrl_edu.environments.bandit import Bandit
from eubrl_edu.environments.chain import Chain
from eubrl_edu.environments.deepsea import DeepSea
from eubrl_edu.environments.from_gymnasium import GymnasiumWorld, world_from_gymnasium
from eubrl_edu.environments.lazychain import LazyChain
from eubrl_edu.environments.loop import Loop
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.registry import WORLDS, make_env, register_worlds
from eubrl_edu.environments.tabular import TabularEnvironment

__all__ = [
    "WORLDS",
    "Bandit",
    "Chain",
    "DeepSea",
    "GymnasiumWorld",
    "LazyChain",
    "Loop",
    "Outcome",
    "TabularEnvironment",
    "make_env",
    "world_from_gymnasium",
]

register_worlds()
