r"""The bounds for an agent that plans anew only when a count has more than doubled.

Here are the constants of the theorem that ``DOUBLING.md``, beside this file, states and proves. The
agent is `FrequentistEUBRL` with ``plan_every="doubling"`` and the η of `schedule`.
"""

from math import log, log1p

import numpy as np

from eubrl_edu.names import require_choice
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem, of_a_problem, require_lambda
from eubrl_edu.theory.stopping import stopping_times
from eubrl_edu.validation import require_at_least

LUCK = 15 / 4  # V* − V^π ≤ (15/4) λ V↑ + J
REPLANNING = ("every step", "doubling")


def plan_starts(pairs: np.ndarray) -> np.ndarray:
    r"""The steps before which such an agent plans, from 1, the first included.

    A plan made with counts N lasts until some pair is visited for the time 2N + 1. There are at
    most `most_plans` (the proof's step 7).

    Parameters
    ----------
    pairs : (T,) integer array
        Which pair each step visits, under any numbering from 0.

    Returns
    -------
    integer array
        Increasing; the last may be T + 1.

    Raises
    ------
    ValueError
        As `stopping_times`.
    """
    offsets = stopping_times(pairs).offsets
    steps = len(offsets)
    # A plan lasts until its first step stops.
    following = (np.arange(1, steps + 1) + offsets + 1).tolist()
    starts = [1]
    while starts[-1] <= steps:
        starts.append(following[starts[-1] - 1])
    return np.array([start for start in starts if start <= steps + 1])


@of_a_problem
def most_plans(problem: Problem, steps: float) -> float:
    """1 + SA log2(1 + T/SA), which bounds how often the agent plans in T steps."""
    pairs = _discounted(problem).n_pairs
    return 1 + pairs * log1p(require_at_least("steps", steps, 1) / pairs) / log(2)


@of_a_problem
def doubling_error_sum(problem: Problem, count: float, steps: float, lambda_: float) -> dict:
    r"""Σ_Γ J(s_t), of any ``count`` of the first T steps, part by part.

    .. math::
        \sum_{t\in\Gamma} J(s_t) \le \frac1{1-\gamma}\left[SA\,\ell_{2,\Gamma}\left(
        55\frac{V^\uparrow\ell_1}{\lambda} + \frac{496}{3}V^\uparrow S\,\ell_3\right)
        + \frac95V^\uparrow\left(1 + SA\log_2\left(1+\frac{T}{SA}\right)\right)
        + \frac{36}{5}V^\uparrow\log\frac6\delta\right]

    with ℓ2 = log(1 + |Γ|/SA) and ℓ3 = log(12SA(1 + log(1 + |Γ|))/δ) (``DOUBLING.md``, step 10).

    Parameters
    ----------
    problem : Problem, or its fields as keywords
        Discounted.
    count, steps : float
        |Γ| and T.
    lambda_ : float
        λ in (0, 1].

    Returns
    -------
    dict of str to float
        ``learning``, ``states`` (the part with S²A) and ``plans``, in units of reward.

    Raises
    ------
    ValueError
        If there is a horizon, or an argument is outside its range.
    """
    ends = most_plans(problem, steps)
    return _parts(problem, count, ends, log(6 / problem.delta), lambda_)


def lasting_error_sum(problem: Problem, count: float, more: float, lambda_: float) -> dict:
    """`doubling_error_sum` without T, where J is above ε/2; see step 11 of ``DOUBLING.md``.

    Of the ends of plans only those count at which J is above ε/6; ``more`` is a bound of how many
    steps have such a J.
    """
    ends = most_plans(problem, more)
    return _parts(problem, count, ends, log(12 / problem.delta), lambda_)


def _parts(problem: Problem, count: float, ends: float, doubt: float, lambda_: float) -> dict:
    """The parts of both sums, given how many plans' ends count, and the logarithm of 1/δ."""
    pairs, spread, v_max = problem.n_pairs, problem.effective_horizon, problem.v_max
    l1 = problem_log_terms(problem).l1
    count = require_at_least("count", count, 1)
    l2 = log1p(count / pairs)
    l3 = log(12 * pairs * (1 + log(1 + count)) / problem.delta)
    plans = 9 / 5 * ends + 36 / 5 * doubt
    return {
        "learning": spread * v_max * 55 * pairs * l1 * l2 / require_lambda(lambda_),
        "states": spread * v_max * 496 / 3 * problem.n_states * pairs * l2 * l3,
        "plans": spread * v_max * plans,
    }


@of_a_problem
def doubling_lambda(problem: Problem, epsilon: float) -> float:
    """λ = 2ε/(15V↑), with which a step is bad only where J is above ε/2."""
    return _discounted(problem).require_epsilon(epsilon) / (2 * LUCK * problem.v_max)


def require_replanning(replanning: str, problem: Problem) -> bool:
    """Whether ``replanning`` is "doubling"; raise ``ValueError`` if no theorem is about it."""
    try:
        require_choice("replanning", replanning, REPLANNING)
    except ValueError as error:
        raise ValueError(
            f"{error} The paper's theorem is for an agent that plans at every step, that of "
            "DOUBLING.md for one that plans when a count has more than doubled"
        ) from None
    if replanning == "doubling":
        _discounted(problem)
    return replanning == "doubling"


def _discounted(problem: Problem) -> Problem:
    """Return the problem, or raise ``ValueError`` if it has a horizon."""
    if problem.horizon is not None:
        raise ValueError(
            "the theorem for replanning='doubling' needs a discounted problem; with a horizon the "
            "paper's theorem is for one plan an episode: leave replanning out, got "
            f"horizon={problem.horizon!r}"
        )
    return problem
