"""BEETLE: an approximately Bayes-optimal plan for all beliefs, made before the first step."""

from functools import lru_cache

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.beetle_planning import AlphaFunctions, iterate_values, sample_histories
from eubrl_edu.agents.beetle_polynomials import Monomials, UnknownDynamics
from eubrl_edu.agents.plan import Plan
from eubrl_edu.validation import (
    require_above,
    require_discount,
    require_finite,
    require_index,
    shown,
)

# Γ(α + m) / Γ(α) comes from a difference of logarithms of 2e9 here, which has 7 digits left; at
# 1e15 it has none, and the equations of the values become singular.
LARGEST_ALPHA = 1e8


class BEETLE(PlanningAgent):
    r"""Acts greedily by the value of states *and beliefs*, found by point-based value iteration.

    .. math:: a = \arg\max_a \sum_{s'} \Bigl( E_b[\theta_{s,a,s'}] \, r(s,a,s')
              + \gamma \max_{\alpha \in \Gamma_{s'}} E_b[\theta_{s,a,s'} \alpha(\theta)] \Bigr)

    Here θ are the unknown transition probabilities and α polynomials in them. What an observation
    would teach is part of the value, so exploring needs no bonus: it is traded off against
    earning as well as the α-functions are. All planning is done beforehand (`plan_offline`); a
    step only tracks the belief and looks one step ahead.

    Poupart, Vlassis, Hoey and Regan, "An analytic solution to discrete Bayesian reinforcement
    learning" (2006). Rewards are known. How good it is hangs on the projection: with Chain's slip
    probability as the only unknown it is nearly optimal, with all of Chain's 40 free
    probabilities unknown it is not, in that paper as here.

    Parameters
    ----------
    values : AlphaFunctions
        What `plan_offline` returned.

    Attributes
    ----------
    dirichlet : (J,) array
        Parameters of the belief over θ.

    Raises
    ------
    ValueError
        If ``values`` are no α-functions.
    """

    def __init__(self, values: AlphaFunctions):
        if not isinstance(values, AlphaFunctions):
            raise ValueError(f"values must be what plan_offline returns, got {shown(values)}")
        super().__init__(values.discount)
        self.values = values
        self.dynamics = values.monomials.dynamics
        self.dirichlet = values.monomials.prior.copy()

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count the transition; there is nothing to learn from the reward."""
        n_states, ends = len(self.dynamics.rewards), self.dynamics.terminal_states
        if require_index("state", state, n_states) in ends:
            raise ValueError(f"state must not be one of the terminal states {ends}, got {state}")
        require_finite("reward", reward)
        self.dirichlet[self.dynamics.unknown_behind(state, action, next_state)] += 1.0

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Look one step ahead from the current belief.

        The plan's ``model`` is the mean MDP; ``q`` is not its solution, but Q(s, a, b).
        """
        model = self.dynamics.mean_mdp(self.dirichlet)
        q = self.values.action_values(self.dirichlet)
        self.current_plan = Plan(model, model.rewards, q, q.max(axis=1))
        return self.current_plan


def plan_offline(
    dynamics: UnknownDynamics, alpha: float = 1.0, discount: float = 0.95
) -> AlphaFunctions:
    """Sample what a learner may live through, and iterate the values of what it then believes.

    It knows nothing of the world but its dynamics' structure and rewards, so one plan serves all
    runs: those made last are remembered, and planning again with the same arguments is free. For
    Chain it takes seconds; for the largest world that `make_agent` allows, minutes.

    Parameters
    ----------
    dynamics : UnknownDynamics
        Where outcomes lead, what they pay, and which probabilities are unknown.
    alpha : float
        Prior pseudo-count of every θ_j, above 0 and at most 1e8.
    discount : float
        γ in [0, 1).

    Returns
    -------
    AlphaFunctions

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    if not isinstance(dynamics, UnknownDynamics):
        raise ValueError(f"dynamics must be UnknownDynamics, got {shown(dynamics)}")
    alpha, discount = _checked_alpha(alpha), require_discount(discount)
    return _plan_offline(dynamics, alpha, discount)


def _checked_alpha(alpha) -> float:
    alpha = require_above("alpha", alpha, 0)
    if alpha > LARGEST_ALPHA:
        raise ValueError(
            f"alpha must be at most {LARGEST_ALPHA:g} for BEETLE, got {alpha!r}: with a larger "
            "one, rounding decides what an observation says"
        )
    return alpha


@lru_cache(maxsize=8)
def _plan_offline(dynamics, alpha, discount, n_histories=24, n_monomials=100, iterations=100):
    """The plan from so many sampled histories, the shortest as monomials, in so many sweeps."""
    rng = np.random.default_rng(0)
    prior = np.full(dynamics.n_unknown, alpha)
    histories = sample_histories(dynamics, prior, discount, n_histories, rng)
    monomials = Monomials(dynamics, histories[:n_monomials], prior)
    return iterate_values(monomials, prior + histories, discount, iterations)
