"""Whole runs, compiled: planning, acting and the world, in one loop."""

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numba import njit

from eubrl_edu.agents import EUBRL, PSRL, MeanMDP, PlanningAgent
from eubrl_edu.engine.drawing import draw_mdp
from eubrl_edu.engine.learning import count, learn, refresh_pair
from eubrl_edu.engine.state import (
    GUIDED,
    GUIDED_BY_COUNT,
    INTERVAL,
    KINDS,
    OPTIMISTIC,
    SAMPLED,
    learner_state,
    learning_state,
    rule_state,
    world_state,
)
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import kernels
from eubrl_edu.planning.lending import lent
from eubrl_edu.planning.predictive_kernels import REWARD_BELIEFS
from eubrl_edu.simulation import Trajectory, misfit, seeds_of
from eubrl_edu.success import EPISODES_IN_A_ROW, NEARLY_ALL, OPTIMAL_REWARDS, SuccessWatch
from eubrl_edu.validation import require_positive_int


@njit(cache=True, error_model="numpy")
def set_planning_rewards(guided, mean, bonus, max_uncertainty, rewards):
    """The rewards of `EUBRL.plan` for a guided agent, else `MeanMDP.planning_reward`."""
    n_states, n_actions = rewards.shape
    largest = max_uncertainty[0]
    if guided:
        for state in range(n_states):
            for action in range(n_actions):
                largest = max(largest, bonus[state, action])
        max_uncertainty[0] = largest
        if largest == 0.0:
            largest = np.inf  # P_U is 0 where nothing is uncertain
    for state in range(n_states):
        for action in range(n_actions):
            reward, epistemic = mean[state, action], bonus[state, action]
            if guided:
                probability = epistemic / largest
                rewards[state, action] = (1.0 - probability) * reward + probability * epistemic
            else:
                rewards[state, action] = reward + epistemic


@njit(cache=True)
def refresh_all(learner, knowledge, tables, is_terminal):
    """`PosteriorPredictive._refresh_all`: every pair that is not terminal."""
    for state in range(tables.q.shape[0]):
        if not is_terminal[state]:
            for action in range(tables.q.shape[1]):
                refresh_pair(learner, knowledge, tables, state, action)


@njit(cache=True)
def plan(learner, knowledge, tables, is_terminal, rng):
    """`plan` of every agent."""
    successors, weights, background = tables.successors, tables.weights, tables.background
    rewards, room = tables.rewards, tables.room
    if learner.kind == SAMPLED:
        successors, weights, background, rewards = draw_mdp(
            knowledge, learner.minimum_alpha, learner.clip_visited, is_terminal, rng
        )
        room = kernels.make_room(successors.shape[0], successors.shape[2])
    elif learner.kind != OPTIMISTIC and learner.kind != INTERVAL:
        if knowledge.tied:
            refresh_all(learner, knowledge, tables, is_terminal)
        guided = learner.kind == GUIDED or learner.kind == GUIDED_BY_COUNT
        set_planning_rewards(
            guided, tables.mean_reward, tables.bonus, tables.max_uncertainty, rewards
        )
    kernels.solve(
        successors,
        weights,
        background,
        rewards,
        learner.discount,
        tables.values,
        tables.policy,
        tables.q,
        room,
    )


@njit(cache=True)
def draw(cumulative, n_outcomes, rng):
    """`TabularEnvironment._draw`."""
    if n_outcomes == 1:
        return 0
    uniform = rng.random()
    for k in range(n_outcomes):
        if uniform < cumulative[k]:
            return k
    return n_outcomes - 1


@njit(cache=True)
def is_good(rule, q, state, action, next_state, episode_return):
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


# Without the interpreter's lock, so that another thread hears Ctrl-C meanwhile.
@njit(cache=True, nogil=True)
def run(
    world, learner, knowledge, tables, rule, watching, world_rng, rng,
    states, actions, rewards, next_states, terminated, episode_ends,
):  # fmt: skip
    """Fill the six arrays step by step; return how many steps were taken and whether it solved."""
    world, knowledge, tables, rule = lent(world), lent(knowledge), lent(tables), lent(rule)
    ties = tables.ties
    n_starts = world.initial_states.shape[0]
    optimistic = learner.kind == OPTIMISTIC
    empirical = optimistic or learner.kind == INTERVAL
    sampled = learner.kind == SAMPLED
    due = True
    in_episode, in_a_row, collected, episode_return = 0, 0, 0, 0.0
    if not empirical and not sampled:
        refresh_all(learner, knowledge, tables, world.is_terminal)

    state = world.initial_states[draw(world.initial_cumulative, n_starts, world_rng)]
    for step in range(states.shape[0]):
        if due:
            plan(learner, knowledge, tables, world.is_terminal, rng)
        n_ties = kernels.greedy_actions(tables.q[state], ties)
        action = ties[0] if n_ties == 1 else ties[rng.integers(0, n_ties)]

        k = draw(world.cumulative[state, action], world.n_outcomes[state, action], world_rng)
        reward = world.rewards[state, action, k]
        if world.deviations[state, action, k] > 0:
            reward += world.deviations[state, action, k] * world_rng.standard_normal()
        next_state = world.next_states[state, action, k]
        in_episode += 1
        ended = world.is_terminal[next_state]
        episode_end = ended or in_episode == world.max_episode_steps

        became_known = False
        if empirical:
            count(learner, knowledge, tables, state, action, reward, next_state)
            became_known = knowledge.visits[state, action] == learner.known_after
        else:
            learn(knowledge, state, action, reward, next_state)
            if not knowledge.tied and not sampled:
                refresh_pair(learner, knowledge, tables, state, action)
        if optimistic:
            due = became_known
        elif learner.plan_every == 0:
            due = episode_end
        else:
            due = (step + 1) % learner.plan_every == 0
        # A sampling agent draws its model only when it next acts (`PSRL.renew`).
        if due and not sampled:
            plan(learner, knowledge, tables, world.is_terminal, rng)
            due = False

        states[step], actions[step], rewards[step] = state, action, reward
        next_states[step], terminated[step], episode_ends[step] = next_state, ended, episode_end
        if watching:
            episode_return += reward
            if reward == rule.optimal_reward:
                collected += 1
            if episode_end:
                good = is_good(rule, tables.q, state, action, next_state, episode_return)
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
            state = world.initial_states[draw(world.initial_cumulative, n_starts, world_rng)]
            in_episode = 0
    return states.shape[0], False


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
    if type(agent) not in KINDS:
        return f"{type(agent).__name__} has no compiled twin"
    # Compiled code checks no index: beyond the agent's arrays it would crash.
    reason = misfit(agent, env)
    if reason is not None:
        return f"the agent must be made for its world: {reason}"
    if agent.horizon is not None:
        return "the agent has a horizon"
    if agent.current_plan is not None:
        return "the agent has already planned"
    if isinstance(agent, MeanMDP) and agent.belief.transitions.tied and _jumps(env):
        return "the world jumps, which a tied prior cannot learn"
    if isinstance(agent, EUBRL) and agent.belief.transitions.tied:
        if agent.uncertainty == "mutual-information":
            return "mutual information under a tied prior is not compiled"
    if isinstance(agent, PSRL) and agent.belief.transitions.tied:
        return "posterior sampling under a tied prior is not compiled"
    if isinstance(agent, MeanMDP | PSRL) and type(agent.belief.rewards) not in REWARD_BELIEFS:
        return f"{type(agent.belief.rewards).__name__} has no compiled twin"
    return None


def _jumps(env: TabularEnvironment) -> bool:
    """Whether a step can lead further than to a neighbouring state."""
    possible = env.outcome_probabilities > 0
    possible[list(env.terminal_states)] = False
    here = np.arange(env.n_states)[:, None, None]
    return bool((np.abs(env.outcome_states - here)[possible] > 1).any())


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
        If ``steps`` or ``seed`` is out of its range, or `why_not` has a reason.
    """
    limit = require_positive_int("steps", steps)
    reason = why_not(agent, env)
    if reason is not None:
        raise ValueError(f"this run cannot be compiled: {reason}")
    world_seed, agent_seed = seeds_of(seed)
    world_rng, _ = seeding.np_random(int(world_seed.generate_state(1)[0]))
    knowledge, tables = learning_state(agent, env, limit)
    columns = (
        np.empty(limit, dtype=np.int64),
        np.empty(limit, dtype=np.int64),
        np.empty(limit),
        np.empty(limit, dtype=np.int64),
        np.empty(limit, dtype=np.bool_),
        np.empty(limit, dtype=np.bool_),
    )
    taken, solved = run(
        world_state(env),
        learner_state(agent),
        knowledge,
        tables,
        rule_state(until),
        until is not None,
        world_rng,
        np.random.default_rng(agent_seed),
        *columns,
    )
    if until is not None:
        until.solved = solved
    return Trajectory(*(column[:taken].copy() for column in columns))
