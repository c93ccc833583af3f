"""From when on a regret bound says something: more than that no regret is above T V↑."""

from math import sqrt

from eubrl_edu.theory.bounds_regret import regret_bound
from eubrl_edu.theory.problem import Problem

LAST = 1e50  # beyond which no bound takes a duration


def first_informative_step(problem: Problem, replanning: str = "every step") -> float:
    """The least T from which `regret_bound` is below T V↑, the regret of one who learns nothing.

    Parameters
    ----------
    problem : Problem
        Discounted.
    replanning : {"every step", "doubling"}
        Which theorem, as of `regret_bound`.

    Returns
    -------
    float
        To nine digits; infinite if it is beyond 10^50.
    """

    def says_something(steps: float) -> bool:
        bound = regret_bound(
            n_states=problem.n_states,
            n_actions=problem.n_actions,
            r_max=problem.r_max,
            delta=problem.delta,
            discount=problem.discount,
            steps=steps,
            replanning=replanning,
        )
        return bound.total < bound.trivial

    if not says_something(LAST):
        return float("inf")
    low, high = 1.0, LAST
    while high > low * (1 + 1e-9):
        middle = sqrt(low) * sqrt(high)
        low, high = (low, middle) if says_something(middle) else (middle, high)
    return high


def first_informative_order(problem: Problem) -> float:
    r"""The same of the two orders of the bound, without constants and logarithms.

    .. math:: \frac{R_{\max}\sqrt{SAT}}{(1-\gamma)^{1.5}} + \frac{R_{\max}S^2A}{(1-\gamma)^2}
              = TV^\uparrow

    Parameters
    ----------
    problem : Problem
        Discounted.

    Returns
    -------
    float
        T, at least 1.
    """
    spread, pairs = problem.effective_horizon, problem.n_pairs
    # In units of V↑, with x = √T: x² = √(SA/(1 − γ)) x + S²A/(1 − γ).
    linear, constant = sqrt(pairs * spread), problem.n_states * pairs * spread
    return max(1.0, ((linear + sqrt(linear**2 + 4 * constant)) / 2) ** 2)
