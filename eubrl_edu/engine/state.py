"""The engine's state: a world, an agent and a success rule as numbers and arrays."""

from typing import NamedTuple

import numpy as np

from eubrl_edu.agents import (
    BEB,
    EQO,
    EUBRL,
    MBIEEB,
    PSRL,
    RMAX,
    VBRB,
    FrequentistEUBRL,
    MeanMDP,
    PlanningAgent,
    UCBVIGamma,
)
from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.beliefs.successors import SuccessorTable, widen
from eubrl_edu.engine.fences import (
    require_belief,
    require_counts,
    require_predictive,
    require_world,
)
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import kernels
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from eubrl_edu.uncertainty.predictive_kernels import KNOWN, reward_arguments
from eubrl_edu.validation import require_states

# How an agent plans: with a belief, and from OPTIMISTIC on with counts.
MEAN, GUIDED, GUIDED_BY_COUNT, COUNT_BONUS, DEVIATION_BONUS, SAMPLED = range(6)
OPTIMISTIC, INTERVAL, QUASI_OPTIMISTIC, BERNSTEIN, FREQUENTIST = range(6, 11)

KINDS = {
    MeanMDP: MEAN,
    EUBRL: GUIDED,
    BEB: COUNT_BONUS,
    VBRB: DEVIATION_BONUS,
    RMAX: OPTIMISTIC,
    MBIEEB: INTERVAL,
    EQO: QUASI_OPTIMISTIC,
    UCBVIGamma: BERNSTEIN,
    FrequentistEUBRL: FREQUENTIST,
    PSRL: SAMPLED,
}

# When an agent plans, where it is not after a number of steps.
EPISODE, DOUBLING = 0, -1
PLAN_EVERY = {"episode": EPISODE, "doubling": DOUBLING}


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
    value_cap: float
    prior_total: float
    mutual_information: bool
    shrinkage: bool


class Sampling(NamedTuple):
    """How an agent draws its model. Of its own, as only a run that has it compiles the draws."""

    minimum_alpha: float
    clip_visited: bool


class Knowledge(NamedTuple):
    """What an agent has learned: a `Belief`, or the counts of an `EmpiricalAgent`.

    What an agent does not have stays at its default, which is never read.
    """

    successors: np.ndarray
    listed: np.ndarray
    counts: np.ndarray
    visits: np.ndarray
    n: np.ndarray
    first: np.ndarray
    second: np.ndarray
    alpha: float = 0.0
    tied: bool = False
    displacement_counts: np.ndarray = np.zeros((1, 3))
    reward_kind: int = KNOWN
    on_action: bool = True
    prior: np.ndarray = np.empty(0)
    unlisted_mean: float = 0.0
    unlisted_variance: float = 0.0


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


def world_state(env: TabularEnvironment) -> World:
    """The arrays that the world plays from."""
    require_world(env)
    is_terminal = np.zeros(env.n_states, dtype=np.bool_)
    is_terminal[list(require_states("terminal_states", env.terminal_states, env.n_states))] = True
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
        plan_every=PLAN_EVERY.get(agent.plan_every, agent.plan_every),
        known_after=getattr(agent, "known_after", 1),
        value_cap=float(getattr(agent, "value_cap", 0.0)),
        prior_total=float(agent.belief.transitions.prior_total) if has_belief else 0.0,
        mutual_information=has_belief and agent.predictive.mutual_information,
        shrinkage=bool(getattr(agent, "shrinkage", True)),
    )


def sampling_state(agent: PlanningAgent) -> Sampling | None:
    """How the agent draws its model; None if it does not."""
    if not isinstance(agent, PSRL):
        return None
    return Sampling(float(agent.minimum_alpha), bool(agent.clip_visited))


def learning_state(agent: PlanningAgent, env) -> tuple[Knowledge, Tables]:
    """Copies of what the agent knows, with room for every successor that the world has."""
    if isinstance(agent, EmpiricalAgent):
        return _empirical_state(agent, env)
    belief = agent.belief
    require_belief(belief, env)
    if isinstance(agent, MeanMDP):
        predictive = agent.predictive
        predictive.refresh()
    else:
        predictive = PosteriorPredictive(belief)
    require_predictive(predictive, env)
    transitions, rewards = belief.transitions, belief.rewards
    width = _room_for(transitions.table, env)
    on_action = rewards.on == "action"
    reward_kind, names, prior = reward_arguments(rewards)
    unlisted_mean, unlisted_variance = rewards.prior()
    of_rewards = rewards.widened(1 if on_action else width)
    n, first, second = (_plain(of_rewards[name]) for name in ("n", *names))
    successors = _plain(widen(transitions.table.successors, width, 0))
    tied = transitions.tied
    knowledge = Knowledge(
        successors,
        _plain(transitions.table.listed),
        np.zeros(successors.shape) if tied else _plain(widen(transitions.counts, width, 0)),
        _plain(transitions.visits),
        n,
        first,
        second,
        alpha=transitions.alpha,
        tied=tied,
        reward_kind=reward_kind,
        on_action=on_action,
        prior=prior,
        unlisted_mean=float(unlisted_mean),
        unlisted_variance=float(unlisted_variance),
    )
    if tied:
        knowledge = knowledge._replace(displacement_counts=_plain(transitions.displacement_counts))
    return knowledge, _tables(
        successors,
        _plain(widen(predictive.weights, width, 0.0)[..., :width]),
        predictive.background,
        predictive.mean_reward,
        predictive.transition_uncertainty,
        predictive.reward_uncertainty,
    )


def _room_for(table: SuccessorTable, env: TabularEnvironment) -> int:
    """How many successors a row can come to list: what is listed, and what the world adds."""
    is_used = np.arange(table.width) < table.listed[..., None]
    same = env.outcome_states[..., None] == table.successors[..., None, :]
    is_listed = (same & is_used[..., None, :]).any(axis=-1)
    new = np.count_nonzero((env.outcome_probabilities > 0) & ~is_listed, axis=-1)
    return max(table.width, int((table.listed + new).max()))


def _empirical_state(agent: EmpiricalAgent, env) -> tuple[Knowledge, Tables]:
    require_counts(agent, env)
    width = _room_for(agent.table, env)
    successors = _plain(widen(agent.table.successors, width, 0))
    pairs = agent.visits.shape
    nothing = np.zeros((*pairs, 1))
    knowledge = Knowledge(
        successors,
        _plain(agent.table.listed),
        _plain(widen(agent.counts, width, 0)),
        _plain(agent.visits),
        n=nothing,
        first=_plain(agent.reward_sums[..., None]),
        second=nothing,
    )
    model = agent.optimistic_model()
    zeros = [np.zeros(pairs) for _ in range(4)]
    tables = _tables(
        _plain(widen(model.successors, width, 0)), _plain(widen(model.weights, width, 0.0)), *zeros
    )
    tables.rewards[:] = model.rewards
    if isinstance(agent, UCBVIGamma):
        tables.q[:] = agent.q
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


def _plain(array: np.ndarray) -> np.ndarray:
    """A C-contiguous copy, as compiled code wants it."""
    return np.array(array, order="C")
