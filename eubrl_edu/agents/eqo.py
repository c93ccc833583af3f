"""EQO: average rewards plus a bonus that falls with the visits, values cut off at V↑."""

import numpy as np

from eubrl_edu.agents.additive import EmpiricalBonusAgent
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution


def visit_bonus(visits, eta):
    """η / max(N, 1)."""
    return eta / np.maximum(visits, 1.0)


class EQO(EmpiricalBonusAgent):
    r"""Exploration via quasi-optimism.

    .. math:: Q(s,a) = \min\left\{\hat r(s,a) + \frac{\eta}{N(s,a)} + \gamma\hat PV(s,a),\
              V^\uparrow\right\}, \qquad Q(s,a) = V^\uparrow \text{ where } N(s,a) = 0

    Lee and Oh (2025), "Minimax Optimal Reinforcement Learning with Quasi-Optimism", where problems
    are episodic and η is called c. Its theory takes c of the order V↑ log(SA/δ)/λ; in practice it
    is one tuned number.

    The bonus is that of `FrequentistEUBRL`, P_U η E = η/N with E = P_U = 1/√N. What EUBRL changes
    is the reward, which it weights by 1 − P_U. Both cut values off at V↑: this agent every Q, the
    other V only, so that its greedy action is that of the Q before. `EUBRL` cuts nothing off, even
    with ``uncertainty="count"``.

    Parameters: see `EmpiricalBonusAgent`. With a horizon the discount is 1.
    """

    discounts_episodes = False

    def bonus(self) -> np.ndarray:
        """η / N(s, a)."""
        return visit_bonus(self.visits, self.eta)

    def solve(self, model: MDP) -> Solution:
        """Solve ``model`` with Q cut off at V↑, starting from the previous solution."""
        solution = self.solve_capped(model)
        return solution._replace(q=np.minimum(solution.q, self.value_cap))
