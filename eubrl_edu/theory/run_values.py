"""The four value functions of a recorded run, solved exactly at each of its steps."""

from dataclasses import replace

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution, evaluate_policy, solve
from eubrl_edu.planning.capped import solve_capped
from eubrl_edu.simulation import PLAN_LIMIT
from eubrl_edu.theory.measured import Policies, agent_horizon, require_model, require_plans
from eubrl_edu.theory.problem import Problem, require_lambda
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.solved_values import RunValues
from eubrl_edu.theory.world_rewards import RewardMap, reward_map
from eubrl_edu.trajectory import Trajectory
from eubrl_edu.validation import as_array, require_at_least, require_discount, shown


def run_values(
    trajectory: Trajectory,
    env,
    *,
    discount: float,
    delta: float = 0.1,
    r_max: float | None = None,
    lambda_t=None,
    m: float | None = None,
    eta: float | None = None,
    rescale: bool = False,
) -> RunValues:
    r"""Solve V*, V^π, V^t and Ṽ^t for every step of a recorded run of EUBRL.

    Ṽ^t is the value function of the agent's own model under another reward: the agent's up to m
    visits, and from there on one whose excess falls with 1/N,

    .. math:: \tilde r^t = (1-P_U^t)\,r_b^t + b^t, \qquad b^t = \begin{cases}
              P_U^t\,\mathcal E_b^t & N^t < m \\ P_U^t R_{\max} + \Upsilon^t/N^t & \text{otherwise}
              \end{cases}

    (the paper, "Preliminary Constructions"; E_b holds η). Where the agent's values are cut off at
    V↑, so are those of Ṽ.

    Parameters
    ----------
    trajectory : Trajectory
        From ``simulate(..., record_plans=True)``, of an agent that knew nothing at its start.
    env : TabularEnvironment
        The world of the run.
    discount : float
        γ of the agent, with which its plans solve their Bellman equation.
    delta : float
        δ in (0, 1].
    r_max : float, optional
        R_max; by default the largest reward of the world.
    lambda_t : float or (T,) array, optional
        λ_t in (0, 1]; by default the λ of the regret analysis for T steps.
    m : float, optional
        Critical number of visits; by default the paper's, V↑² / (R_max λ_t)².
    eta : float, optional
        η from which Υ = (η − R_max √m) / E_max follows, with E_max = 1 and at least 0; by default
        the paper's η, so that Υ = 7 V↑ ℓ1 / λ_t.
    rescale : bool
        Whether rewards outside [0, R_max] are shifted and scaled into [0, 1] instead of refused.

    Returns
    -------
    RunValues

    Raises
    ------
    ValueError
        If the run has no plans or is too large, its agent is not guided by P_U, has a horizon or
        another γ, the world's rewards are outside [0, R_max], or an argument is outside its range.
    """
    plans, model = require_plans(trajectory), require_model(env, trajectory)
    require_decomposable(plans, model, len(trajectory))
    if agent_horizon(trajectory) is not None:
        raise ValueError(
            "values by step are those of discounted problems, this agent had a horizon: "
            "theory.decompose and theory.regret take its runs, by episode"
        )
    discount = require_discount(discount)
    _require_own_discount(plans, discount)
    mapped = reward_map(env, r_max, rescale)
    problem = Problem(model.n_states, model.n_actions, mapped.r_max, delta, discount)
    lambdas = lambda_sequence(problem, lambda_t, len(trajectory))
    m, eta = require_m_and_eta(m, eta)

    model = mapped.mdp(model)
    best = solve(model, discount)
    policies = Policies(trajectory)
    moments, moment_of_step, visits = _moments(trajectory, lambdas, model.rewards.shape)

    agent = np.stack([mapped.values(plan.v, discount) for plan, _ in moments])
    auxiliary = np.empty_like(agent)
    settings = {each: critical_settings(problem, each, m, eta) for each in set(lambdas.tolist())}
    previous: Solution | None = None
    for number, (plan, lambda_) in enumerate(moments):
        critical, upsilon = settings[lambda_]
        reached = (visits[number] >= critical) & (visits[number] > 0)
        if not reached.any():
            auxiliary[number] = agent[number]
            continue
        rewards = auxiliary_reward(plan, mapped, visits[number], reached, upsilon)
        auxiliary_model = replace(plan.model, rewards=rewards, terminal_states=())
        previous = _solve(auxiliary_model, plan, mapped, discount, previous)
        auxiliary[number] = previous.v

    return RunValues(
        problem=problem,
        reward_map=mapped,
        model=model,
        optimal=best.v,
        optimal_policy=best.policy,
        policies=np.stack(policies.distinct),
        policy=np.stack([evaluate_policy(model, each, discount) for each in policies.distinct]),
        agent=agent,
        auxiliary=auxiliary,
        plans=tuple(plan for plan, _ in moments),
        lambdas=np.array([lambda_ for _, lambda_ in moments]),
        visits=visits,
        policy_of_step=policies.of_step,
        moment_of_step=moment_of_step,
    )


def _require_own_discount(plans: tuple, discount: float) -> None:
    """Raise ``ValueError`` if the agent planned with another γ, as far as its plans tell.

    They do as soon as any value is not 0: Q = r + γPV.
    """
    plan = max(dict.fromkeys(plans), key=lambda plan: np.abs(plan.v).max())
    following = plan.model.expected(plan.v)
    largest = np.unravel_index(np.abs(following).argmax(), following.shape)
    left = plan.q - plan.model.rewards
    scale = np.abs(plan.q).max()
    if np.abs(left - discount * following).max() > 1e-6 * scale:
        own = left[largest] / following[largest]
        raise ValueError(
            f"discount must be the agent's own: its plans have γ = {own:.6g}, got {discount!r}"
        )


def auxiliary_reward(
    plan, mapped: RewardMap, visits: np.ndarray, reached: np.ndarray, upsilon: float
) -> np.ndarray:
    """The reward r̃ of Ṽ: the agent's own, and (1 − P_U) r_b + P_U R_max + Υ/N from m visits on.

    Parameters
    ----------
    plan : GuidedPlan or CountPlan
    mapped : RewardMap
    visits : (S, A) array
        N.
    reached : (S, A) boolean array
        Where N ≥ m.
    upsilon : float
        Υ.

    Returns
    -------
    (S, A) array
    """
    p_u = plan.probability_of_uncertainty
    late = (1 - p_u) * mapped.rewards(plan.mean_reward) + p_u * mapped.r_max
    late = late + upsilon / np.maximum(visits, 1.0)
    return np.where(reached, late, mapped.rewards(plan.model.rewards))


def _solve(model: MDP, plan, mapped: RewardMap, discount: float, start: Solution | None):
    cap = getattr(plan, "value_cap", None)
    if cap is None:
        return solve(model, discount, start)
    return solve_capped(model, discount, float(mapped.values(cap, discount)), start)


def _moments(trajectory: Trajectory, lambdas: np.ndarray, shape: tuple[int, int]):
    """The distinct (plan, λ) of a run, which of them each step has, and the visits before each."""
    number: dict[tuple[int, float], int] = {}
    moments, before = [], []
    of_step = np.empty(len(trajectory), dtype=np.int64)
    counts = np.zeros(shape)
    counts_of_plan: dict[int, np.ndarray] = {}
    for step, plan in enumerate(trajectory.plans):
        key = id(plan), float(lambdas[step])
        if key not in number:
            number[key] = len(moments)
            moments.append((plan, float(lambdas[step])))
            before.append(counts_of_plan.setdefault(id(plan), counts.copy()))
        of_step[step] = number[key]
        counts[trajectory.states[step], trajectory.actions[step]] += 1
    return moments, of_step, np.stack(before)


def critical_settings(
    problem: Problem, lambda_: float, m: float | None, eta: float | None
) -> tuple[float, float]:
    """Υ's threshold m, and Υ: the paper's for λ, unless m, or the η behind Υ, is given."""
    settings = schedule(problem, lambda_)
    critical = settings.m if m is None else m
    if eta is None:
        return critical, settings.upsilon
    return critical, max(eta - problem.r_max * critical**0.5, 0.0)


def require_m_and_eta(m, eta) -> tuple[float | None, float | None]:
    """Return both, None where they are left out, or raise ``ValueError``."""
    m = None if m is None else require_at_least("m", m, 0)
    return m, None if eta is None else require_at_least("eta", eta, 0)


def lambda_sequence(problem: Problem, lambda_t, count: int) -> np.ndarray:
    """λ of each of so many steps (or episodes): as given, or the regret analysis's for them."""
    if lambda_t is None:
        lambda_t = regret_lambda(problem, count)
    lambdas = as_array("lambda_t", lambda_t)
    numbers = lambdas.dtype.kind in "iuf" and lambdas.shape in ((), (count,))
    if not numbers or not ((lambdas > 0) & (lambdas <= 1)).all():
        raise ValueError(
            f"lambda_t must be a number in (0, 1], or {count} of them, got {shown(lambda_t)}"
        )
    return np.broadcast_to(require_lambda(lambdas.astype(float), "lambda_t"), (count,))


def require_decomposable(plans: tuple, model: MDP, steps: int) -> None:
    """Raise ``ValueError`` where a run is too large, or its agent has no P_U."""
    size = model.n_states * model.n_actions * steps
    if size > PLAN_LIMIT:
        raise ValueError(
            f"runs can be decomposed up to {PLAN_LIMIT} states times actions times steps, got "
            f"{model.n_states} states times {model.n_actions} actions times {steps} steps = {size}"
        )
    if not hasattr(plans[0], "probability_of_uncertainty"):
        raise ValueError(
            "only the plans of EUBRL have P_U, which the decomposition needs; theory.regret and "
            "theory.sample_complexity take those of any agent"
        )
