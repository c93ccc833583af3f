"""MBIE-EB: average rewards plus a bonus that falls with the square root of the visits."""

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.uncertainty import count_uncertainty
from eubrl_edu.validation import require_at_least


class MBIEEB(EmpiricalAgent):
    r"""Model-based interval estimation with an exploration bonus.

    .. math:: \tilde r(s,a) = \hat r(s,a) + \frac{\eta}{\sqrt{n(s,a)}}

    with empirical frequencies for the transitions; a pair without any visit is worth
    R_max / (1 − γ). Strehl and Littman (2008); the paper, "Baselines".

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    eta : float
        Scale η of the bonus, at least 0, in units of reward.
    r_max : float
        R_max, the largest reward there can be.
    discount, horizon, plan_every
        See `PlanningAgent`.
    terminal_states : iterable of int
        States known to end an episode.

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

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The average reward plus the bonus η / √n(s, a)."""
        return mean_reward + count_uncertainty(self.visits, self.eta)
