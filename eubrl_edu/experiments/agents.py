"""Agents by name, with the paper's settings for the world they are made for."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import gymnasium
import numpy as np

from eubrl_edu.agents import Agent, PlanningAgent, QLearning
from eubrl_edu.beliefs import Belief, KnownRewards
from eubrl_edu.environments import WORLDS, world_from_gymnasium
from eubrl_edu.environments.registry import WITH_STOCHASTIC_VARIANT
from eubrl_edu.experiments.records import AGENT_NAMES, AGENTS, SETTINGS
from eubrl_edu.experiments.settings import WORLD_SETTINGS, paper_settings
from eubrl_edu.names import require_choice, require_name
from eubrl_edu.validation import MOST_PAIRS, shown


def make_agent(
    name: str,
    env: gymnasium.Env,
    *,
    eta: float | None = None,
    alpha: float | None = None,
    beta0: float | None = None,
    lambda0: float | None = None,
    discount: float | None = None,
    plan_every: int | str | None = None,
    reward_model: str | None = None,
    tau: float | None = None,
    uncertainty: str | None = None,
    known_after: int | None = None,
    r_max: float | None = None,
    n_models: int | None = None,
    learning_rate: float | None = None,
    epsilon: float | None = None,
    clip_visited: bool | None = None,
    delta: float | None = None,
    lambda_: float | None = None,
    horizon: int | None = None,
    **misspelled,
) -> PlanningAgent | QLearning:
    """Make an agent for a world.

    Parameters
    ----------
    name : str
        One of `AGENT_NAMES`.
    env : gymnasium.Env
        The world; any environment with discrete spaces.
    eta, alpha, beta0, lambda0, discount, plan_every, reward_model, tau, uncertainty, known_after, \
r_max, n_models, learning_rate, epsilon, clip_visited, delta, lambda_
        See `Settings`, which explains each. What is left out comes from the paper's settings for
        that world, except ``plan_every``, which is 1. Refused is what an agent never uses, not what
        other settings make idle, as a ``reward_model`` does with ``tau`` if it has none.
    horizon : int, optional
        H, where episodes have so many steps.

    Returns
    -------
    Agent

    Raises
    ------
    ValueError
        If the name or a setting is unknown, the agent has no use for a setting, a value is
        outside its range, or the agent cannot live in this world: EUBRL-frequentist, for one,
        needs rewards in [0, R_max].

    Warns
    -----
    UserWarning
        If the agent goes by R_max, and neither the settings nor the world say what it is.
    """
    arguments = locals()
    record = AGENTS[require_choice("agent", name, AGENTS)]
    for setting in misspelled:
        require_choice("setting", setting, SETTINGS)
    given = {name: arguments[name] for name in SETTINGS if arguments[name] is not None}
    for setting in given:
        if (reason := record.why_not_used(setting)) is not None:
            raise ValueError(
                f"{setting} must be left out, got {shown(given[setting])}: {reason}. "
                f"{record.name} uses {', '.join(record.settings)}"
            )
    horizon = given.pop("horizon", None)
    world = world_from_gymnasium(env)
    chosen = paper_settings(world_variant(world), name, own_size(world))
    agent = record.make(world, replace(chosen, **{"plan_every": 1} | given), horizon)
    if horizon is not None and "discount" in given and agent.discount != given["discount"]:
        raise ValueError(
            f"discount must be left out or 1 where {name} has a horizon, got "
            f"{given['discount']!r}: every step of an episode counts alike"
        )
    return agent


def own_size(world: gymnasium.Env) -> int | None:
    """A world's size, if it has one that is a positive integer."""
    size = getattr(world, "size", None)
    return int(size) if isinstance(size, int | np.integer) and 0 < size <= MOST_PAIRS else None


def require_agents(agents: list, makers: Mapping) -> None:
    """Raise ``ValueError`` unless each is one of this package or, by its name, your own."""
    for agent in agents:
        if agent in makers:
            require_maker(require_name("the name of an agent", agent), makers[agent])
        elif isinstance(agent, str):
            require_choice("agent", agent, AGENT_NAMES)
        else:
            raise ValueError(
                "agents of your own must be a mapping from names to what makes them, such as "
                f"{{'mine': Mine}}, got {shown(agent)} in a list"
            )


def require_maker(name: str, make) -> None:
    """Raise ``ValueError`` where an agent of your own has nothing that could make it."""
    what = "a class or a function, which is called with the world"
    require_code(f"what makes the agent {name!r}", make, what)


def require_code(name: str, value, what: str) -> None:
    """Raise ``ValueError`` unless code of your own can be called, and told from other code."""
    if not callable(value):
        raise ValueError(f"{name} must be {what}, got {shown(value)}")
    try:
        hash(value)
    except TypeError:
        raise ValueError(
            f"{name} must be hashable, as a class or a function is, got {shown(value)}: a "
            "dataclass is with frozen=True or eq=False"
        ) from None


@contextmanager
def noted(what: str) -> Iterator[None]:
    """Add to whatever code of your own raises what was being made."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"This is what came of making {what}.")
        raise


def make_own_agent(
    name: str, make: Callable[[gymnasium.Env], Agent], world: gymnasium.Env
) -> Agent:
    """Return what a class or function of one's own makes for this world.

    Raises
    ------
    ValueError
        If it cannot be called, or makes no `Agent`. An error of its own gets a note with the name.
    """
    require_maker(name, make)
    with noted(f"the agent {name!r}"):
        agent = make(world)
    if not isinstance(agent, Agent):
        raise ValueError(
            f"what makes the agent {name!r} must return an eubrl_edu.agents.Agent, "
            f"got {shown(agent)}"
        )
    return agent


def require_new(name: str, agent: Agent, another: Agent) -> None:
    """Raise ``ValueError`` where what makes an agent of one's own made the same one twice."""
    shared = {id(part) for part in _learning_parts(agent)} & {
        id(part) for part in _learning_parts(another)
    }
    if shared:
        what = "agent" if agent is another else "agent with a belief of its own"
        raise ValueError(
            f"what makes the agent {name!r} must return a new {what} at each call, got the same "
            "one twice: it would go on with what it has learned in other runs"
        )


def _learning_parts(agent: Agent) -> list:
    """The agent, and those parts of its belief that change as it learns."""
    belief = getattr(agent, "belief", None)
    if not isinstance(belief, Belief):
        return [agent]
    parts = [agent, belief, belief.transitions, belief.rewards]
    return [part for part in parts if not isinstance(part, KnownRewards)]


def world_variant(world: gymnasium.Env) -> str | None:
    """The name under which `WORLD_SETTINGS` knows this world; None for one that it does not."""
    for name, world_class in WORLDS.items():
        if type(world) is world_class:
            return variant_named(name, getattr(world, "stochastic", False))
    return None


def variant_named(name: str, stochastic: bool) -> str | None:
    """The name of a world's variant in `WORLD_SETTINGS`; None if it is not there."""
    if name in WITH_STOCHASTIC_VARIANT:
        name += "-stochastic" if stochastic else "-deterministic"
    return name if name in WORLD_SETTINGS else None
