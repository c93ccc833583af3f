"""The variances that the proof on Σ J adds up, on a run long enough to see them grow."""

from math import log

import numpy as np

from eubrl_edu.theory.error_terms import error_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import schedule
from eubrl_edu.theory.stopping import stopping_times

SEEN = 64  # γ^64 is below the last bit of a sum of what came before, at γ = 1/2


def variance_of_errors(
    rare: float = 0.05, lambda_: float = 0.02, steps: int = 40_000, seed: int = 0
) -> dict[str, float]:
    r"""L = Σ Var(Y^t) in a world of one action and two states, with what the paper says of it.

    From both states the second one follows with probability ``rare``. It takes long to be known,
    and while it is not, J differs between the two. All steps of the run are added up, from the
    first, each anchor until its own stopping time, and A5 and A6 are watched at every T.

    Parameters
    ----------
    rare : float
        Probability of the second state.
    lambda_ : float
        λ.
    steps : int
        T.
    seed : int

    Returns
    -------
    dict of str to float
        L at the end; its printed bound 48V↑²/(1 − γ)² log(6/δ) with δ = 1 and γ = 1/2; the first T
        at which L is above it; and by how much A5, A6 and the mirror of A5 hold at every T up to
        the end, at least.
    """
    discount = 0.5
    problem = Problem(2, 1, 1.0, 1.0, discount)
    chances = np.array([1 - rare, rare])
    following = (np.random.default_rng(seed).random(steps) < rare).astype(int)
    state = np.append(0, following[:-1])
    visits = np.cumsum(np.eye(2)[state], axis=0) - np.eye(2)[state]

    p_u = 1 / np.sqrt(np.maximum(visits, 1.0))
    bonus = schedule(problem, lambda_).eta * p_u**2
    beta = np.minimum(error_terms(problem, visits, bonus, p_u, lambda_), problem.v_max)
    j = np.full((steps, 2), problem.v_max)
    for _ in range(60):  # to the fixed points of all steps at once
        j = np.minimum(beta + discount * (j @ chances)[:, None], problem.v_max)

    offsets, y = stopping_times(state).offsets, np.zeros((steps, 2))
    for lag in range(SEEN):
        looks_on = lag < offsets[: steps - lag]
        y[lag:] += discount ** (lag + 1) * np.where(looks_on[:, None], j[: steps - lag], 0.0)
    variances = chances.prod() * (y[:, 0] - y[:, 1]) ** 2
    reached = y[np.arange(steps), following]
    gains, squares = np.cumsum(reached - y @ chances), np.cumsum(y**2 @ chances - reached**2)

    total, doubt = np.cumsum(variances), log(6 / problem.delta)
    scale = problem.v_max / (1 - discount)
    allowed, printed = total / (8 * scale) + 6 * scale * doubt, 48 * scale**2 * doubt
    return {
        "L": float(total[-1]),
        "48V↑²/(1 − γ)² log(6/δ)": printed,
        "first T with L above it": int((total > printed).argmax()) + 1,
        "A5 holds by": float((allowed + gains).min()),
        "mirror of A5 holds by": float((allowed - gains).min()),
        "A6 holds by": float((total / 4 + 12 * scale**2 * doubt - squares).min()),
    }
