"""The logarithmic terms of the paper's table of notations: what Õ hides."""

from dataclasses import dataclass
from math import e, log, log1p

import numpy as np

from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.validation import require_at_least


@dataclass(frozen=True)
class LogTerms:
    """ℓ1 to ℓ6 and B(ε); those that need steps, or ε, are None where it was not given.

    Attributes
    ----------
    l1 : float
        ℓ1.
    l2, l3, l4 : float or None
        ℓ2, ℓ3 and ℓ4 after the given number of steps (or episodes).
    l1_prime : float or None
        ℓ'1 = log(24SA(1 + log T)/δ), at least ℓ1 and ℓ3 ("Regret Analysis"); log(24HSA(1 + log
        KH)/δ) with a horizon.
    b, l5, l6 : float or None
        B(ε), ℓ5 and ℓ6 for the given ε.
    """

    l1: float
    l2: float | None = None
    l3: float | None = None
    l4: float | None = None
    l1_prime: float | None = None
    b: float | None = None
    l5: float | None = None
    l6: float | None = None


@of_a_problem
def log_terms(
    problem: Problem,
    *,
    steps: float | None = None,
    episodes: float | None = None,
    epsilon: float | None = None,
) -> LogTerms:
    r"""Every logarithmic term at once.

    Discounted, after t steps (the paper, "Notations and Logarithmic Terms", the table there):

    .. math::
        \ell_1 = \log\frac{24SA}{\delta}, \quad
        \ell_{2,t} = \log\left(1 + \frac{t}{SA}\right), \quad
        \ell_{3,t} = \log\frac{12SA(1+\log t)}{\delta}, \quad
        \ell_{4,t} = \log\frac{12t}{\delta},

        B(\epsilon) = \frac{R_{\max}^2\ell_1}{\epsilon^2(1-\gamma)^3}
            + \frac{R_{\max}S(2\ell_1+\ell_{6,\epsilon})}{\epsilon(1-\gamma)^2}, \quad
        \ell_{5,\epsilon} = \log(1 + 140B(\epsilon)), \quad
        \ell_{6,\epsilon} = \log\log\frac{V^\uparrow_\gamma e}{\epsilon(1-\gamma)}.

    With a horizon, after k episodes: t is kH, ℓ1 has 24HSA, ℓ4 is log(12H/δ), ℓ6 is
    log log(V↑_H e/ε), ℓ5 is log(1 + 280 B(ε) H), and in B(ε) H² stands for 1/(1−γ)³ and H for
    1/(1−γ)².

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    steps, episodes : float, optional
        T ≥ 1 (discounted), K ≥ 1 (with a horizon).
    epsilon : float, optional
        Accuracy ε in (0, V↑], in units of reward.

    Returns
    -------
    LogTerms

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    duration = None
    if steps is not None or episodes is not None:
        duration = problem.require_duration(steps, episodes)
    return problem_log_terms(problem, duration, epsilon)


def problem_log_terms(
    problem: Problem, duration: float | None = None, epsilon: float | None = None
) -> LogTerms:
    """`log_terms` of a problem that is checked already."""
    pairs, delta, horizon = problem.n_pairs, problem.delta, problem.horizon
    l1 = log(24 * pairs * (horizon or 1) / delta)
    values: dict[str, float] = {}
    if duration is not None:
        taken = problem.steps_of(require_at_least("duration", duration, 1))
        values["l2"] = log1p(taken / pairs)
        values["l3"] = log(12 * pairs * (1 + log(taken)) / delta)
        values["l4"] = log(12 * (taken if horizon is None else horizon) / delta)
        values["l1_prime"] = l1 + log(1 + log(taken))
    if epsilon is not None:
        epsilon = problem.require_epsilon(epsilon)
        ratio, spread = problem.r_max / epsilon, problem.effective_horizon
        if horizon is None:
            l6 = log(log(problem.v_max * e * spread / epsilon))
            b = ratio**2 * l1 * spread**3 + ratio * problem.n_states * (2 * l1 + l6) * spread**2
            l5 = log(1 + 140 * b)
        else:
            l6 = log(log(problem.v_max * e / epsilon))
            b = ratio**2 * l1 * spread**2 + ratio * problem.n_states * (2 * l1 + l6) * spread
            l5 = log(1 + 280 * b * horizon)
        values.update(b=b, l5=l5, l6=l6)
    return LogTerms(l1, **values)


def pair_log_term(problem: Problem, visits) -> np.ndarray:
    r"""ℓ3 of single pairs.

    .. math:: \ell_{3,t}(s,a) = \log\frac{12SA(1+\log N^t(s,a))}{\delta}

    (the paper, the table of logarithmic terms). Where a pair has no visit the paper divides by
    N = 0 whatever ℓ3 is; here its ℓ3 is that of one visit.

    Parameters
    ----------
    problem : Problem
    visits : array
        N(s, a).

    Returns
    -------
    array of the same shape
    """
    known = np.maximum(np.asarray(visits, dtype=float), 1.0)
    return np.log(12 * problem.n_pairs * (1 + np.log(known)) / problem.delta)
