"""EQO: average rewards plus a bonus that falls with the visits, values cut off at V↑."""

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution
from eubrl_edu.planning.capped import backward_induction_capped, solve_capped
from eubrl_edu.validation import require_at_least


def visit_bonus(visits, eta):
    """η / max(N, 1)."""
    return eta / np.maximum(visits, 1.0)


class EQO(EmpiricalAgent):
    r"""Exploration via quasi-optimism.

    .. math:: Q(s,a) = \min\left\{\hat r(s,a) + \frac{\eta}{N(s,a)} + \gamma\hat PV(s,a),\
              V^\uparrow\right\}, \qquad Q(s,a) = V^\uparrow \text{ where } N(s,a) = 0

    Lee and Oh (2025), "Minimax Optimal Reinforcement Learning with Quasi-Optimism", where problems
    are episodic and η is called c. Its theory takes c of the order V↑ log(SA/δ)/λ; in practice it
    is one tuned number.

    The bonus is that of `FrequentistEUBRL`, P_U η E = η/N with E = P_U = 1/√N. What EUBRL changes
    is the reward, which it weighs by 1 − P_U.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    eta : float
        Scale η of the bonus, at least 0, in units of reward.
    r_max : float
        R_max, the largest reward there can be.
    discount, horizon, plan_every
        See `PlanningAgent`. With a horizon the discount is 1.
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
        if horizon is not None:
            discount = 1.0
        super().__init__(n_states, n_actions, r_max, discount, horizon, plan_every, terminal_states)
        self.eta = require_at_least("eta", eta, 0)

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The average reward plus the bonus η / N(s, a)."""
        return mean_reward + visit_bonus(self.visits, self.eta)

    def solve(self, model: MDP) -> Solution:
        """Solve ``model`` with Q cut off at V↑, starting from the previous solution."""
        if self.horizon is not None:
            solution = backward_induction_capped(model, self.horizon, self.value_cap)
        else:
            solution = solve_capped(model, self.discount, self.value_cap, self._solution)
            self._solution = solution
        return solution._replace(q=np.minimum(solution.q, self.value_cap))
