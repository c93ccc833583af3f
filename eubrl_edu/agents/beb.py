"""BEB: the mean MDP with a bonus that falls with the count."""

import numpy as np

from eubrl_edu.agents.additive import AdditiveBonusAgent


def count_bonus(visits, prior_total, eta):
    """η / (1 + n + 1ᵀα)."""
    return eta / (1.0 + visits + prior_total)


class BEB(AdditiveBonusAgent):
    r"""Bayesian exploration bonus.

    .. math:: \tilde r(s,a) = r_b(s,a) + \frac{\eta}{1 + n(s,a) + \mathbf 1^\top\alpha}

    Kolter and Ng (2009); the paper, "Baselines". The bonus depends on the number of visits alone,
    whatever the posterior says. Parameters: see `AdditiveBonusAgent`.
    """

    def bonus(self) -> np.ndarray:
        """The bonus of each pair's count."""
        transitions = self.belief.transitions
        bonus = count_bonus(transitions.visits, transitions.prior_total, self.eta)
        bonus[list(self.belief.terminal_states)] = 0.0
        return bonus
