"""Conjugate posteriors over transitions and rewards."""

from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.beliefs.conjugate_rewards import (
    BetaBernoulliRewards,
    NormalGammaRewards,
    NormalRewards,
)
from eubrl_edu.beliefs.known_rewards import KnownRewards
from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.beliefs.transitions import (
    DirichletParameters,
    DirichletTransitions,
    TiedDirichletTransitions,
)

__all__ = [
    "Belief",
    "BetaBernoulliRewards",
    "DirichletParameters",
    "DirichletTransitions",
    "KnownRewards",
    "NormalGammaRewards",
    "NormalRewards",
    "RewardBelief",
    "TiedDirichletTransitions",
]
