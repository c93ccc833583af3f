"""VBRB: the mean MDP with the posterior's standard deviations as a bonus."""

import numpy as np

from eubrl_edu.agents.additive import AdditiveBonusAgent
from eubrl_edu.uncertainty import epistemic_uncertainty


class VBRB(AdditiveBonusAgent):
    r"""Variance-based reward bonus: the uncertainty of EUBRL, added instead of guiding.

    .. math:: \tilde r(s,a) = r_b(s,a) + \eta\left(\sigma_P(s,a) + \sigma_R(s,a)\right)
              = r_b + \eta\left(\sqrt{\mathcal E_T} + \sqrt{\mathcal E_R}\right)

    Sorg, Singh and Lewis (2010); the paper, "Baselines". Parameters: see `AdditiveBonusAgent`.
    """

    def bonus(self) -> np.ndarray:
        """η (σ_P + σ_R), which is the E_b of EUBRL."""
        return epistemic_uncertainty(
            self.predictive.transition_uncertainty, self.predictive.reward_uncertainty, self.eta
        )
