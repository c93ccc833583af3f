"""Mean-MDP: plan in the posterior mean as if it were the truth."""

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.beliefs.belief import Belief, require_belief
from eubrl_edu.uncertainty.predictive import PosteriorPredictive


class MeanMDP(PlanningAgent):
    """Acts greedily in the mean MDP (S, A, P_b, r_b, γ), with no bonus for exploring.

    The paper's preliminaries ("Bayesian RL"); a baseline that trails for want of exploration.

    Parameters
    ----------
    belief : Belief
        Belief over the world; the agent updates it as it observes.
    discount, horizon, plan_every
        See `PlanningAgent`.
    """

    def __init__(
        self,
        belief: Belief,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
    ):
        self.belief = require_belief(belief)
        super().__init__(discount, horizon, plan_every, belief.n_states * belief.n_actions)
        self.predictive = PosteriorPredictive(belief)

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Update the belief."""
        self.belief.update(state, action, reward, next_state)

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The reward planned with, (S, A), given r_b: no bonus here."""
        return mean_reward

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Solve the mean MDP of the current belief."""
        self.predictive.refresh()
        mean_reward = self.predictive.mean_reward.copy()
        model = self.predictive.mean_mdp(self.planning_reward(mean_reward))
        solution = self.solve(model)
        self.current_plan = Plan(model, mean_reward, solution.q, solution.v)
        return self.current_plan
