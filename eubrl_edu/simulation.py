"""One agent in one world, step by step, from one seed."""

import inspect
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np

from eubrl_edu.agents.base import Agent, PlanningAgent
from eubrl_edu.environments.from_gymnasium import (
    GymnasiumWorld,
    require_answer,
    require_discrete,
    world_from_gymnasium,
)
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.success import SuccessWatch
from eubrl_edu.trajectory import Step, Trajectory
from eubrl_edu.validation import (
    require_bool,
    require_finite,
    require_index,
    require_positive_int,
    require_steps,
    shown,
)

# Plans are recorded up to this many states times actions times steps: 50 to 150 MB, and more only
# where an agent plans over a long horizon at every step.
PLAN_LIMIT = 500_000


def run(
    agent: Agent, env: gymnasium.Env, seed: int | None = None, plans: list | None = None
) -> Iterator[Step]:
    """Let the agent live in the world, and yield every step: it never stops by itself.

    World and agent get separate children of one seed, so that different agents in the same
    world face the same luck. An episode ends where the world ends it, or after the agent's
    horizon.

    Parameters
    ----------
    agent : Agent
        The agent; it learns on the way.
    env : gymnasium.Env
        A world with discrete states and actions.
    seed : int, optional
        Seed of everything random in the run.
    plans : list, optional
        Takes the plan that the agent acts on, ``agent.current_plan``, at every step.

    Yields
    ------
    Step

    Raises
    ------
    ValueError
        If ``agent`` is no agent or ``env`` no world, the agent was made for a world of another
        size or with a horizon below 1, or ``seed`` is not a natural number; on the way, if the
        world shows a state or pays a reward that is none, the agent takes an action that is none,
        or another run moves the world.
    """
    require_agent_and_world(agent, env)
    return _live(agent, _as_known_to(agent, env), *seeds_of(seed), plans)


def _live(agent: Agent, env: gymnasium.Env, world_seed, agent_seed, plans) -> Iterator[Step]:
    rng = np.random.default_rng(agent_seed)
    horizon = getattr(agent, "horizon", None)
    states, actions = env.observation_space, env.action_space
    n_states, first_state = int(states.n), int(states.start)
    n_actions, first_action = int(actions.n), int(actions.start)

    def require_state(observation):
        return require_index("the world's observation", observation, n_states, first_state)

    # Others see no state, or may keep it elsewhere.
    shows_state = isinstance(env, GymnasiumWorld) or type(env).step is TabularEnvironment.step

    begun = env.reset(seed=int(world_seed.generate_state(1)[0]))
    observation, _ = require_answer("the world's reset", begun, 2)
    state = require_state(observation)
    agent.start_episode()
    in_episode = 0
    while True:
        action = agent.act(state, rng)
        if plans is not None:
            plans.append(agent.current_plan)
        action = require_index("the agent's action", action, n_actions, first_action)
        if shows_state and env.state != state:
            raise ValueError(
                f"the world must be moved by one run at a time: this one left it in state {state}, "
                f"and another in state {env.state}"
            )
        answer = require_answer("the world's step", env.step(action), 5)
        observation, reward, terminated, truncated, _ = answer
        next_state = require_state(observation)
        reward = require_finite("the world's reward", reward)
        terminated = require_bool("the world's terminated", terminated)
        truncated = require_bool("the world's truncated", truncated)
        agent.observe(state, action, reward, next_state, terminated)
        in_episode += 1
        episode_end = terminated or truncated or in_episode == horizon
        if episode_end and not terminated and in_episode != horizon:
            agent.start_episode()
        yield Step(state, action, reward, next_state, terminated, episode_end)
        state = next_state
        if episode_end:
            observation, _ = require_answer("the world's reset", env.reset(), 2)
            state = require_state(observation)
            in_episode = 0


def require_agent_and_world(agent, env) -> None:
    """Raise ``ValueError`` unless an agent that can run comes first, then a discrete world."""
    if not isinstance(agent, Agent) or not isinstance(env, gymnasium.Env):
        raise ValueError(
            "the agent (an eubrl_edu.agents.Agent) comes first, then the world (a gymnasium.Env), "
            f"got {type(agent).__name__} and {type(env).__name__}"
        )
    if isinstance(agent, PlanningAgent) and not hasattr(agent, "plan_every"):
        raise ValueError(
            f"{type(agent).__name__}.__init__ must call super().__init__, which sets when it plans"
        )
    if getattr(agent, "horizon", None) is not None:
        require_positive_int("the agent's horizon", agent.horizon)
    require_discrete(env)


def seeds_of(seed: int | None) -> list[np.random.SeedSequence]:
    """The seeds of the world and of the agent in the run with this seed."""
    if seed is not None:
        seed = require_positive_int("seed", seed, at_least=0)
    return np.random.SeedSequence(seed).spawn(2)


def _as_known_to(agent: Agent, env: gymnasium.Env) -> gymnasium.Env:
    """The environment itself, or seen as a world if it is a world's states that the agent counts.

    A world may have one terminal state more than the environment that it was made of.
    """
    reason = misfit(agent, env)
    if reason is None:
        return env
    world = world_from_gymnasium(env)
    if misfit(agent, world) is not None:
        raise ValueError(f"the agent must be made for its world: {reason}")
    return world


def misfit(agent: Agent, env: gymnasium.Env) -> str | None:
    """Say in what an agent's states or actions are not those of the world; None if they are.

    An agent knows its sizes by its belief or has them itself; what it does not have fits.
    """
    known = getattr(agent, "belief", agent)
    spaces = {"states": env.observation_space, "actions": env.action_space}
    for name, space in spaces.items():
        of_agent, of_world = getattr(known, f"n_{name}", None), getattr(space, "n", None)
        if of_agent not in (None, of_world):
            return f"it knows {of_agent} {name}, and the world has {of_world}"
        if of_agent is not None and space.start != 0:
            return f"it counts {name} from 0, and the world from {space.start}"
    return None


def _require_function_of_a_step(until) -> None:
    try:
        inspect.signature(until).bind("a step")
    except TypeError:
        raise ValueError(f"until must be a function of one step, got {shown(until)}") from None
    except ValueError:
        pass  # what is built in does not always say what it takes


def simulate(
    agent: Agent,
    env: gymnasium.Env,
    steps: int,
    seed: int | None = None,
    until: Callable[[Step], bool] | None = None,
    record_plans: bool = False,
) -> Trajectory:
    """Run the agent in the world and record what happened.

    Parameters
    ----------
    agent : Agent
        The agent; it has learned when this returns.
    env : gymnasium.Env
        A world with discrete states and actions.
    steps : int
        How many steps at most.
    seed : int, optional
        Seed of everything random in the run: the same seed, the same trajectory.
    until : callable, optional
        Called with every step; the run stops after the first for which it is true.
    record_plans : bool
        Whether to keep the plan that the agent acted on at each step, ``agent.current_plan``, as
        the theory needs it.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        See `run`; or if ``steps`` is out of its range, ``until`` cannot be called or is the
        `SuccessWatch` of another agent or another world, or plans are to be recorded in too large
        a run or of an agent that has none.
    """
    limit = require_steps("steps", steps)
    if until is not None:
        _require_function_of_a_step(until)
    require_agent_and_world(agent, env)
    if isinstance(until, SuccessWatch):
        world = _as_known_to(agent, env)
        spaces = world.observation_space, world.action_space
        until.require_fits(agent, *(int(space.start + space.n) for space in spaces))
        until.begin()
    plans = [] if require_bool("record_plans", record_plans) else None
    if record_plans:
        n_states, n_actions = int(env.observation_space.n), int(env.action_space.n)
        size = n_states * n_actions * limit
        if size > PLAN_LIMIT:
            raise ValueError(
                f"plans can be recorded up to {PLAN_LIMIT} states times actions times steps, got "
                f"{n_states} states times {n_actions} actions times {limit} steps = {size}"
            )
        if not hasattr(agent, "current_plan"):
            raise ValueError(f"record_plans must be False for {agent!r}, which has no current_plan")

    def lived() -> Iterator[Step]:
        for number, step in enumerate(run(agent, env, seed, plans), start=1):
            yield step
            is_over = None if until is None else until(step)
            if is_over is not None and not isinstance(is_over, bool | np.bool_):
                raise ValueError(f"until must return True or False, got {shown(is_over)}")
            if is_over or number == limit:
                return

    return Trajectory.from_steps(lived(), plans)
