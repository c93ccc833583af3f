"""Agents that add a bonus for exploring to the reward that they believe in, or have averaged."""

from abc import abstractmethod

import numpy as np

from eubrl_edu.agents.base import PlanningAgent, table_from
from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.validation import require_at_least


class AddsBonus(PlanningAgent):
    """What the two kinds have in common."""

    @abstractmethod
    def bonus(self) -> np.ndarray:
        """The bonus of every pair, (S, A), η included; in terminal states it does not count."""

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The posterior mean reward, or the average one, plus the bonus."""
        ends = getattr(self, "belief", self).terminal_states
        return mean_reward + table_from(self.bonus, mean_reward.shape, ends)


class AdditiveBonusAgent(AddsBonus, MeanMDP):
    """Acts greedily in the mean MDP under r_b + η · bonus.

    Parameters
    ----------
    belief : Belief
        Belief over the world; the agent updates it as it observes.
    eta : float
        Scale η of the bonus, at least 0, in units of reward.
    discount, horizon, plan_every
        See `PlanningAgent`.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        belief: Belief,
        eta: float = 1.0,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
    ):
        super().__init__(belief, discount, horizon, plan_every)
        self.eta = require_at_least("eta", eta, 0)


class EmpiricalBonusAgent(AddsBonus, EmpiricalAgent):
    """The same without a prior: empirical frequencies, and average rewards plus the bonus.

    Parameters
    ----------
    n_states, n_actions, r_max, discount, horizon, plan_every, terminal_states
        See `EmpiricalAgent`.
    eta : float
        Scale η of the bonus, at least 0, in units of reward.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        eta: float = 1.0,
        r_max: float = 1.0,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
        terminal_states=(),
    ):
        super().__init__(n_states, n_actions, r_max, discount, horizon, plan_every, terminal_states)
        self.eta = require_at_least("eta", eta, 0)
