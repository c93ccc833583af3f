"""Whole runs, compiled: planning, acting and the world, in one loop."""

import numpy as np
from gymnasium.utils import seeding

from eubrl_edu.agents import PlanningAgent
from eubrl_edu.compiling import compiled
from eubrl_edu.engine.drawing import draw_mdp
from eubrl_edu.engine.fitting import why_not
from eubrl_edu.engine.learning import back_up, count, learn, refresh_pair, set_planning_rewards
from eubrl_edu.engine.state import (
    BERNSTEIN,
    DOUBLING,
    EPISODE,
    FREQUENTIST,
    GUIDED,
    GUIDED_BY_COUNT,
    OPTIMISTIC,
    QUASI_OPTIMISTIC,
    SAMPLED,
    learner_state,
    learning_state,
    sampling_state,
    world_state,
)
from eubrl_edu.engine.success import is_good, rule_state
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import NotFinite, kernels
from eubrl_edu.planning.capped_kernels import solve_capped
from eubrl_edu.planning.lending import lent
from eubrl_edu.simulation import seeds_of
from eubrl_edu.success import EPISODES_IN_A_ROW, OPTIMAL_REWARDS, SuccessWatch
from eubrl_edu.trajectory import COLUMNS, Trajectory
from eubrl_edu.validation import require_steps, shown


@compiled
def refresh_all(learner, knowledge, tables, is_terminal):
    """`PosteriorPredictive._refresh_all`: every pair that is not terminal."""
    for state in range(tables.q.shape[0]):
        if not is_terminal[state]:
            for action in range(tables.q.shape[1]):
                refresh_pair(learner, knowledge, tables, state, action)


@compiled
def plan(learner, sampling, knowledge, tables, is_terminal, rng):
    """`plan` of every agent; return whether all its values are finite.

    Where ``sampling`` is None, numba leaves out the drawing of models.
    """
    if learner.kind == BERNSTEIN:
        return back_up(learner, knowledge, tables, is_terminal)
    successors, weights, background = tables.successors, tables.weights, tables.background
    rewards, room = tables.rewards, tables.room
    if sampling is not None:
        successors, weights, background, rewards = draw_mdp(
            knowledge, sampling.minimum_alpha, sampling.clip_visited, is_terminal, rng
        )
        room = kernels.make_room(successors.shape[0], successors.shape[2])
    elif learner.kind < OPTIMISTIC:
        if knowledge.tied:
            refresh_all(learner, knowledge, tables, is_terminal)
        guided = learner.kind == GUIDED or learner.kind == GUIDED_BY_COUNT
        of_pairs = tables.mean_reward, tables.bonus, tables.max_uncertainty, rewards
        set_planning_rewards(guided, learner.shrinkage, *of_pairs)
    if learner.kind == QUASI_OPTIMISTIC or learner.kind == FREQUENTIST:
        return plan_capped(learner, tables)
    model = successors, weights, background, rewards
    solution = tables.values, tables.policy, tables.q
    _, residual = kernels.solve(*model, learner.discount, *solution, room)
    return not np.isnan(residual)


@compiled
def plan_capped(learner, tables):
    """`EQO.solve`, or `FrequentistEUBRL.solve`; return whether all values are finite."""
    model = tables.successors, tables.weights, tables.background, tables.rewards
    solution = tables.values, tables.policy, tables.q
    discount, cap = learner.discount, learner.value_cap
    _, residual = solve_capped(*model, discount, cap, *solution, tables.room)
    if learner.kind == QUASI_OPTIMISTIC:
        tables.q[:] = np.minimum(tables.q, learner.value_cap)
    return not np.isnan(residual)


@compiled
def draw(cumulative, n_outcomes, rng):
    """`TabularEnvironment._draw`."""
    if n_outcomes == 1:
        return 0
    uniform = rng.random()
    for k in range(n_outcomes):
        if uniform < cumulative[k]:
            return k
    return n_outcomes - 1


# Without the interpreter's lock, so that another thread hears Ctrl-C meanwhile.
@compiled(nogil=True)
def run(
    world, learner, sampling, knowledge, tables, rule, watching, world_rng, rng,
    states, actions, rewards, next_states, terminated, episode_ends,
):  # fmt: skip
    """Fill the six arrays step by step; return how many steps were taken and whether it solved.

    -1 steps if a plan has a value that is not finite.
    """
    world, knowledge, tables, rule = lent(world), lent(knowledge), lent(tables), lent(rule)
    ties = tables.ties
    n_starts = world.initial_states.shape[0]
    optimistic = learner.kind == OPTIMISTIC
    empirical = learner.kind >= OPTIMISTIC
    sampled = learner.kind == SAMPLED
    due = True
    visits = np.zeros(tables.q.shape)
    visits_planned_with = np.zeros(tables.q.shape)
    in_episode, in_a_row, collected, episode_return = 0, 0, 0, 0.0
    if not empirical and not sampled:
        refresh_all(learner, knowledge, tables, world.is_terminal)

    state = world.initial_states[draw(world.initial_cumulative, n_starts, world_rng)]
    for step in range(states.shape[0]):
        if due and not plan(learner, sampling, knowledge, tables, world.is_terminal, rng):
            return -1, False
        n_ties = kernels.greedy_actions(tables.q[state], ties)
        if n_ties == 0:  # of a value that is not finite, in whatever way it came in
            return -1, False
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
        elif learner.plan_every == EPISODE:
            due = episode_end
        elif learner.plan_every == DOUBLING:  # `PlanningAgent._renew_if_doubled`
            visits[state, action] += 1.0
            due = visits[state, action] > 2.0 * visits_planned_with[state, action]
            if due:
                visits_planned_with[:] = visits
        else:
            due = (step + 1) % learner.plan_every == 0
        # A sampling agent draws its model only when it next acts (`PSRL.renew`).
        if due and not sampled:
            if not plan(learner, sampling, knowledge, tables, world.is_terminal, rng):
                return -1, False
            due = False

        states[step], actions[step], rewards[step] = state, action, reward
        next_states[step], terminated[step], episode_ends[step] = next_state, ended, episode_end
        if watching:
            episode_return += reward
            if reward == rule.optimal_reward:
                collected += 1
            if episode_end:
                good = is_good(rule, tables.q, ties, state, action, next_state, episode_return)
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
        If ``steps`` or ``seed`` is out of its range, `why_not` has a reason, the values of a plan
        are not finite, or ``until`` belongs to another agent or another world.
    """
    limit = require_steps("steps", steps)
    if until is not None and not isinstance(until, SuccessWatch):
        raise ValueError(f"until must be a SuccessWatch, got {shown(until)}")
    reason = why_not(agent, env)
    if reason is not None:
        raise ValueError(f"this run cannot be compiled: {reason}")
    world_seed, agent_seed = seeds_of(seed)
    world_rng, _ = seeding.np_random(int(world_seed.generate_state(1)[0]))
    world = world_state(env)
    knowledge, tables = learning_state(agent, env)
    columns = [np.empty(limit, dtype) for dtype in COLUMNS.values()]
    taken, solved = run(
        world,
        learner_state(agent),
        sampling_state(agent),
        knowledge,
        tables,
        rule_state(until, agent, env.n_states, env.n_actions),
        until is not None,
        world_rng,
        np.random.default_rng(agent_seed),
        *columns,
    )
    if taken < 0:
        raise NotFinite(f"{agent!r}: its values leave the range of floats")
    if until is not None:
        until.solved = solved
    return Trajectory(*(column[:taken].copy() for column in columns))
