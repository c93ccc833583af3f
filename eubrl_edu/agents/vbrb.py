"""VBRB: the mean MDP with the posterior's standard deviations as a bonus."""

import numpy as np

from eubrl_edu.agents.additive import AdditiveBonusAgent
from eubrl_edu.uncertainty import epistemic_uncertainty


def deviation_bonus(transition_uncertainty, reward_uncertainty, eta):
    """η (σ_P + σ_R), which is the E_b of EUBRL."""
    return epistemic_uncertainty(transition_uncertainty, reward_uncertainty, eta)


class VBRB(AdditiveBonusAgent):
    r"""Variance-based reward bonus: the uncertainty of EUBRL, added instead of guiding.

    .. math:: \tilde r(s,a) = r_b(s,a) + \eta\left(\sigma_P(s,a) + \sigma_R(s,a)\right)
              = r_b + \eta\left(\sqrt{\mathcal E_T} + \sqrt{\mathcal E_R}\right)

    Sorg, Singh and Lewis (2010); the paper, "Baselines". Parameters: see `AdditiveBonusAgent`.
    """

    def bonus(self) -> np.ndarray:
        """η (σ_P + σ_R)."""
        predictive = self.predictive
        return deviation_bonus(
            predictive.transition_uncertainty, predictive.reward_uncertainty, self.eta
        )
