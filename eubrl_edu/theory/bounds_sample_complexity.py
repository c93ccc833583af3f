"""How many steps (or episodes) can be worse than ε-optimal: W, T0 and K0."""

from collections.abc import Callable

from eubrl_edu.theory.bound_parts import BadStepsBound, SampleComplexityBound
from eubrl_edu.theory.bounds_doubling import (
    doubling_error_sum,
    doubling_lambda,
    lasting_error_sum,
    require_replanning,
)
from eubrl_edu.theory.log_terms import LogTerms, problem_log_terms
from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.theory.schedules import sample_complexity_lambda
from eubrl_edu.validation import LARGEST, require_at_least, require_finite, shown


@of_a_problem
def sample_complexity_bound(
    problem: Problem, *, epsilon: float, replanning: str = "every step", steps: float | None = None
) -> SampleComplexityBound:
    r"""Bound of the number of steps (episodes) that are not ε-optimal, with probability 1 − δ.

    This is what the paper states. For a discounted agent that plans at every step, as the paper
    has it, some steps of the proof are open (`eubrl_edu.errata.ERRATA`, the gaps). With
    ``replanning="doubling"`` it is what is proved for an agent that plans anew only when a count
    has more than doubled: how many of the first T steps are bad, or of all if T is left out.

    .. math::
        T_0 = \left\lfloor \frac{3670R_{\max}^2SA\ell_1\ell_{5,\epsilon}}{\epsilon^2(1-\gamma)^3}
        + \frac{480R_{\max}S^2A(2\ell_1+\ell_{6,\epsilon})\ell_{5,\epsilon}}
               {\epsilon(1-\gamma)^2} \right\rfloor, \qquad
        K_0 = \left\lfloor \frac{6920R_{\max}^2H^2SA\ell_1\ell_{5,\epsilon}}{\epsilon^2}
        + \frac{960R_{\max}HS^2A(2\ell_1+\ell_{6,\epsilon})\ell_{5,\epsilon}}
               {\epsilon} \right\rfloor

    (the paper, "Sample Complexity", propositions on T0 and K0). K0 is printed with 480 in place of
    960; the proof that W(K0) < K0, as carried out for T0, gives twice the 480 of W(K).

    Doubling: the largest Γ with Γ ≤ (2/ε) Σ_Γ J, J summed as in `doubling_error_sum` with λ =
    2ε/(15V↑). With T it contains log T, as that many plans are made; without T it is about twice
    as large, and holds for ever (``DOUBLING.md``, beside this file, step 11). The agent's η is that
    of `schedule` for this λ, the bound's ``lambda_``; `theoretical_eta` has the paper's.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    epsilon : float
        Accuracy ε in (0, V↑], in units of reward.
    replanning : {"every step", "doubling"}
        As of `regret_bound`.
    steps : float, optional
        T, for ``replanning="doubling"`` only; all steps there will ever be if left out.

    Returns
    -------
    SampleComplexityBound

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    epsilon = problem.require_epsilon(epsilon)
    terms = problem_log_terms(problem, epsilon=epsilon)
    if require_replanning(replanning, problem):
        if steps is None:
            return _lasting_bound(problem, epsilon, terms)
        return _doubling_bound(problem, epsilon, problem.require_duration(steps, None), terms)
    if steps is not None:
        raise ValueError(
            "the paper's bound is for any number of steps: give steps with replanning='doubling' "
            f"only, got steps={shown(steps)}"
        )
    squared, linear = _scales(problem, epsilon)
    first, second = (3670, 480) if problem.horizon is None else (6920, 960)
    return SampleComplexityBound(
        leading=first * squared * terms.l1 * terms.l5,
        lower_order=second * linear * problem.n_states * (2 * terms.l1 + terms.l6) * terms.l5,
        lambda_=sample_complexity_lambda(problem, epsilon),
        log_terms=terms,
    )


def _doubling_bound(
    problem: Problem, epsilon: float, steps: float, terms: LogTerms
) -> SampleComplexityBound:
    """The second theorem of ``DOUBLING.md``: the largest Γ with Γ ≤ (2/ε) Σ_Γ J."""
    lambda_ = doubling_lambda(problem, epsilon)

    def parts(count: float) -> dict[str, float]:
        found = doubling_error_sum(problem, count, steps, lambda_)
        return {name: 2 / epsilon * part for name, part in found.items()}

    most = largest_for(epsilon, lambda count: sum(parts(count).values()))
    at = parts(min(steps, most))
    return SampleComplexityBound(at["learning"], at["states"], lambda_, terms, plans=at["plans"])


def _lasting_bound(problem: Problem, epsilon: float, terms: LogTerms) -> SampleComplexityBound:
    """The third theorem of ``DOUBLING.md``: the largest n with n ≤ F0(n, 9A)."""
    lambda_ = doubling_lambda(problem, epsilon)

    def parts(count: float, more: float) -> dict[str, float]:
        found = lasting_error_sum(problem, count, more, lambda_)
        return {name: 4 / epsilon * part for name, part in found.items()}

    most = largest_for(epsilon, lambda count: sum(parts(count, 9 * count).values()))
    count = largest_for(epsilon, lambda count: sum(parts(count, 9 * most).values()))
    at = parts(count, 9 * most)
    return SampleComplexityBound(at["learning"], at["states"], lambda_, terms, plans=at["plans"])


@of_a_problem
def bad_steps_bound(problem: Problem, epsilon: float, count: float) -> BadStepsBound:
    r"""W, of which the paper states Γ ≤ W(Γ) for the number Γ of bad steps; W(T0) < T0, so Γ < T0.

    .. math::
        W(T) = \frac{1780R_{\max}^2SA\ell_1\ell_{2,T}}{\epsilon^2(1-\gamma)^3}
        + \frac{240R_{\max}S^2A\ell_{2,T}\ell_{3,T}}{\epsilon(1-\gamma)^2}
        + \frac{52R_{\max}SA\ell_1}{\epsilon(1-\gamma)^2}

        W(K) = \frac{3456R_{\max}^2H^2SA\ell_1\ell_{2,K}}{\epsilon^2}
        + \frac{480R_{\max}HS^2A\ell_{2,K}\ell_{3,K}}{\epsilon}
        + \frac{24R_{\max}HSA\ell_1}{\epsilon}

    (the paper, "Sample Complexity", discounted and finite-horizon). For a discounted agent that
    plans at every step the proof of Γ ≤ W(Γ) has gaps (`eubrl_edu.errata.ERRATA`).

    Parameters
    ----------
    problem : Problem, or its fields as keywords
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

    It is what Γ ≤ W(Γ) would say without the closed form T0, which is at least as large.

    Parameters
    ----------
    bound : callable
        Increasing and concave in n, above n at first.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If ``bound`` cannot be called, or returns what is no number of at most 1e50.
    """
    if not callable(bound):
        raise ValueError(f"bound must be a function, got {shown(bound)}")

    def consistent(n: float) -> bool:
        return require_finite("bound(n)", bound(n)) >= n

    return around_the_end(consistent, 1e-15)[0]


def around_the_end(holds: Callable[[float], bool], precision: float) -> tuple[float, float]:
    """Numbers on both sides of where a condition that holds at 1 ends; and near it, as a share."""
    high = 2.0
    while holds(high):
        high *= 2
    low = high / 2
    while high - low > precision * high:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


def largest_for(epsilon: float, bound: Callable[[float], float]) -> float:
    """`largest_consistent`, or ``ValueError`` if ε is too small for a bound that can be found."""
    try:
        return largest_consistent(bound)
    except ValueError:
        raise ValueError(
            f"epsilon must be so large that the bound is below {LARGEST:g} steps, got {epsilon:g}"
        ) from None


def _scales(problem: Problem, epsilon: float) -> tuple[float, float]:
    """R²SA/(ε²(1 − γ)³) and R·SA/(ε(1 − γ)²); with a horizon H² and H in place of 1/(1 − γ)^k."""
    ratio, spread = problem.r_max / epsilon, problem.effective_horizon
    extra = spread if problem.horizon is None else 1.0
    pairs = problem.n_pairs
    return ratio**2 * pairs * spread**2 * extra, ratio * pairs * spread * extra
