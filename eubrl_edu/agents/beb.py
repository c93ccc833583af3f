"""BEB: the mean MDP with a bonus that falls with the count."""

import numpy as np

from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.validation import require_at_least


class BEB(MeanMDP):
    r"""Bayesian exploration bonus.

    .. math:: \tilde r(s,a) = r_b(s,a) + \frac{\eta}{1 + n(s,a) + \mathbf 1^\top\alpha}

    Kolter and Ng (2009); the paper, "Baselines". The bonus depends on the number of visits alone,
    whatever the posterior says.

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

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The posterior mean reward plus the bonus; terminal states have none."""
        transitions = self.belief.transitions
        bonus = self.eta / (1.0 + transitions.visits + transitions.prior_total)
        bonus[list(self.belief.terminal_states)] = 0.0
        return mean_reward + bonus
