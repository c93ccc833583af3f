"""BEETLE: an approximately Bayes-optimal plan for all beliefs, made before the first step."""

from functools import lru_cache
from math import comb

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.beetle_planning import TIMES, AlphaFunctions, iterate_values, sample_histories
from eubrl_edu.agents.beetle_polynomials import Monomials, UnknownDynamics
from eubrl_edu.agents.plan import Plan
from eubrl_edu.validation import (
    require_above,
    require_discount,
    require_finite,
    require_index,
    require_positive_int,
    shown,
)

# Γ(α + m) / Γ(α) comes from a difference of logarithms of 2e9 here, which has 7 digits left; at
# 1e15 it has none, and the equations of the values become singular.
LARGEST_ALPHA = 1e8
# Numbers in the largest arrays of `iterate_values`, a few of which are there at a time.
MOST_KEPT = 50_000_000
# Multiplications, where each belief has a plan of its own: minutes.
MOST_WORK = 250_000_000_000


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
    probabilities unknown it is not, there as here.

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
    dynamics: UnknownDynamics,
    alpha: float = 1.0,
    discount: float = 0.95,
    n_histories: int = 24,
    n_monomials: int = 100,
    iterations: int = 100,
    seed: int = 0,
) -> AlphaFunctions:
    """Sample what a learner may live through, and iterate the values of what it then believes.

    It knows nothing of the world but its dynamics' structure and rewards, so one plan serves all
    runs: those made last are remembered, and planning again with the same arguments is free. For
    Chain it takes seconds; the largest plan that is allowed, about five minutes and a gigabyte.

    Parameters
    ----------
    dynamics : UnknownDynamics
        Where outcomes lead, what they pay, and which probabilities are unknown.
    alpha : float
        Prior pseudo-count of every θ_j, above 0 and at most 1e8.
    discount : float
        γ in [0, 1).
    n_histories : int
        Histories to sample; each is looked at several times as it grows (`sample_histories`),
        and the beliefs found are the points of `iterate_values`.
    n_monomials : int
        How many of these, the shortest first, are taken as monomials.
    iterations : int
        Sweeps over all points, at most.
    seed : int
        Seed of the sampled histories.

    Returns
    -------
    AlphaFunctions

    Raises
    ------
    ValueError
        If an argument is outside its range, or beliefs² · unknowns may be above 50,000,000, or
        beliefs² · monomials · outcomes · iterations above 250,000,000,000.
    """
    if not isinstance(dynamics, UnknownDynamics):
        raise ValueError(f"dynamics must be UnknownDynamics, got {shown(dynamics)}")
    alpha, discount = _checked_alpha(alpha), require_discount(discount)
    sizes = (
        require_positive_int("n_histories", n_histories, at_most=1000),
        require_positive_int("n_monomials", n_monomials, at_most=10_000),
        require_positive_int("iterations", iterations, at_most=10_000),
    )
    seed = require_positive_int("seed", seed, at_least=0)
    _require_enough_time_and_memory(dynamics, *sizes)
    return _plan_offline(dynamics, alpha, discount, *sizes, seed)


def _require_enough_time_and_memory(
    dynamics: UnknownDynamics, n_histories: int, n_monomials: int, iterations: int
) -> None:
    """Raise ``ValueError`` if a plan could take more, were the histories as different as can be."""
    n_unknown, n_outcomes = dynamics.n_unknown, dynamics.rewards.size
    # Counts of θ_1 to θ_J that sum to t: so many can differ.
    beliefs = sum(min(n_histories, comb(time + n_unknown - 1, time)) for time in TIMES)
    monomials = min(n_monomials, beliefs)
    if beliefs**2 * n_unknown > MOST_KEPT:
        raise ValueError(
            f"n_histories must be smaller, got {n_histories}: beliefs² · unknowns must be at most "
            f"{MOST_KEPT:,} to fit into memory, and are up to {beliefs}² · {n_unknown} = "
            f"{beliefs**2 * n_unknown:,}"
        )
    work = beliefs**2 * monomials * n_outcomes * iterations
    if work > MOST_WORK:
        raise ValueError(
            f"n_histories, n_monomials or iterations must be smaller, got {n_histories}, "
            f"{n_monomials} and {iterations}: beliefs² · monomials · outcomes · iterations must be "
            f"at most {MOST_WORK:,} to be done in minutes, and are up to "
            f"{beliefs}² · {monomials} · {n_outcomes} · {iterations} = {work:,}"
        )


def _checked_alpha(alpha) -> float:
    alpha = require_above("alpha", alpha, 0)
    if alpha > LARGEST_ALPHA:
        raise ValueError(
            f"alpha must be at most {LARGEST_ALPHA:g} for BEETLE, got {alpha!r}: with a larger "
            "one, rounding decides what an observation says"
        )
    return alpha


@lru_cache(maxsize=8)
def _plan_offline(dynamics, alpha, discount, n_histories, n_monomials, iterations, seed):
    rng = np.random.default_rng(seed)
    prior = np.full(dynamics.n_unknown, alpha)
    histories = sample_histories(dynamics, prior, discount, n_histories, rng)
    monomials = Monomials(dynamics, histories[:n_monomials], prior)
    return iterate_values(monomials, prior + histories, discount, iterations)
