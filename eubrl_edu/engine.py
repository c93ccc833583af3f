"""The same runs, compiled: for many seeds, bit for bit what the readable classes do.

`simulate` takes an agent and a world as `eubrl_edu.simulation.simulate` does, and gives the same
trajectory for the same seed. The readable classes remain the definition; each function here names
the one that it mirrors, and the tests hold the two against each other for every agent and world.

All sums run in the order of the readable code, and no step is left to an optimiser's freedom, so
that even the last bit agrees.
"""

from typing import NamedTuple

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numba import njit
from scipy.special import psi, xlogy

from eubrl_edu.agents import BEB, EUBRL, MBIEEB, RMAX, VBRB, MeanMDP, PlanningAgent
from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.beliefs import (
    BetaBernoulliRewards,
    KnownRewards,
    NormalGammaRewards,
    NormalRewards,
)
from eubrl_edu.beliefs import conjugate_rewards as formulas
from eubrl_edu.beliefs.successors import widen
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import kernels
from eubrl_edu.simulation import Trajectory
from eubrl_edu.success import EPISODES_IN_A_ROW, NEARLY_ALL, OPTIMAL_REWARDS, SuccessWatch
from eubrl_edu.validation import require_positive_int

# The formulas of the readable beliefs, compiled as they stand.
_normal_gamma_update = njit(cache=True)(formulas.normal_gamma_update)
_normal_gamma_variance = njit(cache=True)(formulas.normal_gamma_variance)
_normal_mean = njit(cache=True)(formulas.normal_mean)
_normal_variance = njit(cache=True)(formulas.normal_variance)
_beta_mean = njit(cache=True)(formulas.beta_mean)
_beta_variance = njit(cache=True)(formulas.beta_variance)

# What rewards an agent plans with.
MEAN, GUIDED, GUIDED_BY_COUNT, COUNT_BONUS, DEVIATION_BONUS, OPTIMISTIC, INTERVAL = range(7)
# What an agent believes of rewards.
KNOWN, NORMAL_GAMMA, NORMAL, BERNOULLI = range(4)


class World(NamedTuple):
    """A `TabularEnvironment` as arrays."""

    next_states: np.ndarray
    cumulative: np.ndarray
    n_outcomes: np.ndarray
    rewards: np.ndarray
    deviations: np.ndarray
    initial_states: np.ndarray
    initial_cumulative: np.ndarray
    is_terminal: np.ndarray
    max_episode_steps: int


class Learner(NamedTuple):
    """The settings of an agent."""

    kind: int
    eta: float
    discount: float
    plan_every: int
    known_after: int
    r_max: float
    prior_total: float


class Knowledge(NamedTuple):
    """What an agent has learned: a `Belief`, or the counts of an `EmpiricalAgent`."""

    successors: np.ndarray
    listed: np.ndarray
    counts: np.ndarray
    visits: np.ndarray
    alpha: float
    tied: bool
    displacement_counts: np.ndarray
    information: np.ndarray
    reward_kind: int
    on_action: bool
    n: np.ndarray
    first: np.ndarray
    second: np.ndarray
    prior: np.ndarray


class Tables(NamedTuple):
    """What planning reads (`PosteriorPredictive`) and writes (`Solution`)."""

    successors: np.ndarray
    weights: np.ndarray
    background: np.ndarray
    mean_reward: np.ndarray
    transition_uncertainty: np.ndarray
    reward_uncertainty: np.ndarray
    rewards: np.ndarray
    max_uncertainty: np.ndarray
    values: np.ndarray
    policy: np.ndarray
    q: np.ndarray
    integers: np.ndarray
    floats: np.ndarray


class Rule(NamedTuple):
    """A `SuccessRule` as numbers: -1 or NaN for what is not asked for."""

    optimal_reward: float
    last_state: int
    last_action: int
    episode_return: float
    states: np.ndarray
    right_actions: np.ndarray
    nearly_at: int


# ---- belief: `Belief.update`, `DirichletTransitions`, the reward beliefs -----------------------


@njit(cache=True)
def _outcome(knowledge, state, action, next_state):
    """`SuccessorTable.outcome`."""
    for k in range(knowledge.listed[state, action]):
        if knowledge.successors[state, action, k] == next_state:
            return k
    k = knowledge.listed[state, action]
    knowledge.successors[state, action, k] = next_state
    knowledge.listed[state, action] = k + 1
    return k


@njit(cache=True)
def _learn(knowledge, state, action, reward, next_state):
    """`Belief.update`."""
    k = _outcome(knowledge, state, action, next_state)
    knowledge.visits[state, action] += 1.0
    if knowledge.tied:
        if 0 < state < knowledge.visits.shape[0] - 1:
            knowledge.displacement_counts[action, next_state - state + 1] += 1.0
    else:
        knowledge.counts[state, action, k] += 1.0
    if knowledge.on_action:
        k = 0
    at = state, action, k
    if knowledge.reward_kind == NORMAL_GAMMA:
        precision_count = knowledge.prior[1] + knowledge.n[at]
        knowledge.first[at], knowledge.second[at] = _normal_gamma_update(
            knowledge.first[at], knowledge.second[at], precision_count, 1.0, reward, 0.0
        )
    elif knowledge.reward_kind == NORMAL:
        knowledge.first[at] += reward
    elif knowledge.reward_kind == BERNOULLI:
        knowledge.first[at] += reward
        knowledge.second[at] += 1.0 - reward
    knowledge.n[at] += 1.0


@njit(cache=True)
def _reward_posterior(knowledge, n, first, second):
    """`RewardBelief.posterior` of one outcome: mean, and variance of the mean."""
    prior = knowledge.prior
    if knowledge.reward_kind == NORMAL_GAMMA:
        return first, _normal_gamma_variance(n, second, prior[1], prior[2])
    if knowledge.reward_kind == NORMAL:
        mean = _normal_mean(n, first, prior[0], prior[1], prior[2])
        return mean, _normal_variance(n, prior[1], prior[2])
    if knowledge.reward_kind == BERNOULLI:
        return _beta_mean(first, second), _beta_variance(first, second)
    return first, 0.0 * first


@njit(cache=True)
def _unlisted_reward(knowledge):
    """`RewardBelief.prior`."""
    prior = knowledge.prior
    if knowledge.reward_kind == NORMAL_GAMMA:
        return prior[0], _normal_gamma_variance(0.0, prior[3], prior[1], prior[2])
    if knowledge.reward_kind == NORMAL:
        return prior[0], _normal_variance(0.0, prior[1], prior[2])
    if knowledge.reward_kind == BERNOULLI:
        return _beta_mean(prior[0], prior[1]), _beta_variance(prior[0], prior[1])
    return 0.0, 0.0


# ---- uncertainty: `PosteriorPredictive` and the formulas of `uncertainty` ----------------------


@njit(cache=True)
def _dirichlet(knowledge, state, action, listed, others):
    """`parameters`: fill ``listed`` and ``others``; return total, alpha and number unlisted."""
    n_states = knowledge.visits.shape[0]
    alpha = knowledge.alpha
    if knowledge.tied:
        for k in range(3):
            listed[k] = alpha + knowledge.displacement_counts[action, k]
        if state == 0:
            listed[0], listed[1] = listed[0] + listed[1], 0.0
        if state == n_states - 1:
            listed[1], listed[2] = listed[1] + listed[2], 0.0
        others[0] = listed[1] + listed[2]
        others[1] = listed[0] + listed[2]
        others[2] = listed[0] + listed[1]
        return listed[0] + listed[1] + listed[2], 0.0, 0
    visits = knowledge.visits[state, action]
    others_prior = alpha * (n_states - 1)
    n_listed = knowledge.listed[state, action]
    for k in range(n_listed):
        count = knowledge.counts[state, action, k]
        listed[k] = alpha + count
        others[k] = others_prior + (visits - count)
    return alpha * n_states + visits, alpha, n_states - n_listed


@njit(cache=True)
def _transition_uncertainty(knowledge, state, action, listed, others, total, alpha, n_unlisted):
    """`transition_variance`, or `transition_mutual_information` from its tabulated terms."""
    n_listed = knowledge.listed[state, action]
    terms = knowledge.information
    if terms.shape[1] > 0:
        information = n_unlisted * terms[4, 0]
        for k in range(n_listed):
            count = int(knowledge.counts[state, action, k])
            information = information + terms[0, count] - terms[1, count]
        visits = int(knowledge.visits[state, action])
        information = (information - terms[2, visits] + terms[3, visits]) / total
        return max(information, 0.0)
    spread = n_unlisted * alpha * (total - alpha)
    for k in range(n_listed):
        spread = spread + listed[k] * others[k]
    return spread / (total * total * (total + 1.0))


@njit(cache=True)
def _refresh_pair(knowledge, tables, state, action, listed, others):
    """`PosteriorPredictive._refresh_pair`."""
    n_listed = knowledge.listed[state, action]
    total, alpha, n_unlisted = _dirichlet(knowledge, state, action, listed, others)
    for k in range(n_listed):
        count = listed[k] if knowledge.tied else knowledge.counts[state, action, k]
        tables.weights[state, action, k] = count / total
    tables.background[state, action] = alpha / total
    tables.transition_uncertainty[state, action] = _transition_uncertainty(
        knowledge, state, action, listed, others, total, alpha, n_unlisted
    )
    n, first, second = knowledge.n, knowledge.first, knowledge.second
    if knowledge.on_action:
        at = state, action, 0
        mean, variance = _reward_posterior(knowledge, n[at], first[at], second[at])
        tables.mean_reward[state, action] = mean + 0.0
        tables.reward_uncertainty[state, action] = variance + 0.0
        return
    unlisted_mean, unlisted_variance = _unlisted_reward(knowledge)
    weighted_mean = n_unlisted * alpha * unlisted_mean
    weighted_variance = n_unlisted * alpha * unlisted_variance
    for k in range(n_listed):
        at = state, action, k
        mean, variance = _reward_posterior(knowledge, n[at], first[at], second[at])
        weighted_mean = weighted_mean + listed[k] * mean
        weighted_variance = weighted_variance + listed[k] * variance
    tables.mean_reward[state, action] = weighted_mean / total
    tables.reward_uncertainty[state, action] = weighted_variance / total


@njit(cache=True)
def _epistemic_uncertainty(learner, knowledge, tables, state, action):
    """`epistemic_uncertainty`, or `count_uncertainty`, of a pair that is not terminal."""
    if learner.kind == GUIDED_BY_COUNT:
        return learner.eta / np.sqrt(max(knowledge.visits[state, action], 1.0))
    return learner.eta * (
        np.sqrt(tables.transition_uncertainty[state, action])
        + np.sqrt(tables.reward_uncertainty[state, action])
    )


# ---- planning: the agents' `plan` --------------------------------------------------------------


@njit(cache=True)
def _set_planning_rewards(learner, knowledge, tables, is_terminal):
    """The rewards of `EUBRL.plan`, or `MeanMDP.planning_reward` and its variants."""
    rewards, mean = tables.rewards, tables.mean_reward
    n_states, n_actions = rewards.shape
    guided = learner.kind == GUIDED or learner.kind == GUIDED_BY_COUNT
    for state in range(n_states):
        for action in range(n_actions):
            bonus = 0.0
            if is_terminal[state] or learner.kind == MEAN:
                pass
            elif learner.kind == COUNT_BONUS:
                visits = knowledge.visits[state, action]
                bonus = learner.eta / (1.0 + visits + learner.prior_total)
            else:
                bonus = _epistemic_uncertainty(learner, knowledge, tables, state, action)
            # For a guided agent this holds E_b until E_max is known.
            rewards[state, action] = bonus if guided else mean[state, action] + bonus
    if guided:
        largest = tables.max_uncertainty[0]
        for epistemic in rewards.flat:
            largest = max(largest, epistemic)
        tables.max_uncertainty[0] = largest
        for state in range(n_states):
            for action in range(n_actions):
                epistemic = rewards[state, action]
                probability = epistemic / largest if largest > 0.0 else 0.0
                rewards[state, action] = (1.0 - probability) * mean[
                    state, action
                ] + probability * epistemic


@njit(cache=True)
def _set_empirical_model(learner, knowledge, tables, is_terminal):
    """The model of `EmpiricalAgent.plan`."""
    n_states, n_actions = tables.rewards.shape
    for state in range(n_states):
        for action in range(n_actions):
            visits = max(knowledge.visits[state, action], 1.0)
            known = knowledge.visits[state, action] >= learner.known_after
            stays = is_terminal[state] or not known
            counted = max(knowledge.counts[state, action].sum(), 1.0)
            for k in range(tables.weights.shape[2]):
                tables.successors[state, action, k] = knowledge.successors[state, action, k]
                tables.weights[state, action, k] = (
                    0.0 if stays else knowledge.counts[state, action, k] / counted
                )
            reward = knowledge.first[state, action, 0] / visits
            if learner.kind == INTERVAL:
                reward = reward + learner.eta / np.sqrt(visits)
            if stays:
                tables.successors[state, action, 0] = state
                tables.weights[state, action, 0] = 1.0
                reward = 0.0 if is_terminal[state] else learner.r_max
            tables.rewards[state, action] = reward


@njit(cache=True)
def _plan(learner, knowledge, tables, is_terminal, listed, others):
    """`plan` of every agent of this module."""
    if learner.kind == OPTIMISTIC or learner.kind == INTERVAL:
        _set_empirical_model(learner, knowledge, tables, is_terminal)
    else:
        if knowledge.tied:
            for state in range(tables.q.shape[0]):
                if not is_terminal[state]:
                    for action in range(tables.q.shape[1]):
                        _refresh_pair(knowledge, tables, state, action, listed, others)
        _set_planning_rewards(learner, knowledge, tables, is_terminal)
    kernels.solve(
        tables.successors,
        tables.weights,
        tables.background,
        tables.rewards,
        learner.discount,
        tables.values,
        tables.policy,
        tables.q,
        tables.integers,
        tables.floats,
    )


# ---- the run: `simulation.run` and `SuccessWatch` ----------------------------------------------


@njit(cache=True)
def _draw(cumulative, n_outcomes, rng):
    """`TabularEnvironment._draw`."""
    if n_outcomes == 1:
        return 0
    uniform = rng.random()
    for k in range(n_outcomes):
        if uniform < cumulative[k]:
            return k
    return n_outcomes - 1


@njit(cache=True)
def _is_good(rule, q, state, action, next_state, episode_return):
    """`SuccessWatch._is_good`."""
    if rule.last_state >= 0 and not (state == rule.last_state and action == rule.last_action):
        return False
    if not np.isnan(rule.episode_return) and episode_return != rule.episode_return:
        return False
    right = 0
    for i in range(rule.states.shape[0]):
        if np.argmax(q[rule.states[i]]) == rule.right_actions[i]:
            right += 1
    needed = NEARLY_ALL if next_state == rule.nearly_at else 1.0
    return right >= needed * rule.states.shape[0]


@njit(cache=True)
def _run(
    world, learner, knowledge, tables, rule, watching, world_rng, rng,
    states, actions, rewards, next_states, terminated, episode_ends,
):  # fmt: skip
    """Fill the six arrays step by step; return how many steps were taken and whether it solved."""
    n_actions = tables.q.shape[1]
    width = knowledge.successors.shape[2]
    listed, others = np.empty(width), np.empty(width)
    ties = np.empty(n_actions, dtype=np.int64)
    n_starts = world.initial_states.shape[0]
    optimistic = learner.kind == OPTIMISTIC
    empirical = optimistic or learner.kind == INTERVAL
    planned = False
    in_episode, in_a_row, collected, episode_return = 0, 0, 0, 0.0

    state = world.initial_states[_draw(world.initial_cumulative, n_starts, world_rng)]
    for step in range(states.shape[0]):
        if not planned:
            _plan(learner, knowledge, tables, world.is_terminal, listed, others)
            planned = True
        action = 0
        n_ties = kernels.greedy_actions(tables.q[state], ties)
        action = ties[0] if n_ties == 1 else ties[rng.integers(0, n_ties)]

        k = _draw(world.cumulative[state, action], world.n_outcomes[state, action], world_rng)
        reward = world.rewards[state, action, k]
        if world.deviations[state, action, k] > 0:
            reward += world.deviations[state, action, k] * world_rng.standard_normal()
        next_state = world.next_states[state, action, k]
        in_episode += 1
        ended = world.is_terminal[next_state]
        episode_end = ended or in_episode == world.max_episode_steps

        became_known = False
        if empirical:
            if not optimistic or knowledge.visits[state, action] < learner.known_after:
                k = _outcome(knowledge, state, action, next_state)
                knowledge.counts[state, action, k] += 1.0
            knowledge.visits[state, action] += 1.0
            knowledge.first[state, action, 0] += reward
            became_known = knowledge.visits[state, action] == learner.known_after
        else:
            _learn(knowledge, state, action, reward, next_state)
            if not knowledge.tied:
                _refresh_pair(knowledge, tables, state, action, listed, others)
        if optimistic:
            due = became_known
        elif learner.plan_every == 0:
            due = episode_end
        else:
            due = (step + 1) % learner.plan_every == 0
        if due:
            _plan(learner, knowledge, tables, world.is_terminal, listed, others)

        states[step], actions[step], rewards[step] = state, action, reward
        next_states[step], terminated[step], episode_ends[step] = next_state, ended, episode_end
        if watching:
            episode_return += reward
            if reward == rule.optimal_reward:
                collected += 1
            if episode_end:
                good = _is_good(rule, tables.q, state, action, next_state, episode_return)
                in_a_row = in_a_row + 1 if good else 0
                episode_return = 0.0
            if np.isnan(rule.optimal_reward):
                solved = in_a_row >= EPISODES_IN_A_ROW
            else:
                solved = collected >= OPTIMAL_REWARDS
            if solved:
                return step + 1, True
        state = next_state
        if episode_end:
            state = world.initial_states[_draw(world.initial_cumulative, n_starts, world_rng)]
            in_episode = 0
    return states.shape[0], False


# ---- from classes to arrays --------------------------------------------------------------------

_KINDS = {
    MeanMDP: MEAN,
    EUBRL: GUIDED,
    BEB: COUNT_BONUS,
    VBRB: DEVIATION_BONUS,
    RMAX: OPTIMISTIC,
    MBIEEB: INTERVAL,
}
# For each reward belief: its number, its two arrays, and the arguments of its prior.
_REWARDS = {
    KnownRewards: (KNOWN, ("mean", "mean"), ()),
    NormalGammaRewards: (NORMAL_GAMMA, ("mean", "beta"), ("mu0", "lambda0", "alpha0", "beta0")),
    NormalRewards: (NORMAL, ("reward_sum", "reward_sum"), ("mu0", "tau0", "tau")),
    BetaBernoulliRewards: (BERNOULLI, ("successes", "failures"), ("alpha0", "beta0")),
}


def why_not(agent: PlanningAgent, env: gymnasium.Env) -> str | None:
    """Say why this agent cannot run compiled in this world; None if it can.

    Parameters
    ----------
    agent : PlanningAgent
        The agent, as it was made.
    env : gymnasium.Env
        The world.
    """
    if not isinstance(env, TabularEnvironment):
        return "the world is not a table of this package"
    if type(agent) not in _KINDS:
        return f"{type(agent).__name__} has no compiled twin"
    if agent.horizon is not None:
        return "the agent has a horizon"
    if agent.current_plan is not None:
        return "the agent has already planned"
    if isinstance(agent, EUBRL) and agent.belief.transitions.tied:
        if agent.uncertainty == "mutual-information":
            return "mutual information under a tied prior is not compiled"
    if isinstance(agent, MeanMDP) and type(agent.belief.rewards) not in _REWARDS:
        return f"{type(agent.belief.rewards).__name__} has no compiled twin"
    return None


def simulate(
    agent: PlanningAgent,
    env: TabularEnvironment,
    steps: int,
    seed: int | None = None,
    until: SuccessWatch | None = None,
) -> Trajectory:
    """Run an agent in a world, compiled; the trajectory is that of `simulation.simulate`.

    Parameters
    ----------
    agent : PlanningAgent
        The agent, as it was made. It stays so: what is learned on the way is not kept.
    env : TabularEnvironment
        One of this package's worlds.
    steps : int
        How many steps at most.
    seed : int, optional
        Seed of everything random in the run.
    until : SuccessWatch, optional
        Stop when its rule holds; its ``solved`` then says so.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        If ``steps`` is not a positive integer, or `why_not` has a reason.
    """
    limit = require_positive_int("steps", steps)
    reason = why_not(agent, env)
    if reason is not None:
        raise ValueError(f"this run cannot be compiled: {reason}")
    world_seed, agent_seed = np.random.SeedSequence(seed).spawn(2)
    world_rng, _ = seeding.np_random(int(world_seed.generate_state(1)[0]))
    knowledge, tables = _learning_state(agent, env, limit)
    columns = (
        np.empty(limit, dtype=np.int64),
        np.empty(limit, dtype=np.int64),
        np.empty(limit),
        np.empty(limit, dtype=np.int64),
        np.empty(limit, dtype=np.bool_),
        np.empty(limit, dtype=np.bool_),
    )
    taken, solved = _run(
        _world(env),
        _learner(agent),
        knowledge,
        tables,
        _rule(until),
        until is not None,
        world_rng,
        np.random.default_rng(agent_seed),
        *columns,
    )
    if until is not None:
        until.solved = solved
    return Trajectory(*(column[:taken].copy() for column in columns))


def _world(env: TabularEnvironment) -> World:
    is_terminal = np.zeros(env.n_states, dtype=np.bool_)
    is_terminal[list(env.terminal_states)] = True
    return World(
        next_states=env.outcome_states,
        cumulative=np.cumsum(env.outcome_probabilities, axis=-1),
        n_outcomes=np.count_nonzero(env.outcome_probabilities, axis=-1),
        rewards=env.outcome_rewards,
        deviations=env.reward_deviations,
        initial_states=env.initial_states,
        initial_cumulative=np.cumsum(env.initial_probabilities),
        is_terminal=is_terminal,
        max_episode_steps=env.max_episode_steps or 0,
    )


def _learner(agent: PlanningAgent) -> Learner:
    kind = _KINDS[type(agent)]
    if kind == GUIDED and agent.uncertainty == "count":
        kind = GUIDED_BY_COUNT
    has_belief = isinstance(agent, MeanMDP)
    return Learner(
        kind=kind,
        eta=float(getattr(agent, "eta", 0.0)),
        discount=float(agent.discount),
        plan_every=0 if agent.plan_every == "episode" else agent.plan_every,
        known_after=getattr(agent, "known_after", 1),
        r_max=float(getattr(agent, "r_max", 0.0)),
        prior_total=float(agent.belief.transitions.prior_total) if has_belief else 0.0,
    )


def _rule(watch: SuccessWatch | None) -> Rule:
    nothing = np.empty(0, dtype=np.int64)
    if watch is None:
        return Rule(np.nan, -1, -1, np.nan, nothing, nothing, -1)
    rule = watch.rule
    last_state, last_action = (-1, -1) if rule.last_pair is None else rule.last_pair
    return Rule(
        optimal_reward=np.nan if rule.optimal_reward is None else rule.optimal_reward,
        last_state=int(last_state),
        last_action=int(last_action),
        episode_return=np.nan if rule.episode_return is None else rule.episode_return,
        states=rule.states.astype(np.int64),
        right_actions=rule.right_actions.astype(np.int64),
        nearly_at=-1 if rule.nearly_at is None else rule.nearly_at,
    )


def _learning_state(agent: PlanningAgent, env, steps: int) -> tuple[Knowledge, Tables]:
    """Copies of what the agent knows, with room for every successor that the world has."""
    if isinstance(agent, EmpiricalAgent):
        return _empirical_state(agent, env)
    belief = agent.belief.copy()
    agent.predictive.refresh()
    transitions, rewards = belief.transitions, belief.rewards
    width = max(transitions.table.width, env.model.successors.shape[-1])
    rewards.grow(width)
    reward_kind, names, arguments = _REWARDS[type(rewards)]
    first, second = (getattr(rewards, name) for name in names)
    successors = _plain(widen(transitions.table.successors, width, 0))
    tied = transitions.tied
    knowledge = Knowledge(
        successors=successors,
        listed=transitions.table.listed,
        counts=np.zeros(successors.shape) if tied else _plain(widen(transitions.counts, width, 0)),
        visits=transitions.visits,
        alpha=transitions.alpha,
        tied=tied,
        displacement_counts=transitions.displacement_counts if tied else np.zeros((1, 3)),
        information=_information_terms(agent, steps),
        reward_kind=reward_kind,
        on_action=rewards.on == "action",
        n=rewards.n,
        first=first,
        second=second,
        prior=np.array([getattr(rewards, name) for name in arguments], dtype=float),
    )
    predictive = agent.predictive
    return knowledge, _tables(
        successors,
        weights=_plain(widen(predictive.weights, width, 0.0)),
        background=np.array(predictive.background),
        mean_reward=np.array(predictive.mean_reward),
        transition_uncertainty=np.array(predictive.transition_uncertainty),
        reward_uncertainty=np.array(predictive.reward_uncertainty),
    )


def _empirical_state(agent: EmpiricalAgent, env) -> tuple[Knowledge, Tables]:
    width = max(agent.table.width, env.model.successors.shape[-1])
    successors = _plain(widen(agent.table.successors, width, 0))
    pairs = agent.visits.shape
    nothing = np.zeros((*pairs, 1))
    knowledge = Knowledge(
        successors=successors,
        listed=agent.table.listed.copy(),
        counts=_plain(widen(agent.counts, width, 0)),
        visits=agent.visits.copy(),
        alpha=0.0,
        tied=False,
        displacement_counts=np.zeros((1, 3)),
        information=np.empty((5, 0)),
        reward_kind=KNOWN,
        on_action=True,
        n=nothing,
        first=agent.reward_sums[..., None].copy(),
        second=nothing,
        prior=np.empty(0),
    )
    zeros = [np.zeros(pairs) for _ in range(4)]
    return knowledge, _tables(successors.copy(), np.zeros(successors.shape), *zeros)


def _tables(successors, weights, background, mean_reward, transition_uncertainty, reward_uncertainty):
    n_states, n_actions = mean_reward.shape
    return Tables(
        successors,
        weights,
        background,
        mean_reward,
        transition_uncertainty,
        reward_uncertainty,
        rewards=np.zeros((n_states, n_actions)),
        max_uncertainty=np.zeros(1),
        values=np.zeros(n_states),
        policy=np.zeros(n_states, dtype=np.int64),
        q=np.zeros((n_states, n_actions)),
        integers=np.empty((9, n_states + 1), dtype=np.int64),
        floats=np.empty((5, n_states)),
    )


def _information_terms(agent: MeanMDP, steps: int) -> np.ndarray:
    """The terms of the mutual information for every count there can be; empty if not asked for.

    SciPy's digamma cannot be called from compiled code, but its arguments are few: α + n.
    """
    if not (isinstance(agent, EUBRL) and agent.uncertainty == "mutual-information"):
        return np.empty((5, 0))
    transitions = agent.belief.transitions
    counts = np.arange(transitions.visits.max() + steps + 1)
    parameter, total = transitions.alpha + counts, transitions.prior_total + counts
    alpha = transitions.alpha
    unlisted = alpha * psi(alpha + 1.0) - xlogy(alpha, alpha)
    return np.stack(
        [
            parameter * psi(parameter + 1.0),
            xlogy(parameter, parameter),
            total * psi(total + 1.0),
            xlogy(total, total),
            np.full(len(counts), unlisted),
        ]
    )


def _plain(array: np.ndarray) -> np.ndarray:
    """A C-contiguous copy, as compiled code wants it."""
    return np.array(array, order="C")
