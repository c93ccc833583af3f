"""The regret of each step, or episode, of a recorded run, taken apart as the proofs do."""

from typing import TYPE_CHECKING

import numpy as np

from eubrl_edu.names import require_choice
from eubrl_edu.theory.bounds_per_step import PerStepBound, per_step_bound
from eubrl_edu.theory.episode_values import episode_values
from eubrl_edu.theory.measured import agent_horizon
from eubrl_edu.theory.resistance import epistemic_resistance
from eubrl_edu.theory.run_values import run_values
from eubrl_edu.theory.solved_values import EpisodeValues, RunValues, SolvedValues
from eubrl_edu.trajectory import Trajectory
from eubrl_edu.validation import require_discount, require_indices, shown

if TYPE_CHECKING:
    import pandas as pd

SETTINGS = tuple(episode_values.__kwdefaults__)


def decompose(
    trajectory: Trajectory, env, *, discount: float | None = None, **settings
) -> "pd.DataFrame":
    r"""Quasi-optimism, complexity and accuracy of each step, with its resistance and its bound.

    .. math:: V^\star(s_t) - V^{\pi_t}(s_t) =
              \underbrace{V^\star(s_t) - \widetilde V^t(s_t)}_{\text{quasi-optimism}}
              + \underbrace{\widetilde V^t(s_t) - V^t(s_t)}_{\text{complexity}}
              + \underbrace{V^t(s_t) - V^{\pi_t}(s_t)}_{\text{accuracy}}

    (the paper, "Regret Decomposition"). Of an agent with a horizon, of each episode: k stands for
    t, and all values are those of its first step, V_1(s_1^k) ("Proofs for Finite-horizon Episodic
    MDPs").

    ``bound`` is `per_step_bound` as the paper prints it, with P_U of the state itself; the proofs
    give it with the least P_U over the states (`eubrl_edu.errata.ERRATA`). With the defaults
    ``complexity`` is 0 in all but very long runs: r̃ leaves the agent's own reward at m visits, and
    the paper's m, V↑² / (R_max λ_t)², is beyond them. A smaller ``m`` shows it.

    Parameters
    ----------
    trajectory : Trajectory
        From ``simulate(..., record_plans=True)``, of an agent that knew nothing at its start.
    env : TabularEnvironment
        The world of the run.
    discount : float, optional
        γ of the agent; left out, or 1, where it has a horizon.
    **settings
        ``delta``, ``r_max``, ``lambda_t``, ``m``, ``eta``, ``rescale``: see `run_values`, and
        `episode_values` for agents with a horizon.

    Returns
    -------
    pandas.DataFrame
        A row a step (an episode, with a horizon), with the columns ``regret``,
        ``quasi_optimism``, ``complexity``, ``accuracy``, ``p_u_policy`` (P_U of the action taken),
        ``p_u_optimal`` (of the optimal action), ``resistance`` and ``bound``. ``attrs["note"]``
        says whether rewards were mapped.

    Raises
    ------
    ValueError
        See `run_values` and `episode_values`; also for a setting that they do not have.
    """
    require_settings("decompose", settings)
    if agent_horizon(trajectory) is None:
        values = run_values(trajectory, env, discount=discount, **settings)
        return decomposition(values, trajectory)
    require_no_discount(discount)
    return episode_decomposition(episode_values(trajectory, env, **settings))


def require_settings(function: str, settings: dict) -> None:
    """Raise ``ValueError`` if one of them is no setting of `run_values` and `episode_values`."""
    for name in settings:
        require_choice(f"setting of {function}", name, SETTINGS)


def require_no_discount(discount: float | None) -> None:
    """Raise ``ValueError`` if a discount is given for episodes."""
    if discount is not None and require_discount(discount, horizon=1) != 1:
        raise ValueError(
            "the paper's episodes are without discount: leave discount out where the agent has a "
            f"horizon, got {shown(discount)}"
        )


def decomposition(values: RunValues, trajectory: Trajectory) -> "pd.DataFrame":
    """`decompose` from the values of a run that are solved already."""
    states = trajectory.states
    return _frame(
        values,
        optimal=values.optimal[states],
        auxiliary=values.auxiliary[values.moment_of_step, states],
        agent=values.agent[values.moment_of_step, states],
        policy=values.policy[values.policy_of_step, states],
        p_u=probabilities_of_uncertainty(values, trajectory),
        bound=step_bounds(values, trajectory).total,
        rows="step",
    )


def episode_decomposition(values: EpisodeValues) -> "pd.DataFrame":
    """`decompose` from the values of episodes that are solved already."""
    episodes, states = np.arange(len(values.plans)), values.first_states
    every_p_u = np.stack([plan.probability_of_uncertainty for plan in values.plans])
    chosen = values.policies[episodes, 0, states]
    best = values.optimal_policy[0, states]
    p_u = every_p_u[episodes, states, chosen], every_p_u[episodes, states, best]
    j = values.error_values[episodes, 0, states]
    return _frame(
        values,
        optimal=values.optimal[0, states],
        auxiliary=values.auxiliary[episodes, 0, states],
        agent=values.agent[episodes, 0, states],
        policy=values.policy[episodes, 0, states],
        p_u=p_u,
        bound=_bounds(values, p_u, values.lambdas, j).total,
        rows="episode",
    )


def _frame(values, *, optimal, auxiliary, agent, policy, p_u, bound, rows) -> "pd.DataFrame":
    import pandas as pd

    p_u_policy, p_u_optimal = p_u
    frame = pd.DataFrame(
        {
            "regret": optimal - policy,
            "quasi_optimism": optimal - auxiliary,
            "complexity": auxiliary - agent,
            "accuracy": agent - policy,
            "p_u_policy": p_u_policy,
            "p_u_optimal": p_u_optimal,
            "resistance": epistemic_resistance(p_u_policy, p_u_optimal),
            "bound": bound,
        },
        index=pd.RangeIndex(1, len(optimal) + 1, name=rows),
    )
    frame.attrs["note"] = values.reward_map.note
    return frame


def probabilities_of_uncertainty(
    values: RunValues, trajectory: Trajectory
) -> tuple[np.ndarray, np.ndarray]:
    """P_U(s_t, π_t(s_t)) and P_U(s_t, π*(s_t)) of each step, two (T,) arrays."""
    p_u = np.stack([plan.probability_of_uncertainty for plan in values.plans])
    here = p_u[values.moment_of_step, trajectory.states]
    steps = np.arange(len(trajectory))
    return here[steps, trajectory.actions], here[steps, values.optimal_policy[trajectory.states]]


def step_bounds(values: RunValues, trajectory: Trajectory) -> PerStepBound:
    """The bound of each step's regret, part by part, as (T,) arrays.

    Raises
    ------
    ValueError
        If ``values`` is not what `run_values` returns, or ``trajectory`` not a run that fits it.
    """
    if not isinstance(values, RunValues):
        raise ValueError(f"values must be what run_values returns, got {shown(values)}")
    steps, (n_states, n_actions) = len(values.moment_of_step), values.model.rewards.shape
    if not isinstance(trajectory, Trajectory) or len(trajectory) != steps:
        raise ValueError(
            f"trajectory must be the run of values, of {steps} steps, got {shown(trajectory)}"
        )
    require_indices("trajectory.states", trajectory.states, n_states)
    require_indices("trajectory.actions", trajectory.actions, n_actions)
    j = values.error_values[np.arange(len(trajectory)), trajectory.states]
    p_u = probabilities_of_uncertainty(values, trajectory)
    return _bounds(values, p_u, values.lambdas[values.moment_of_step], j)


def _bounds(values: SolvedValues, p_u: tuple, lambdas: np.ndarray, j: np.ndarray) -> PerStepBound:
    """The bounds for P_U of the actions taken and of the optimal ones, λ and J of each."""
    p_u_policy, p_u_optimal = p_u
    return per_step_bound(
        p_u_policy=p_u_policy,
        p_u_optimal=p_u_optimal,
        lambda_=lambdas,
        j=j,
        r_max=values.problem.r_max,
        v_max=values.problem.v_max,
    )
