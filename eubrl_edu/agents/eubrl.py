"""EUBRL: the epistemic uncertainty of the belief directs exploration (the paper, Algorithm 1)."""

import numpy as np

from eubrl_edu.agents.base import table_from
from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.agents.plan import GuidedPlan
from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.names import require_choice
from eubrl_edu.uncertainty import (
    MEASURES,
    count_uncertainty,
    epistemic_uncertainty,
    epistemically_guided_reward,
    probability_of_uncertainty,
    reward_with_uncertainty_added,
)
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from eubrl_edu.validation import require_at_least, require_bool


class EUBRL(MeanMDP):
    r"""Acts greedily in the mean MDP under the epistemically guided reward.

    .. math:: r_b^{\text{EUBRL}}(s,a) = (1 - P_U(s,a))\, r_b(s,a) + P_U(s,a)\, \mathcal E_b(s,a),
              \qquad P_U = \frac{\mathcal E_b}{\mathcal E_{\max}}, \qquad
              \mathcal E_b = \eta\left(\sqrt{\mathcal E_T} + \sqrt{\mathcal E_R}\right)

    (the paper, "Methodology"). While a pair is uncertain its reward is its uncertainty; once it
    is known its reward is what was learned. E_max is the largest E_b of all plans so far. η
    cancels in P_U and acts through P_U · E_b.

    Parameters
    ----------
    belief : Belief
        Belief over the world; the agent updates it as it observes.
    eta : float
        Scaling factor η of the uncertainty, at least 0, in units of reward.
    discount, horizon, plan_every
        See `PlanningAgent`.
    uncertainty : {"variance", "mutual-information", "count"}
        Measure of E_T; ``"count"`` stands for E_b = η / √max(n, 1), without E_R.
    shrinkage : bool
        Whether r_b is weighted by 1 − P_U, as in the paper. Without it P_U E_b is added to r_b, as
        other bonuses are: see `eubrl_edu.reproduction.shrinkage` for what that changes.

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
        uncertainty: str = "variance",
        horizon: int | None = None,
        plan_every: int | str = 1,
        shrinkage: bool = True,
    ):
        super().__init__(belief, discount, horizon, plan_every)
        self.uncertainty = require_choice("uncertainty", uncertainty, MEASURES)
        if uncertainty == "mutual-information":
            self.predictive = PosteriorPredictive(belief, mutual_information=True)
        self.eta = require_at_least("eta", eta, 0)
        self.max_uncertainty = 0.0
        self.shrinkage = require_bool("shrinkage", shrinkage)

    def epistemic_uncertainty(self) -> np.ndarray:
        """E_b ≥ 0 of every pair, (S, A), as last refreshed; 0 in terminal states."""
        if self.uncertainty == "count":
            epistemic = count_uncertainty(self.belief.visits, self.eta)
            epistemic[list(self.belief.terminal_states)] = 0.0
            return epistemic
        return epistemic_uncertainty(
            self.predictive.transition_uncertainty, self.predictive.reward_uncertainty, self.eta
        )

    def plan(self, rng: np.random.Generator | None = None) -> GuidedPlan:
        """Solve the mean MDP of the current belief under the epistemically guided reward."""
        self.predictive.refresh()
        mean_reward = self.predictive.mean_reward.copy()

        ends = self.belief.terminal_states
        epistemic = table_from(self.epistemic_uncertainty, mean_reward.shape, ends, least=0.0)
        largest = epistemic.item(epistemic.argmax())
        self.max_uncertainty = max(self.max_uncertainty, largest)
        probability = probability_of_uncertainty(epistemic, self.max_uncertainty)
        reward = epistemically_guided_reward if self.shrinkage else reward_with_uncertainty_added
        guided = reward(mean_reward, epistemic, probability)

        model = self.predictive.mean_mdp(guided)
        solution = self.solve(model)
        self.current_plan = GuidedPlan(
            model,
            mean_reward,
            solution.q,
            solution.v,
            self.predictive.transition_uncertainty.copy(),
            self.predictive.reward_uncertainty.copy(),
            epistemic,
            self.max_uncertainty,
            probability,
        )
        return self.current_plan
