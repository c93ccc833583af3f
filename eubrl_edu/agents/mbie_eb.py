"""MBIE-EB: average rewards plus a bonus that falls with the square root of the visits."""

import numpy as np

from eubrl_edu.agents.additive import EmpiricalBonusAgent
from eubrl_edu.uncertainty import count_uncertainty


def interval_bonus(visits, eta):
    """η / √n."""
    return count_uncertainty(visits, eta)


class MBIEEB(EmpiricalBonusAgent):
    r"""Model-based interval estimation with an exploration bonus.

    .. math:: \tilde r(s,a) = \hat r(s,a) + \frac{\eta}{\sqrt{n(s,a)}}

    with empirical frequencies for the transitions; a pair without any visit is worth
    R_max / (1 − γ). Strehl and Littman (2008); the paper, "Baselines". Parameters: see
    `EmpiricalBonusAgent`.
    """

    def bonus(self) -> np.ndarray:
        """η / √n(s, a)."""
        return interval_bonus(self.visits, self.eta)
