"""PSRL: act optimally in an MDP drawn from the belief; and what agents that draw have in common."""

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.beliefs.belief import Belief, require_belief
from eubrl_edu.beliefs.sampling import require_drawable, sample_mdp
from eubrl_edu.validation import require_at_least, require_bool, require_generator


class SamplingAgent(PlanningAgent):
    """Acts greedily in what it has drawn from its belief, until it is due to draw anew.

    It draws at its next action, which brings a source of randomness (see ``_draw_due``).

    Parameters
    ----------
    belief : Belief
        Belief over the world; the agent updates it as it observes.
    discount, horizon, plan_every
        See `PlanningAgent`.
    """

    def __init__(
        self, belief: Belief, discount: float, horizon: int | None, plan_every: int | str = 1
    ):
        self.belief = require_belief(belief)
        super().__init__(discount, horizon, plan_every, belief.n_states * belief.n_actions)
        self._draw_due = True

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Update the belief."""
        self.belief.update(state, action, reward, next_state)

    def act(self, state: int, rng: np.random.Generator) -> int:
        """Choose a greedy action of the last plan, drawing a new one first when that is due."""
        if self._draw_due:
            self.plan(rng)
        return super().act(state, rng)


class PSRL(SamplingAgent):
    """Posterior sampling: draw P and r from the belief, act greedily until the next draw.

    Strens (2000); Osband, Russo and Van Roy (2013). The paper clips the Dirichlet parameters
    from below when drawing ("Hyperparameters").

    Parameters
    ----------
    belief, discount, horizon, plan_every
        See `SamplingAgent`.
    minimum_alpha : float
        Dirichlet parameters are raised to at least this when drawing.
    clip_visited : bool
        Whether parameters of visited pairs are raised too, as in the paper's experiments.

    Raises
    ------
    ValueError
        If an argument is outside its range, the belief has parameters of its own, or a drawn
        model would be too large to hold.
    """

    def __init__(
        self,
        belief: Belief,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
        minimum_alpha: float = 1e-3,
        clip_visited: bool = True,
    ):
        super().__init__(belief, discount, horizon, plan_every)
        self.minimum_alpha = require_at_least("minimum_alpha", minimum_alpha, 0)
        self.clip_visited = require_bool("clip_visited", clip_visited)
        require_drawable(belief, self.minimum_alpha)

    def renew(self) -> None:
        """Draw anew at the next action."""
        self._draw_due = True

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Draw an MDP from the belief and solve it.

        Raises
        ------
        ValueError
            If no random generator is given.
        """
        require_generator(rng)
        model = sample_mdp(self.belief, rng, self.minimum_alpha, self.clip_visited)
        solution = self.solve(model)
        self.current_plan = Plan(model, model.rewards, solution.q, solution.v)
        self._draw_due = False
        return self.current_plan
