"""What no algorithm can beat, and from where on the paper's bounds are of that order, or speak."""

from math import log, sqrt

from eubrl_edu.theory.bounds_regret import regret_bound
from eubrl_edu.theory.bounds_sample_complexity import around_the_end
from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.validation import require_at_least

LAST = 1e50  # beyond which no bound takes a duration


@of_a_problem
def regret_lower_bound(problem: Problem, duration: float) -> float:
    r"""The order of the regret that no algorithm avoids, without constant and logarithms.

    .. math:: \widetilde\Omega\left(\frac{\sqrt{SAT}}{(1-\gamma)^{1.5}}\right), \qquad
              \widetilde\Omega(H\sqrt{SAK})

    (the paper, "Metrics for Exploration"; the episodic one as the counterpart of its upper bound).

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    duration : float
        T or K.

    Returns
    -------
    float
        In units of reward.
    """
    duration = require_at_least("duration", duration, 1)
    power = 1.5 if problem.horizon is None else 1.0
    return problem.r_max * problem.effective_horizon**power * sqrt(problem.n_pairs * duration)


@of_a_problem
def sample_complexity_lower_bound(problem: Problem, epsilon: float) -> float:
    r"""The order of the number of bad steps that no algorithm avoids, without its constant.

    .. math:: \widetilde\Omega\left(\frac{SA}{\epsilon^2(1-\gamma)^3}\log\frac1\delta\right), \qquad
              \widetilde\Omega\left(\frac{H^2SA}{\epsilon^2}\log\frac1\delta\right)

    (the paper, "Metrics for Exploration"; the episodic one as the counterpart of its upper bound).

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    epsilon : float
        Accuracy ε in (0, V↑].

    Returns
    -------
    float
        Steps or episodes.
    """
    power = 3 if problem.horizon is None else 2
    ratio = problem.r_max / problem.require_epsilon(epsilon)
    certainty = abs(log(problem.delta))  # log(1/δ), to the last digit where δ is near 1
    return problem.n_pairs * ratio**2 * problem.effective_horizon**power * certainty


@of_a_problem
def regret_threshold(problem: Problem) -> float:
    r"""From this T (or K) on the √T part of the regret bound is of larger order than the other.

    .. math:: T \ge \frac{S^3A}{1-\gamma}, \qquad K \ge S^3A

    (the paper, "Frequentist Bounds"). Of larger order, not larger: logarithms and constants, 30
    against 168, move the crossing of the two explicit parts far beyond.

    Parameters
    ----------
    problem : Problem, or its fields as keywords

    Returns
    -------
    float
        Steps or episodes.
    """
    orders = problem.n_states**2 * problem.n_pairs
    return orders * problem.effective_horizon if problem.horizon is None else float(orders)


@of_a_problem
def sample_complexity_threshold(problem: Problem) -> float:
    r"""Up to this ε the 1/ε² part of the sample complexity is of larger order than the other.

    .. math:: \epsilon \le \frac{R_{\max}}{S(1-\gamma)}, \qquad \epsilon \le \frac{HR_{\max}}{S}

    (the paper, "Frequentist Bounds", for R_max = 1; it prints the range from 0 on, which ε cannot
    be).

    Parameters
    ----------
    problem : Problem, or its fields as keywords

    Returns
    -------
    float
        In units of reward.
    """
    return problem.v_max / problem.n_states


@of_a_problem
def first_informative_step(problem: Problem, replanning: str = "every step") -> float:
    """The least T from which `regret_bound` is below T V↑, the regret of one who learns nothing.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
        Discounted.
    replanning : {"every step", "doubling"}
        Which theorem, as of `regret_bound`.

    Returns
    -------
    float
        To nine digits; infinite if it is beyond 10^50.

    Raises
    ------
    ValueError
        If there is a horizon, or no such theorem.
    """
    problem.require_discounted("regret by the step")

    def says_something(steps: float) -> bool:
        bound = regret_bound(problem, steps=steps, replanning=replanning)
        return bound.total < bound.trivial

    if not says_something(LAST):
        return float("inf")
    return around_the_end(lambda steps: not says_something(steps), 1e-9)[1]


@of_a_problem
def first_informative_order(problem: Problem) -> float:
    r"""The same of the two orders of the bound, without constants and logarithms.

    .. math:: \frac{R_{\max}\sqrt{SAT}}{(1-\gamma)^{1.5}} + \frac{R_{\max}S^2A}{(1-\gamma)^2}
              = TV^\uparrow

    Parameters
    ----------
    problem : Problem, or its fields as keywords
        Discounted.

    Returns
    -------
    float
        T, at least 1.

    Raises
    ------
    ValueError
        If there is a horizon.
    """
    problem.require_discounted("regret by the step")
    spread, pairs = problem.effective_horizon, problem.n_pairs
    # In units of V↑, with x = √T: x² = √(SA/(1 − γ)) x + S²A/(1 − γ).
    linear, constant = sqrt(pairs * spread), problem.n_states * pairs * spread
    return max(1.0, ((linear + sqrt(linear**2 + 4 * constant)) / 2) ** 2)
