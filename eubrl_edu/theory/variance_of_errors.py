"""The variances that the proof on Σ J adds up, on a run long enough to see them grow."""

from math import log

import numpy as np

from eubrl_edu.theory.error_terms import error_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import schedule


def variance_of_errors(
    rare: float = 0.05,
    lambda_: float = 0.02,
    discount: float = 0.5,
    steps: int = 40_000,
    seed: int = 0,
) -> dict[str, float]:
    r"""L = Σ Var(Y^t) in a world of one action and two states, with what the paper says of it.

    From both states the second one follows with probability ``rare``. It takes long to be known,
    and while it is not, J differs between the two. Only the steps from a tenth of the run on are
    added up; no anchor that still matters is stopped there, as no count doubles within the time
    in which γ^l is visible.

    Parameters
    ----------
    rare : float
        Probability of the second state.
    lambda_ : float
        λ.
    discount : float
        γ.
    steps : int
        T.
    seed : int

    Returns
    -------
    dict of str to float
        L; its printed bound 48V↑²/(1 − γ)² log(6/δ) with δ = 1; and by how much A5, A6 and the
        mirror of A5 hold (at least 0 where they do).
    """
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

    y, current, start = np.zeros((steps, 2)), np.zeros(2), steps // 10
    for step in range(start, steps):
        current = discount * (current + j[step])
        y[step] = current
    variances = chances.prod() * (y[:, 0] - y[:, 1]) ** 2
    reached = y[np.arange(steps), following]
    gains, squares = reached - y @ chances, y**2 @ chances - reached**2

    total, doubt = float(variances.sum()), log(6 / problem.delta)
    scale = problem.v_max / (1 - discount)
    allowed = total / (8 * scale) + 6 * scale * doubt
    return {
        "L": total,
        "48V↑²/(1 − γ)² log(6/δ)": 48 * scale**2 * doubt,
        "A5 holds by": allowed + float(gains.sum()),
        "mirror of A5 holds by": allowed - float(gains.sum()),
        "A6 holds by": total / 4 + 12 * scale**2 * doubt - float(squares.sum()),
    }
