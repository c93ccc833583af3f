"""The four value functions of a recorded run with a horizon, by backward induction per episode."""

from dataclasses import replace

import numpy as np

from eubrl_edu.planning import backward_induction, evaluate_horizon_policy
from eubrl_edu.theory.measured import episode_policy, episode_starts, require_model, require_plans
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.run_values import (
    auxiliary_reward,
    critical_settings,
    lambda_sequence,
    require_decomposable,
    require_m_and_eta,
)
from eubrl_edu.theory.solved_values import EpisodeValues
from eubrl_edu.theory.world_rewards import reward_map
from eubrl_edu.trajectory import Trajectory


def episode_values(
    trajectory: Trajectory,
    env,
    *,
    delta: float = 0.1,
    r_max: float | None = None,
    lambda_t=None,
    m: float | None = None,
    eta: float | None = None,
    rescale: bool = False,
) -> EpisodeValues:
    r"""Solve V*, V^π, V^k and Ṽ^k for every episode of a recorded run of EUBRL with a horizon.

    Ṽ^k is the value function of (S, A, P̂^k, r̃^k, H), with the r̃ of `run_values` (the paper,
    "Proofs for Finite-horizon Episodic MDPs", "Preliminary Constructions"), cut off at V↑ where
    the agent's values are.

    Parameters
    ----------
    trajectory : Trajectory
        From ``simulate(..., record_plans=True)``, of an agent that knew nothing at its start and
        plans between episodes only: ``plan_every="episode"``, and without a discount.
    env : TabularEnvironment
        The world of the run.
    delta, r_max, m, eta, rescale
        As of `run_values`; by default m = (H / λ)² and the paper's η.
    lambda_t : float or (K,) array, optional
        λ_k in (0, 1]; by default the λ of the regret analysis for K episodes.

    Returns
    -------
    EpisodeValues

    Raises
    ------
    ValueError
        As `run_values`; also if the agent planned within an episode, or discounts.
    """
    plans, model = require_plans(trajectory), require_model(env, trajectory)
    horizon, starts = len(plans[0].q), episode_starts(trajectory)
    require_decomposable(plans, model, len(starts) * horizon)
    _require_episodic(trajectory, starts)
    mapped = reward_map(env, r_max, rescale)
    problem = Problem(
        model.n_states, model.n_actions, mapped.r_max, delta, discount=None, horizon=horizon
    )
    plans = tuple(plans[start] for start in starts)
    lambdas = lambda_sequence(problem, lambda_t, len(starts))
    m, eta = require_m_and_eta(m, eta)
    visits = _visits_before(trajectory, starts, model.rewards.shape)
    policies = np.stack([episode_policy(trajectory, start) for start in starts])

    model = mapped.mdp(model)
    best = backward_induction(model, horizon)
    auxiliary = []
    for plan, lambda_, before in zip(plans, lambdas, visits, strict=True):
        critical, upsilon = critical_settings(problem, lambda_, m, eta)
        reached = (before >= critical) & (before > 0)
        rewards = mapped.original(auxiliary_reward(plan, mapped, before, reached, upsilon))
        # In the agent's units, in which its values are cut off, and then mapped as its own are.
        own, cap = (
            replace(plan.model, rewards=rewards, terminal_states=()),
            getattr(plan, "value_cap", None),
        )
        auxiliary.append(mapped.episode_values(backward_induction(own, horizon, cap=cap).v))
    return EpisodeValues(
        problem=problem,
        reward_map=mapped,
        model=model,
        optimal=best.v,
        optimal_policy=best.policy,
        policies=policies,
        policy=np.stack([evaluate_horizon_policy(model, policy) for policy in policies]),
        agent=np.stack([mapped.episode_values(plan.v) for plan in plans]),
        auxiliary=np.stack(auxiliary),
        plans=plans,
        lambdas=lambdas,
        visits=visits,
        first_states=trajectory.states[starts],
    )


def _visits_before(
    trajectory: Trajectory, starts: np.ndarray, shape: tuple[int, int]
) -> np.ndarray:
    """N before each episode, (K, S, A)."""
    visits = np.zeros((len(starts), *shape))
    for episode, (start, after) in enumerate(zip(starts, starts[1:], strict=False)):
        visits[episode + 1] = visits[episode]
        steps = slice(start, after)
        np.add.at(visits[episode + 1], (trajectory.states[steps], trajectory.actions[steps]), 1)
    return visits


def _require_episodic(trajectory: Trajectory, starts: np.ndarray) -> None:
    plans = trajectory.plans
    episode = np.searchsorted(starts, np.arange(len(trajectory)), side="right") - 1
    if any(plan is not plans[starts[number]] for plan, number in zip(plans, episode, strict=True)):
        raise ValueError(
            "the decomposition of episodes is about agents that plan between them: give the agent "
            'plan_every="episode"'
        )
    first = plans[0]
    undiscounted = first.model.rewards + first.model.expected(first.v[1])
    if not np.allclose(first.q[0], undiscounted, rtol=1e-9, atol=1e-9):
        raise ValueError(
            "the paper's episodes are without discount: give an agent with a horizon discount=1"
        )
