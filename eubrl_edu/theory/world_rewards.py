"""Rewards in [0, R_max], as the theory takes them: whether a world has them, or a map to them."""

from dataclasses import dataclass, replace

import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.mdp import MDP
from eubrl_edu.validation import require_above, require_bool, shown


@dataclass(frozen=True)
class RewardMap:
    """The map r ↦ (r − shift) / scale from a world's rewards to those of the theory.

    Attributes
    ----------
    shift, scale : float
        0 and 1 where the rewards stay as they are.
    r_max : float
        R_max after the map.
    note : str
        What was done, in words; empty if nothing was.
    """

    shift: float
    scale: float
    r_max: float
    note: str = ""

    def rewards(self, rewards):
        """Map rewards of a single step."""
        return (rewards - self.shift) / self.scale

    def values(self, values, discount: float):
        """Map discounted sums of rewards over an infinite time."""
        return (values - self.shift / (1 - discount)) / self.scale

    def original(self, rewards):
        """Map rewards of a single step back."""
        return rewards * self.scale + self.shift

    def episode_values(self, values: np.ndarray) -> np.ndarray:
        """Map sums of rewards to the end of an episode, (H + 1, S): row h has H − h steps left."""
        left = np.arange(len(values))[::-1, None]
        return (values - self.shift * left) / self.scale

    def mdp(self, mdp: MDP) -> MDP:
        """Map the rewards of an MDP, those of absorbing states included."""
        if self.shift == 0 and self.scale == 1:
            return mdp
        # Where it ends, too, every step now pays: to the theory these are states as all others.
        return replace(mdp, rewards=self.rewards(mdp.rewards), terminal_states=())


def reward_map(env, r_max: float | None = None, rescale: bool = False) -> RewardMap:
    """What makes the rewards of a world lie in [0, R_max], as the paper's "Preliminary" assumes.

    Where every reward is shifted by the same amount, in terminal states too, every discounted
    value shifts by the same amount, so that policies compare as before; differences of values are
    divided by the scale.

    Parameters
    ----------
    env : TabularEnvironment
        The world.
    r_max : float, optional
        R_max; by default the largest reward that the world pays.
    rescale : bool
        Whether to shift and scale the rewards of a world into [0, 1] instead of refusing it.

    Returns
    -------
    RewardMap

    Raises
    ------
    ValueError
        If the rewards do not lie in [0, R_max] and are not to be rescaled, or are and ``r_max``
        is given.
    """
    lowest, highest = reward_range(env)  # what is no world is refused as that
    if not require_bool("rescale", rescale):
        try:
            return RewardMap(0.0, 1.0, require_rewards_in_range(env, r_max))
        except ValueError as error:
            raise ValueError(
                f"{error}: rescale=True shifts and scales their means into [0, 1]"
            ) from None
    if r_max is not None:
        raise ValueError(
            f"r_max must be left out with rescale=True, which makes it 1, got {shown(r_max)}"
        )
    lowest = min(lowest, 0.0)  # what is above 0 need not be shifted, only scaled
    scale = highest - lowest if highest > lowest else 1.0
    note = f"rewards from [{lowest:g}, {highest:g}] were mapped to [0, 1]"
    if _is_noisy(env):
        note += "; their Gaussian noise has no bound, so nothing of the theory is guaranteed"
    return RewardMap(lowest, scale, 1.0, note)


def require_rewards_in_range(env, r_max: float | None = None) -> float:
    """Return R_max, or raise ``ValueError`` if a world's rewards do not lie in [0, R_max].

    Parameters
    ----------
    env : TabularEnvironment
        The world.
    r_max : float, optional
        R_max; by default the largest reward that the world pays.

    Returns
    -------
    float
    """
    lowest, highest = reward_range(env)
    top = (highest or 1.0) if r_max is None else require_above("r_max", r_max, 0)
    if lowest < 0 or highest > top:
        raise ValueError(
            f"the theory assumes rewards in [0, R_max = {max(top, 0):g}], but this world pays from "
            f"{lowest:g} to {highest:g}; no reward may be below 0 or above r_max"
        )
    if _is_noisy(env):
        raise ValueError(
            "the theory assumes rewards in [0, R_max], but this world's have Gaussian noise, which "
            "has no bound"
        )
    return top


def reward_range(env) -> tuple[float, float]:
    """The least and the largest mean reward; terminal states pay 0.

    Parameters
    ----------
    env : TabularEnvironment
        The world.

    Returns
    -------
    lowest, highest : float
    """
    rewards = require_table(env).outcome_rewards[env.outcome_probabilities > 0]
    lowest, highest = float(rewards.min()), float(rewards.max())
    if env.terminal_states:
        return min(lowest, 0.0), max(highest, 0.0)
    return lowest, highest


def require_table(env) -> TabularEnvironment:
    """Return ``env`` if it is a world that is a table, or raise ``ValueError``."""
    if not isinstance(env, TabularEnvironment):
        raise ValueError(
            f"env must be an eubrl_edu.environments.TabularEnvironment, got {shown(env)}"
        )
    return env


def _is_noisy(env) -> bool:
    """Whether there is normal noise around a mean reward."""
    return bool((env.reward_deviations[env.outcome_probabilities > 0] > 0).any())
