"""Stopping times: how far ahead the counts of now still describe what is to come."""

from dataclasses import dataclass
from math import log2

import numpy as np

from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.validation import (
    LARGEST_INTEGER,
    require_at_least,
    require_indices,
    require_positive_int,
    shown,
)


@dataclass(frozen=True)
class StoppingTimes:
    """The stopping times of T steps.

    Attributes
    ----------
    offsets : (T,) integer array
        ν_t as the sums use it, an offset: step t + ν_t is the first from t on at which a pair has
        been visited more than twice as often as before step t; T + 1 − t if there is none.
    stopped : (T,) boolean array
        Whether there is such a step.
    """

    offsets: np.ndarray
    stopped: np.ndarray


def stopping_times(pairs) -> StoppingTimes:
    r"""ν_t for every step of a run.

    .. math:: \nu_t = \min\{\tau \ge t:\ n^\tau(s_\tau,a_\tau) > 2N^t(s_\tau,a_\tau)\} - t

    (the paper, "Notations and Logarithmic Terms", which defines the absolute time τ, and T + 1 if
    there is none; the sums of "Boundedness of J" then use the offset, as here). N^t counts visits
    before step t, n^τ those up to and including step τ. A pair with N visits before t triggers
    at its visit number 2N + 1.

    Parameters
    ----------
    pairs : (T,) integer array
        Which pair each step visits, under any numbering from 0.

    Returns
    -------
    StoppingTimes

    Raises
    ------
    ValueError
        If ``pairs`` is not a non-empty sequence of integers of at least 0.
    """
    pairs = _require_pairs(pairs)
    end = len(pairs)
    steps = np.arange(end)
    # A pair's visit number m stops the steps up to its visit ⌈m/2⌉, before which N^t < m/2.
    by_pair = np.argsort(pairs, kind="stable")
    begin = np.searchsorted(pairs[by_pair], pairs[by_pair])  # where each pair's visits begin
    last_stopped = np.empty(end, dtype=int)
    last_stopped[by_pair] = by_pair[(begin + steps) // 2]
    first = np.searchsorted(np.maximum.accumulate(last_stopped), steps)  # absolute, from 0
    return StoppingTimes(offsets=first - steps, stopped=first < end)


def episode_stopping_times(pairs, horizon: int) -> StoppingTimes:
    r"""ν^k for every episode of a run with a horizon.

    .. math:: \nu^k = \min\{h \in [H]:\ n_h^k(s_h^k,a_h^k) > 2N^k(s_h^k,a_h^k)\},
              \quad H+1 \text{ if there is none}

    (the paper, "Notations and Logarithmic Terms: Finite-horizon Episodic MDPs").

    Parameters
    ----------
    pairs : (KH,) integer array
        Which pair each step visits.
    horizon : int
        H.

    Returns
    -------
    StoppingTimes
        ``offsets`` (K,) holds ν^k, from 1 to H + 1; ``stopped`` (K,) whether it is at most H.

    Raises
    ------
    ValueError
        As `stopping_times`; also if the steps do not fill whole episodes.
    """
    pairs, horizon = _require_pairs(pairs), require_positive_int("horizon", horizon)
    if len(pairs) % horizon:
        raise ValueError(f"pairs must fill episodes of {horizon} steps, got {len(pairs)} steps")
    stops = np.minimum(stopping_times(pairs).offsets[::horizon], horizon) + 1
    return StoppingTimes(offsets=stops, stopped=stops <= horizon)


@of_a_problem
def overshoot_bound(problem: Problem, steps: float | None = None) -> float:
    r"""How much overshooting there is at most.

    .. math:: \sum_{t=1}^T \gamma^{\nu_t}\mathbf 1(t+\nu_t\neq T+1) \le
              \frac{SA\log_2(2T)}{1-\gamma}, \qquad
              \sum_{k=1}^K \mathbf 1(\nu^k\neq H+1) \le SA\log_2(2H)

    The paper ("Boundedness of J", the lemma on overshooting) prints the discounted one without
    γ^ν and without 1/(1 − γ), which is false: visiting one and the same pair T times stops half of
    all steps. With them it holds, and what the regret bound takes from it stands with the
    constants printed: the proof weighs each stop by γ^ν, and gives 1/(1 − γ) away in its last
    display.

    Why it holds: step t with N earlier visits of the pair that triggers stops at visit 2N + 1 of
    that pair. All t with N in [2^i, 2^(i+1)) come before visit 2^(i+1) + 1 and stop no earlier than
    at it, so that their γ^ν add up to at most 1/(1 − γ); N = 0 makes one group more; and there
    are at most log2(2T) groups for each pair.

    Even log T can be spared. A step with N earlier visits of the pair that triggers is at least N
    steps before its stop, so that all steps with this N weigh at most γ^N/(1 − γ). With i ≥ 0 the
    least integer for which 2^i ≥ log(1/(1 − γ))/(1 − γ), the groups with N < 2^i weigh at most
    (i + 1)/(1 − γ) for a pair, and all others together 1/(1 − γ): at most SA(i + 2)/(1 − γ),
    whatever T is.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    steps : float, optional
        T, for discounted problems; with a horizon the bound depends on H alone.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the steps are needed and below 1.
    """
    if problem.horizon is not None:
        return problem.n_pairs * log2(2 * problem.horizon)
    return printed_overshoot_bound(problem, steps) / (1 - problem.discount)


@of_a_problem
def printed_overshoot_bound(problem: Problem, steps: float) -> float:
    """SA log2(2T), what the paper prints for the number of stops: it does not hold."""
    pairs = problem.n_pairs
    return pairs * log2(2 * require_at_least("steps", steps, 1))


def _require_pairs(pairs) -> np.ndarray:
    numbers = require_indices("pairs", pairs, LARGEST_INTEGER)
    if numbers.ndim != 1 or not len(numbers):
        raise ValueError(f"pairs must be integers in a row, one for each step, got {shown(pairs)}")
    return numbers
