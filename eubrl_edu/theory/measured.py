"""Regret and sample complexity as they are measured, the same for every agent."""

import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import (
    backward_induction,
    evaluate_horizon_policy,
    evaluate_policy,
    greedy_policy,
    solve,
)
from eubrl_edu.theory.problem import maximum_value, require_epsilon
from eubrl_edu.theory.world_rewards import reward_range
from eubrl_edu.trajectory import Trajectory
from eubrl_edu.validation import require_discount, shown


def regret(trajectory: Trajectory, env, *, discount: float | None = None) -> np.ndarray:
    r"""Per-step regret of a recorded run; per-episode regret of an agent with a horizon.

    .. math:: \Delta_t = V^\star(s_t) - V^{\pi_t}(s_t), \qquad
              \Delta_k = V_1^\star(s_1^k) - V_1^{\pi_k}(s_1^k)

    (the paper, "Metrics for Exploration"). π_t is greedy in the plan that the agent acted on, and
    takes the action it took where it was; among equals elsewhere, the first one.

    Parameters
    ----------
    trajectory : Trajectory
        From ``simulate(..., record_plans=True)``.
    env : TabularEnvironment
        The world of the run.
    discount : float, optional
        γ. Needed unless the agent had a horizon, where it is 1 by default.

    Returns
    -------
    (T,) array, or (K,) with a horizon
        At least 0, in units of reward. `numpy.cumsum` gives Regret(1), ..., Regret(T).

    Raises
    ------
    ValueError
        If the run has no plans, or the model of the world is not known, or not that of the run.
    """
    horizon = agent_horizon(trajectory)
    model = require_model(env, trajectory)
    if horizon is not None:
        return _episode_regret(trajectory, model, horizon, 1.0 if discount is None else discount)
    discount = require_discount(discount)
    best = solve(model, discount).v
    policies = Policies(trajectory)
    values = np.stack([evaluate_policy(model, policy, discount) for policy in policies.distinct])
    states = trajectory.states
    return np.maximum(best[states] - values[policies.of_step, states], 0.0)


def sample_complexity(
    trajectory: Trajectory, env, *, epsilon: float, discount: float | None = None
) -> int:
    r"""How many steps (episodes) of a recorded run were not ε-optimal.

    .. math:: \sum_t \mathbf 1(\Delta_t > \epsilon)

    (the paper, "Metrics for Exploration").

    Parameters
    ----------
    trajectory, env, discount
        As of `regret`.
    epsilon : float
        Accuracy ε in (0, V↑], in units of reward, where R_max is the largest reward of the world
        (or what lies between its least and its largest, if the least is below 0).

    Returns
    -------
    int

    Raises
    ------
    ValueError
        As `regret`, or if ``epsilon`` is outside (0, V↑].
    """
    horizon = agent_horizon(trajectory)
    require_model(env, trajectory)
    lowest, highest = reward_range(env)
    v_max = maximum_value(
        r_max=(highest - min(lowest, 0.0)) or 1.0,
        discount=require_discount(discount) if horizon is None else None,
        horizon=horizon,
    )
    epsilon = require_epsilon(epsilon, v_max)
    return int((regret(trajectory, env, discount=discount) > epsilon).sum())


class Policies:
    """The policies of a recorded run, each kept once.

    Attributes
    ----------
    distinct : list of (S,) integer arrays
    of_step : (T,) integer array
        Which of them was in force at each step.
    """

    def __init__(self, trajectory: Trajectory):
        self.distinct: list[np.ndarray] = []
        self.of_step = np.empty(len(trajectory), dtype=np.int64)
        number: dict[bytes, int] = {}
        greedy, last = None, None
        for step, plan in enumerate(trajectory.plans):
            if plan is not last:
                greedy, last = greedy_policy(plan.q), plan
            policy = greedy.copy()
            policy[trajectory.states[step]] = trajectory.actions[step]
            key = policy.tobytes()
            if key not in number:
                number[key] = len(self.distinct)
                self.distinct.append(policy)
            self.of_step[step] = number[key]


def require_plans(trajectory: Trajectory) -> tuple:
    """Return the plans of a run, or raise ``ValueError`` if there are none."""
    if not isinstance(trajectory, Trajectory):
        raise ValueError(
            "trajectory must be what simulate(..., record_plans=True) returns, got "
            f"{shown(trajectory)}"
        )
    if not trajectory.plans:
        raise ValueError(
            "the trajectory has no plans: record it with simulate(..., record_plans=True)"
        )
    return trajectory.plans


def agent_horizon(trajectory: Trajectory) -> int | None:
    """H of the agent of a run with plans, whose Q is then (H, S, A); None without a horizon."""
    q = require_plans(trajectory)[0].q
    return len(q) if q.ndim == 3 else None


def require_model(env, trajectory: Trajectory) -> MDP:
    """Return the exact MDP of the world of a run with plans.

    Raises
    ------
    ValueError
        If it is not known, its sizes differ from those of the agent's plans, or a transition or a
        reward of the run is impossible in it. (Other chances of the same outcomes pass.)
    """
    model = getattr(env, "model", None)
    if not isinstance(model, MDP):
        raise ValueError(
            "the theory needs a world whose model is known: env.model is missing, got env = "
            f"{shown(env)}"
        )
    shape = trajectory.plans[0].q.shape[-2:]
    if model.rewards.shape != shape:
        raise ValueError(
            f"env must be the world of the run, of {shape[0]} states and {shape[1]} actions, got "
            f"{shown(env)}"
        )
    steps = [trajectory.states, trajectory.actions, trajectory.next_states]
    state, action, following = np.unique(np.stack(steps), axis=1)
    listed = model.successors[state, action] == following[:, None]
    chance = model.background[state, action] + (listed * model.weights[state, action]).sum(axis=1)
    if (chance <= 0).any():
        at = int(np.argmax(chance <= 0))
        raise ValueError(
            f"env must be the world of the run, got {shown(env)}: there action {action[at]} cannot "
            f"lead from state {state[at]} to {following[at]}, as it did"
        )
    if isinstance(env, TabularEnvironment):
        _require_rewards(env, trajectory)
    return model


def _require_rewards(env: TabularEnvironment, trajectory: Trajectory) -> None:
    """Raise ``ValueError`` if the world cannot pay a reward of the run where it paid it."""
    at = trajectory.states, trajectory.actions
    leads_there = env.outcome_states[at] == trajectory.next_states[:, None]
    pays_it = (env.outcome_rewards[at] == trajectory.rewards[:, None]) | (
        env.reward_deviations[at] > 0
    )
    could_be = (leads_there & pays_it & (env.outcome_probabilities[at] > 0)).any(axis=1)
    if not could_be.all():
        step = int(np.argmin(could_be))
        raise ValueError(
            f"env must be the world of the run, got {shown(env)}: there action "
            f"{trajectory.actions[step]} in state {trajectory.states[step]} cannot pay "
            f"{trajectory.rewards[step]:g}, as it did"
        )


def episode_starts(trajectory: Trajectory) -> np.ndarray:
    """The places of the first step of each episode, the last of which may be cut short."""
    return np.flatnonzero(np.append(True, trajectory.episode_ends[:-1]))


def episode_policy(trajectory: Trajectory, start: int) -> np.ndarray:
    """π_k of the episode that starts at a step, (H, S): greedy, with the actions that it took."""
    policy = greedy_policy(trajectory.plans[start].q)
    for step in range(start, len(trajectory)):
        policy[step - start, trajectory.states[step]] = trajectory.actions[step]
        if trajectory.episode_ends[step]:
            break
    return policy


def _episode_regret(trajectory: Trajectory, model, horizon: int, discount: float) -> np.ndarray:
    best = backward_induction(model, horizon, discount).v[0]
    regrets = []
    for start in episode_starts(trajectory):
        value = evaluate_horizon_policy(model, episode_policy(trajectory, start), discount)[0]
        regrets.append(best[trajectory.states[start]] - value[trajectory.states[start]])
    return np.maximum(np.array(regrets), 0.0)
