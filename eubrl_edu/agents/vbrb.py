"""VBRB: the mean MDP with the posterior's standard deviations as a bonus."""

import numpy as np

from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.uncertainty import epistemic_uncertainty
from eubrl_edu.validation import require_at_least


class VBRB(MeanMDP):
    r"""Variance-based reward bonus: the uncertainty of EUBRL, added instead of guiding.

    .. math:: \tilde r(s,a) = r_b(s,a) + \eta\left(\sigma_P(s,a) + \sigma_R(s,a)\right)
              = r_b + \eta\left(\sqrt{\mathcal E_T} + \sqrt{\mathcal E_R}\right)

    Sorg, Singh and Lewis (2010); the paper, "Baselines".

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
        """The posterior mean reward plus the bonus."""
        return mean_reward + epistemic_uncertainty(
            self.predictive.transition_uncertainty, self.predictive.reward_uncertainty, self.eta
        )
