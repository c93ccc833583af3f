"""The engine's state: a world, an agent and a success rule as numbers and arrays."""

from typing import NamedTuple

import numpy as np
from scipy.special import psi, xlogy

from eubrl_edu.agents import BEB, EUBRL, MBIEEB, PSRL, RMAX, VBRB, MeanMDP, PlanningAgent
from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.agents.predictive import PosteriorPredictive
from eubrl_edu.beliefs.successors import widen
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import kernels
from eubrl_edu.planning.predictive_kernels import KNOWN, reward_arguments
from eubrl_edu.success import SuccessWatch

# How an agent plans.
MEAN, GUIDED, GUIDED_BY_COUNT, COUNT_BONUS, DEVIATION_BONUS, OPTIMISTIC, INTERVAL, SAMPLED = range(
    8
)

KINDS = {
    MeanMDP: MEAN,
    EUBRL: GUIDED,
    BEB: COUNT_BONUS,
    VBRB: DEVIATION_BONUS,
    RMAX: OPTIMISTIC,
    MBIEEB: INTERVAL,
    PSRL: SAMPLED,
}


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
    minimum_alpha: float
    clip_visited: bool


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
    unlisted_mean: float
    unlisted_variance: float


class Tables(NamedTuple):
    """What planning reads (`PosteriorPredictive`) and writes (`Solution`), and room to work in.

    ``bonus`` is E_b for a guided agent, and for others what they add to the mean reward.
    ``ties`` are the best actions of the state at hand.
    """

    successors: np.ndarray
    weights: np.ndarray
    background: np.ndarray
    mean_reward: np.ndarray
    transition_uncertainty: np.ndarray
    reward_uncertainty: np.ndarray
    bonus: np.ndarray
    rewards: np.ndarray
    max_uncertainty: np.ndarray
    values: np.ndarray
    policy: np.ndarray
    q: np.ndarray
    row_room: np.ndarray
    ties: np.ndarray
    room: tuple


class Rule(NamedTuple):
    """A `SuccessRule` as numbers: -1 or NaN for what is not asked for."""

    optimal_reward: float
    last_state: int
    last_action: int
    episode_return: float
    states: np.ndarray
    right_actions: np.ndarray
    nearly_at: int


def world_state(env: TabularEnvironment) -> World:
    """The arrays that the world plays from."""
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


def learner_state(agent: PlanningAgent) -> Learner:
    """The agent's settings; what it does not have stays at a value that is never read."""
    kind = KINDS[type(agent)]
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
        minimum_alpha=float(getattr(agent, "minimum_alpha", 0.0)),
        clip_visited=bool(getattr(agent, "clip_visited", False)),
    )


def rule_state(watch: SuccessWatch | None) -> Rule:
    """The rule of a watch; one that asks for nothing where there is no watch."""
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


def learning_state(agent: PlanningAgent, env, steps: int) -> tuple[Knowledge, Tables]:
    """Copies of what the agent knows, with room for every successor that the world has."""
    if isinstance(agent, EmpiricalAgent):
        return _empirical_state(agent, env)
    belief = agent.belief.copy()
    if isinstance(agent, MeanMDP):
        predictive = agent.predictive
        predictive.refresh()
    else:
        predictive = PosteriorPredictive(belief)
    transitions, rewards = belief.transitions, belief.rewards
    width = max(transitions.table.width, env.model.successors.shape[-1])
    rewards.grow(width)
    reward_kind, names, prior = reward_arguments(rewards)
    unlisted_mean, unlisted_variance = rewards.prior()
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
        prior=prior,
        unlisted_mean=float(unlisted_mean),
        unlisted_variance=float(unlisted_variance),
    )
    return knowledge, _tables(
        successors,
        _plain(widen(predictive.weights, width, 0.0)),
        predictive.background,
        predictive.mean_reward,
        predictive.transition_uncertainty,
        predictive.reward_uncertainty,
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
        unlisted_mean=0.0,
        unlisted_variance=0.0,
    )
    model = agent.optimistic_model()
    zeros = [np.zeros(pairs) for _ in range(4)]
    tables = _tables(
        _plain(widen(model.successors, width, 0)), _plain(widen(model.weights, width, 0.0)), *zeros
    )
    tables.rewards[:] = model.rewards
    return knowledge, tables


def _tables(successors, weights, background, *quantities):
    n_states, n_actions = background.shape
    width = successors.shape[2]
    return Tables(
        successors,
        weights,
        *(_plain(array) for array in (background, *quantities)),
        bonus=np.zeros((n_states, n_actions)),
        rewards=np.zeros((n_states, n_actions)),
        max_uncertainty=np.zeros(1),
        values=np.zeros(n_states),
        policy=np.zeros(n_states, dtype=np.int64),
        q=np.zeros((n_states, n_actions)),
        row_room=np.empty((4, width)),
        ties=np.empty(n_actions, dtype=np.int64),
        room=kernels.make_room(n_states, width),
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
