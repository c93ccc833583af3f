"""EUBRL without a prior: the instance that the paper's frequentist bounds are about."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution
from eubrl_edu.uncertainty import count_uncertainty, epistemically_guided_reward
from eubrl_edu.validation import require_above, require_at_least


def guided_by_count(mean_reward, visits, eta):
    """The guided reward with E = P_U = 1/√max(N, 1), and P_U."""
    probability = count_uncertainty(visits, 1.0)
    return epistemically_guided_reward(mean_reward, eta * probability, probability), probability


@dataclass(frozen=True, eq=False, repr=False)
class CountPlan(Plan):
    """The plan of `FrequentistEUBRL`; ``v`` is cut off at ``value_cap``, ``q`` is not.

    Attributes
    ----------
    epistemic_uncertainty : (S, A) array
        η_t E, with E = 1/√max(N, 1).
    max_uncertainty : float
        η_t E_max = η_t.
    probability_of_uncertainty : (S, A) array
        P_U = E / E_max.
    guided_reward : (S, A) array
        (1 − P_U) r̂ + P_U η_t E.
    value_cap : float
        V↑.
    """

    epistemic_uncertainty: np.ndarray
    max_uncertainty: float
    probability_of_uncertainty: np.ndarray
    guided_reward: np.ndarray
    value_cap: float


class FrequentistEUBRL(EmpiricalAgent):
    r"""EUBRL with visit counts as uncertainty and maximum likelihood as model.

    .. math:: r^t(s,a) = (1 - P_U)\,\hat r^t(s,a) + P_U\,\eta_t\,\mathcal E(s,a), \qquad
              \mathcal E = \frac{1}{\sqrt{N^t(s,a)}}, \quad
              P_U = \frac{\mathcal E}{\mathcal E_{\max}}

    (the paper, "Theoretical Analysis"). A pair without a visit has E = E_max = 1, and is planned
    with as if it led back to where it was taken. The analysis needs subjective values of at most
    V↑ (it sets the constant of V^t = O(V↑) to one), which its η does not give by itself: here
    V(s) = min{max_a Q(s, a), V↑}. Which action is greedy is decided before cutting off.

    Parameters
    ----------
    n_states, n_actions, terminal_states
        See `EmpiricalAgent`.
    eta : float or callable
        η, at least 0 and in units of reward; or η_t, as a function of the step t = 1, 2, ... that
        is about to be taken. ``eubrl_edu.theory.theoretical_eta`` computes the paper's.
    r_max : float
        R_max, the largest reward there can be, above 0.
    discount, horizon, plan_every
        See `PlanningAgent`. With a horizon the discount is 1, as in the paper.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    discounts_episodes = False

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        eta: float | Callable[[int], float],
        r_max: float = 1.0,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
        terminal_states=(),
    ):
        if not callable(eta):
            eta = require_at_least("eta, unless a function of the step t,", eta, 0)
        r_max = require_above("r_max, the largest reward there can be,", r_max, 0)
        super().__init__(n_states, n_actions, r_max, discount, horizon, plan_every, terminal_states)
        self.eta = eta

    def plan(self, rng: np.random.Generator | None = None) -> CountPlan:
        """Solve the empirical model under the epistemically guided reward."""
        eta, probability, guided = self.guide()
        model = self.empirical_model(guided)
        solution = self.solve(model)
        self.current_plan = CountPlan(
            model=model,
            mean_reward=self.mean_reward(),
            q=solution.q,
            v=solution.v,
            epistemic_uncertainty=eta * probability,
            max_uncertainty=eta,
            probability_of_uncertainty=probability,
            guided_reward=guided,
            value_cap=self.value_cap,
        )
        return self.current_plan

    def guide(self) -> tuple[float, np.ndarray, np.ndarray]:
        """η_t; and for every pair, (S, A), P_U and the guided reward."""
        eta = self.eta
        if callable(eta):
            eta = require_at_least("eta(t)", eta(self.n_observations + 1), 0)
        guided, probability = guided_by_count(self.mean_reward(), self.visits, eta)
        ends = list(self.terminal_states)
        guided[ends] = probability[ends] = 0.0
        return eta, probability, guided

    def optimistic_model(self) -> MDP:
        """The empirical model under the guided reward; a pair without a visit pays η."""
        return self.empirical_model(self.guide()[-1])

    def solve(self, model: MDP) -> Solution:
        """Solve ``model`` with its values cut off at V↑, starting from the previous solution."""
        return self.solve_capped(model)
