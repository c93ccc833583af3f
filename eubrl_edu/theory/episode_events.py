"""The events that the bounds for episodes hold under, on a recorded run with a horizon."""

from math import log
from typing import TYPE_CHECKING

import numpy as np

from eubrl_edu.theory.measured import episode_starts
from eubrl_edu.theory.model_events import model_events
from eubrl_edu.theory.solved_values import EpisodeValues
from eubrl_edu.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas as pd


def episode_margins(
    values: EpisodeValues, trajectory: Trajectory, epsilon: float | None = None
) -> "pd.DataFrame":
    r"""`event_margins` of episodes, from their values that are solved already.

    .. math::
        A_5:\ & \sum_k\sum_{h<\nu^k}\left(PJ_{h+1}^k - J_{h+1}^k(s_{h+1}^k)\right)
              \le \frac{1}{4V^\uparrow_H}\sum_k\sum_{h<\nu^k}\mathrm{Var}(J_{h+1}^k)
              + 3V^\uparrow_H\log\frac6\delta \\
        A_6:\ & \sum_k\sum_{h<\nu^k}\left(P(J_{h+1}^k)^2 - J_{h+1}^k(s_{h+1}^k)^2\right)
              \le \frac12\sum_k\sum_{h<\nu^k}\mathrm{Var}(J_{h+1}^k)
              + 6V^{\uparrow2}_H\log\frac6\delta

    at (s_h^k, a_h^k) (the paper, "High Probability Events", finite-horizon). A7 and A8 are A5 and
    A6 with only the episodes, and only their visits in N and ν, at which J_1^k(s_1^k) > ε/4
    ("Sample Complexity").

    Parameters
    ----------
    values : EpisodeValues
    trajectory : Trajectory
        The run that they are of.
    epsilon : float, optional
        ε in (0, V↑]; without it there are no columns A7 and A8.

    Returns
    -------
    pandas.DataFrame
        A row an episode: A1 to A4 of the counts before it, the others of the sums up to its end.

    Raises
    ------
    ValueError
        If ε is outside (0, V↑].
    """
    import pandas as pd

    if epsilon is not None:
        epsilon = values.problem.require_epsilon(epsilon)
    starts = episode_starts(trajectory)
    episodes = [slice(*ends) for ends in zip(starts, [*starts[1:], len(trajectory)], strict=True)]
    columns = model_events(values, values.optimal[1:], trajectory, episodes, values.lambdas)
    j = values.error_values
    every = np.ones(len(episodes), dtype=bool)
    columns["A5"], columns["A6"] = _sum_events(values, trajectory, episodes, j, every)
    if epsilon is not None:
        bad = j[np.arange(len(episodes)), 0, values.first_states] > epsilon / 4
        columns["A7"], columns["A8"] = _sum_events(values, trajectory, episodes, j, bad)
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(episodes) + 1, name="episode"))


def _sum_events(
    values: EpisodeValues,
    trajectory: Trajectory,
    episodes: list[slice],
    j: np.ndarray,
    counted: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """A5 and A6 up to the end of each episode, with the counted episodes only."""
    problem, transitions = values.problem, values.model.transition_matrix()
    visits = np.zeros_like(values.model.rewards)
    difference, square, variance = np.zeros((3, len(episodes)))
    for number in np.flatnonzero(counted):
        before, stopped = visits.copy(), False
        first = episodes[number].start
        for step in range(first, episodes[number].stop):
            pair = trajectory.states[step], trajectory.actions[step]
            visits[pair] += 1
            stopped |= visits[pair] > 2 * before[pair]
            if stopped:  # ν^k is reached: the rest of the episode counts as visits only
                continue
            following, row = j[number, step - first + 1], transitions[pair]
            reached = following[trajectory.next_states[step]]
            difference[number] += row @ following - reached
            square[number] += row @ following**2 - reached**2
            variance[number] += max(row @ following**2 - (row @ following) ** 2, 0.0)
    spread, doubt, v_max = np.cumsum(variance), log(6 / problem.delta), problem.v_max
    return (
        spread / (4 * v_max) + 3 * v_max * doubt - np.cumsum(difference),
        spread / 2 + 6 * v_max**2 * doubt - np.cumsum(square),
    )
