"""What the analysis sets: λ, the critical number of visits m, Υ, and with them the scale η.

All of them follow from λ. The smaller λ, the tighter the per-step bound, the larger the bonus
η that it asks for, and the longer the exploration.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem, of_a_problem, require_lambda
from eubrl_edu.theory.resistance import LARGEST_RESISTANCE
from eubrl_edu.validation import require_at_least, require_between, shown


@dataclass(frozen=True)
class Schedule:
    """The settings of the frequentist instance for one λ, or for each of an array of them.

    Attributes
    ----------
    lambda_ : float or array
        λ in (0, 1].
    m : float or array
        The critical number of visits, from which on the auxiliary reward leaves the agent's.
    upsilon : float or array
        Υ, in units of reward.
    eta : float or array
        η = E_max Υ + R_max √m, in units of reward.
    phi : float or array
        Φ = R_max λ, the bound of the complexity term, in units of reward.
    """

    lambda_: float | np.ndarray
    m: float | np.ndarray
    upsilon: float | np.ndarray
    eta: float | np.ndarray
    phi: float | np.ndarray


@of_a_problem
def regret_lambda(problem: Problem, duration: float, resistance=None) -> float | np.ndarray:
    r"""λ of the regret analysis, for T steps or K episodes.

    .. math::
        \lambda = \min\left\{1, 3\sqrt{\frac{SA\ell_1\ell_{2,T}}{T(1-\gamma)}}\right\}, \qquad
        \lambda = \min\left\{1, 4\sqrt{\frac{SA\ell_1\ell_{2,K}}{K}}\right\}

    (the paper, "Regret Analysis", discounted and finite-horizon). The state-action dependent
    choice knows the epistemic resistance 𝕽 of the step,

    .. math:: \lambda_t = \min\left\{1, \frac{C}{\sqrt{9/2-\mathfrak R^t}}
              \sqrt{\frac{SA\ell_1\ell_{2,T}}{T(1-\gamma)}}\right\}, \qquad C = 3\sqrt{9/2}

    ("State-action Dependent λ"), and is the uniform one where 𝕽 is 0. It needs P_U of the optimal
    action, so an agent could not set it.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    duration : float
        T or K.
    resistance : float or array, optional
        𝕽^t(s_t) of one step, or of each, 0 to 23/7; discounted problems only.

    Returns
    -------
    float or array
        In (0, 1]; an array where the resistance is one.

    Raises
    ------
    ValueError
        If an argument is outside its range, or there are a resistance and a horizon.
    """
    duration = require_at_least("duration", duration, 1)
    terms = problem_log_terms(problem, duration)
    root = sqrt(problem.n_pairs * terms.l1 * terms.l2 / duration)
    if resistance is not None:
        problem.require_discounted("a state-action dependent λ")
    if problem.horizon is not None:
        return min(1.0, 4 * root)
    uncut = 3 * root / sqrt(1 - problem.discount)
    if resistance is None:
        return min(1.0, uncut)
    resistance = require_between("resistance", resistance, 0, LARGEST_RESISTANCE, "[0, 23/7]")
    lambdas = np.minimum(1.0, uncut * np.sqrt(4.5 / (4.5 - resistance)))
    return lambdas if lambdas.ndim else float(lambdas)


@of_a_problem
def sample_complexity_lambda(problem: Problem, epsilon: float) -> float:
    r"""λ of the sample complexity analysis, λ = ε / (18 V↑) (the paper, "Sample Complexity").

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    epsilon : float
        Accuracy ε in (0, V↑].

    Returns
    -------
    float
        At most 1/18.
    """
    return problem.require_epsilon(epsilon) / (18 * problem.v_max)


@of_a_problem
def schedule(problem: Problem, lambda_, max_uncertainty: float = 1.0) -> Schedule:
    r"""m, Υ, η and Φ for a λ.

    .. math::
        m = \frac{V^{\uparrow 2}}{R_{\max}^2\lambda^2}, \quad
        \Upsilon = \frac{7V^\uparrow\ell_1}{\lambda}, \quad
        \eta = \mathcal E_{\max}\Upsilon + R_{\max}\sqrt m, \quad
        \Phi = R_{\max}\lambda

    (the paper, the table of logarithmic terms, and "Preliminary Constructions"). The table prints
    m once with λ and once, indexed, with λ²: the proof that the complexity term is at most Φ
    needs 1/m ≤ (R_max λ / V↑)², so λ² it is.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    lambda_ : float or array
        λ in (0, 1]; of an array, such as the λ_t of `regret_lambda`, each has its own settings.
    max_uncertainty : float
        E_max in units of E = 1/√N, at least 1; 1 if an unvisited pair counts as visited once.

    Returns
    -------
    Schedule

    Raises
    ------
    ValueError
        If λ or E_max is outside its range.
    """
    lambda_ = require_lambda(lambda_)
    max_uncertainty = require_at_least("max_uncertainty", max_uncertainty, 1)
    m = (problem.effective_horizon / lambda_) ** 2
    upsilon = 7 * problem.v_max * problem_log_terms(problem).l1 / lambda_
    eta = max_uncertainty * upsilon + problem.r_max * m**0.5
    return Schedule(lambda_, m, upsilon, eta, problem.r_max * lambda_)


@of_a_problem
def theoretical_eta(
    problem: Problem,
    *,
    steps: float | None = None,
    episodes: float | None = None,
    epsilon: float | None = None,
) -> Schedule:
    """The schedule that a theorem asks for: the regret's for a duration, or for an accuracy ε.

    ``FrequentistEUBRL(..., eta=schedule.eta)`` is then the agent of the theorem.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    steps, episodes : float, optional
        T or K: the λ of the regret analysis (`regret_lambda`).
    epsilon : float, optional
        ε: the λ of the sample complexity analysis (`sample_complexity_lambda`).

    Returns
    -------
    Schedule

    Raises
    ------
    ValueError
        If an argument is outside its range, or both a duration and ε are given.
    """
    if epsilon is not None:
        if steps is not None or episodes is not None:
            raise ValueError(
                "give steps (or episodes) for the regret or epsilon, and not both: got "
                f"steps={shown(steps)}, episodes={shown(episodes)} and epsilon={shown(epsilon)}"
            )
        return schedule(problem, sample_complexity_lambda(problem, epsilon))
    return schedule(problem, regret_lambda(problem, problem.require_duration(steps, episodes)))
