"""How many steps (or episodes) can be worse than ε-optimal: W, T0 and K0."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor

from eubrl_edu.theory.log_terms import LogTerms, problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import sample_complexity_lambda
from eubrl_edu.validation import require_at_least


@dataclass(frozen=True)
class SampleComplexityBound:
    """T0 (steps) or K0 (episodes), part by part.

    Attributes
    ----------
    leading : float
        The part with 1/ε².
    lower_order : float
        The part with S²A/ε.
    lambda_ : float
        The λ behind it, ε / (18 V↑).
    log_terms : LogTerms
    """

    leading: float
    lower_order: float
    lambda_: float
    log_terms: LogTerms = field(repr=False)

    @property
    def total(self) -> int:
        """The bound itself: the parts added up, rounded down."""
        return floor(self.leading + self.lower_order)

    @property
    def terms(self) -> dict[str, float]:
        """The parts by name; they add up to `total`, but for the rounding."""
        return {"leading": self.leading, "lower_order": self.lower_order}

    @property
    def dominant(self) -> str:
        """The name of the larger part."""
        return max(self.terms, key=self.terms.get)


@dataclass(frozen=True)
class BadStepsBound:
    """W(T) or W(K), part by part.

    Attributes
    ----------
    leading : float
        The part with 1/ε².
    lower_order : float
        The part with S²A/ε.
    overshoot : float
        The part with SA/ε, from stopping times and martingales.
    """

    leading: float
    lower_order: float
    overshoot: float

    @property
    def total(self) -> float:
        """W itself."""
        return self.leading + self.lower_order + self.overshoot


def sample_complexity_bound(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    epsilon: float,
    discount: float | None = None,
    horizon: int | None = None,
    r_max: float = 1.0,
) -> SampleComplexityBound:
    r"""Bound of the number of steps (episodes) that are not ε-optimal, with probability 1 − δ.

    .. math::
        T_0 = \left\lfloor \frac{3670R_{\max}^2SA\ell_1\ell_{5,\epsilon}}{\epsilon^2(1-\gamma)^3}
        + \frac{480R_{\max}S^2A(2\ell_1+\ell_{6,\epsilon})\ell_{5,\epsilon}}
               {\epsilon(1-\gamma)^2} \right\rfloor, \qquad
        K_0 = \left\lfloor \frac{6920R_{\max}^2H^2SA\ell_1\ell_{5,\epsilon}}{\epsilon^2}
        + \frac{960R_{\max}HS^2A(2\ell_1+\ell_{6,\epsilon})\ell_{5,\epsilon}}
               {\epsilon} \right\rfloor

    (the paper, "Sample Complexity", propositions on T0 and K0). K0 is printed with 480 in place of
    960; the proof that W(K0) < K0, as carried out for T0, gives twice the 480 of W(K).

    Parameters
    ----------
    n_states, n_actions, delta, discount, horizon, r_max
        See `Problem`.
    epsilon : float
        Accuracy ε in (0, V↑], in units of reward.

    Returns
    -------
    SampleComplexityBound

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    problem = Problem(n_states, n_actions, r_max, delta, discount, horizon)
    epsilon = problem.require_epsilon(epsilon)
    terms = problem_log_terms(problem, epsilon=epsilon)
    squared, linear = _scales(problem, epsilon)
    first, second = (3670, 480) if horizon is None else (6920, 960)
    return SampleComplexityBound(
        leading=first * squared * terms.l1 * terms.l5,
        lower_order=second * linear * n_states * (2 * terms.l1 + terms.l6) * terms.l5,
        lambda_=sample_complexity_lambda(problem, epsilon),
        log_terms=terms,
    )


def bad_steps_bound(problem: Problem, epsilon: float, count: float) -> BadStepsBound:
    r"""W: the number Γ of bad steps is at most W(Γ), which W(T0) < T0 turns into Γ < T0.

    .. math::
        W(T) = \frac{1780R_{\max}^2SA\ell_1\ell_{2,T}}{\epsilon^2(1-\gamma)^3}
        + \frac{240R_{\max}S^2A\ell_{2,T}\ell_{3,T}}{\epsilon(1-\gamma)^2}
        + \frac{52R_{\max}SA\ell_1}{\epsilon(1-\gamma)^2}

        W(K) = \frac{3456R_{\max}^2H^2SA\ell_1\ell_{2,K}}{\epsilon^2}
        + \frac{480R_{\max}HS^2A\ell_{2,K}\ell_{3,K}}{\epsilon}
        + \frac{24R_{\max}HSA\ell_1}{\epsilon}

    (the paper, "Sample Complexity", discounted and finite-horizon).

    Parameters
    ----------
    problem : Problem
    epsilon : float
        Accuracy ε in (0, V↑].
    count : float
        T or K, at least 1.

    Returns
    -------
    BadStepsBound

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    epsilon = problem.require_epsilon(epsilon)
    terms = problem_log_terms(problem, require_at_least("count", count, 1))
    squared, linear = _scales(problem, epsilon)
    first, second, third = (1780, 240, 52) if problem.horizon is None else (3456, 480, 24)
    return BadStepsBound(
        leading=first * squared * terms.l1 * terms.l2,
        lower_order=second * linear * problem.n_states * terms.l2 * terms.l3,
        overshoot=third * linear * terms.l1,
    )


def largest_consistent(bound: Callable[[float], float]) -> float:
    """The largest n ≥ 1 with n ≤ bound(n), for a bound that grows slower than n.

    It is what Γ ≤ W(Γ) says without the closed form T0, which is at least as large.

    Parameters
    ----------
    bound : callable
        Increasing and concave in n, above n at first.

    Returns
    -------
    float
    """
    high = 2.0
    while bound(high) >= high:
        high *= 2
    low = high / 2
    while high - low > 1e-15 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if bound(middle) >= middle else (low, middle)
    return low


def _scales(problem: Problem, epsilon: float) -> tuple[float, float]:
    """R²SA/(ε²(1 − γ)³) and R·SA/(ε(1 − γ)²); with a horizon H² and H in place of 1/(1 − γ)^k."""
    ratio, spread = problem.r_max / epsilon, problem.effective_horizon
    extra = spread if problem.horizon is None else 1.0
    pairs = problem.n_pairs
    return ratio**2 * pairs * spread**2 * extra, ratio * pairs * spread * extra
