"""The events that the bounds hold under: whether they held on a recorded run."""

from math import ceil, log
from typing import TYPE_CHECKING

import numpy as np

from eubrl_edu.theory.decompose import require_no_discount, require_settings
from eubrl_edu.theory.episode_events import episode_margins
from eubrl_edu.theory.episode_values import episode_values
from eubrl_edu.theory.measured import agent_horizon, require_model
from eubrl_edu.theory.model_events import model_events
from eubrl_edu.theory.problem import maximum_value, require_epsilon
from eubrl_edu.theory.run_values import run_values
from eubrl_edu.theory.solved_values import RunValues
from eubrl_edu.theory.world_rewards import reward_map
from eubrl_edu.trajectory import Trajectory
from eubrl_edu.validation import require_discount

if TYPE_CHECKING:
    import pandas as pd

# An anchor this far back weighs less than a double can tell: γ^distance < 1e-17.
NEGLIGIBLE = 1e-17


def events(
    trajectory: Trajectory,
    env,
    *,
    discount: float | None = None,
    epsilon: float | None = None,
    **settings,
) -> "pd.DataFrame":
    """Whether each of the events A1 to A8 holds, at each step, or episode, of a recorded run.

    An event of the paper asks for every step, or every episode: that the whole column be true.

    Parameters
    ----------
    trajectory, env, discount, epsilon, **settings
        As of `event_margins`.

    Returns
    -------
    pandas.DataFrame
        Booleans: where `event_margins` is at least 0.
    """
    require_settings("events", settings)
    margins = event_margins(trajectory, env, discount=discount, epsilon=epsilon, **settings)
    return margins >= 0


def event_margins(
    trajectory: Trajectory,
    env,
    *,
    discount: float | None = None,
    epsilon: float | None = None,
    **settings,
) -> "pd.DataFrame":
    r"""How far each of the events A1 to A8 is from failing, at each step of a recorded run.

    Of an agent with a horizon, at each episode. Discounted,

    .. math::
        A_1:\ & |(\hat P^t-P)V^\star| \le \frac{\lambda_t}{4V^\uparrow}\mathrm{Var}(V^\star)
              + \frac{3V^\uparrow\ell_1}{\lambda_tN^t}  \qquad
        A_2:\ (P-\hat P^t)(V^\star)^2 \le \tfrac12\mathrm{Var}(V^\star)
              + \frac{6V^{\uparrow2}\ell_1}{N^t} \\
        A_3:\ & |\hat P^t(s')-P(s')| \le 2\sqrt{\frac{2P(s')\ell_{3,t}}{N^t}}
              + \frac{2\ell_{3,t}}{3N^t} \qquad
        A_4:\ |\hat r^t-r| \le \lambda_tr + \frac{R_{\max}\ell_1}{\lambda_tN^t} \\
        A_5:\ & \sum_tX_t \le \frac{1-\gamma}{8V^\uparrow}\sum_t\mathrm{Var}(Y^t)
              + \frac{6V^\uparrow}{1-\gamma}\log\frac6\delta \qquad
        A_6:\ \sum_t\left(P(Y^t)^2-(Y^t)^2\right) \le \tfrac14\sum_t\mathrm{Var}(Y^t)
              + \frac{12V^{\uparrow2}}{(1-\gamma)^2}\log\frac6\delta

    (the paper, "High Probability Events", discounted; X and Y are from "Boundedness of J":
    Y^t(s') = Σ_τ γ^{t−τ+1} J^τ(s') over the anchors τ ≤ t that no pair has stopped yet, and
    X_t = PY^t(s_t, a_t) − Y^t(s_{t+1})). A7 and A8 are A5 and A6 with only the steps as anchors,
    and only the visits, at which J^t(s_t) > ε/4. The paper's proof uses the mirror of A5 as well,
    Σ(−X_t) under the same bound, without counting it among its events: column ``A5_mirror``.

    With a horizon, k stands for t, A1 and A2 are about V*_{h+1} for every h, and A5 to A8 about
    the sums in `eubrl_edu.theory.episode_events`; the paper has no mirror there.

    P̂ and r̂ are the frequencies and averages of the run, whatever the agent believed.

    Parameters
    ----------
    trajectory, env, discount
        As of `decompose`.
    epsilon : float, optional
        ε of the sample complexity; without it there are no columns A7 and A8.
    **settings
        As of `run_values`, or `episode_values`.

    Returns
    -------
    pandas.DataFrame
        A row a step (an episode, with a horizon): right side less left side, for ``A1`` to ``A4``
        of the counts before it and the least over the pairs (infinite before any visit), for the
        others of the sums up to it.

    Raises
    ------
    ValueError
        See `decompose`; also for ε outside (0, V↑].
    """
    require_settings("event_margins", settings)
    horizon = agent_horizon(trajectory)
    if horizon is not None:
        require_no_discount(discount)
    if epsilon is not None:  # before anything is solved
        require_model(env, trajectory)
        mapped = reward_map(env, settings.get("r_max"), settings.get("rescale", False))
        gamma = require_discount(discount) if horizon is None else None
        v_max = maximum_value(r_max=mapped.r_max, discount=gamma, horizon=horizon)
        epsilon = require_epsilon(epsilon, v_max)
    if horizon is not None:
        return episode_margins(episode_values(trajectory, env, **settings), trajectory, epsilon)
    values = run_values(trajectory, env, discount=discount, **settings)
    return margins(values, trajectory, epsilon)


def margins(
    values: RunValues, trajectory: Trajectory, epsilon: float | None = None
) -> "pd.DataFrame":
    """`event_margins` from the values of a run that are solved already."""
    import pandas as pd

    if epsilon is not None:
        epsilon = values.problem.require_epsilon(epsilon)
    steps = [slice(step, step + 1) for step in range(len(trajectory))]
    lambdas = values.lambdas[values.moment_of_step]
    columns = model_events(values, values.optimal[None], trajectory, steps, lambdas)
    j = values.error_values
    every = np.ones(len(trajectory), dtype=bool)
    columns["A5"], columns["A6"], columns["A5_mirror"] = _sum_events(values, trajectory, j, every)
    if epsilon is not None:
        bad = j[np.arange(len(trajectory)), trajectory.states] > epsilon / 4
        columns["A7"], columns["A8"], _ = _sum_events(values, trajectory, j, bad)
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(trajectory) + 1, name="step"))


def _sum_events(
    values: RunValues, trajectory: Trajectory, j: np.ndarray, counted: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A5, A6 and the mirror of A5 up to each step, with the counted steps only."""
    problem = values.problem
    discount, v_max, steps = problem.discount, problem.v_max, len(trajectory)
    memory = steps if discount == 0 else ceil(log(NEGLIGIBLE) / log(discount))
    pairs = trajectory.states * problem.n_actions + trajectory.actions
    visits = np.zeros(problem.n_pairs)
    before = np.zeros((steps, problem.n_pairs))  # N of every pair at each anchor
    alive = counted.copy()
    transitions = values.model.transition_matrix()
    difference, square, variance = np.zeros(steps), np.zeros(steps), np.zeros(steps)
    for step in range(steps):
        before[step] = visits
        pair = pairs[step]
        visits[pair] += counted[step]
        recent = slice(max(0, step + 1 - memory), step + 1)
        alive[recent] &= visits[pair] <= 2 * before[recent, pair]
        anchors = np.flatnonzero(alive[recent]) + recent.start
        y = (discount ** (step - anchors + 1.0)) @ j[anchors]
        row = transitions[trajectory.states[step], trajectory.actions[step]]
        reached = y[trajectory.next_states[step]]
        difference[step] = row @ y - reached
        square[step] = row @ y**2 - reached**2
        variance[step] = max(row @ y**2 - (row @ y) ** 2, 0.0)
    spread, doubt = np.cumsum(variance), log(6 / problem.delta)
    scale = v_max / (1 - discount)
    allowed = spread / (8 * scale) + 6 * scale * doubt
    return (
        allowed - np.cumsum(difference),
        spread / 4 + 12 * scale**2 * doubt - np.cumsum(square),
        allowed + np.cumsum(difference),
    )
