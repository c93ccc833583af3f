"""What an environment and its wrappers tell of its steps, and whether they keep to it."""

import math
from collections.abc import Iterator, Mapping, Sequence

import gymnasium
import numpy as np

from eubrl_edu.environments.outcomes import MOST_OUTCOMES
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import (
    listed,
    require_between,
    require_bool,
    require_finite,
    require_index,
    shown,
)

# Wrappers of Gymnasium's that leave every step as it is, but for its limit.
ONLY_WATCHING = (
    gymnasium.wrappers.TimeLimit,
    gymnasium.wrappers.OrderEnforcing,
    gymnasium.wrappers.PassiveEnvChecker,
    gymnasium.wrappers.RecordEpisodeStatistics,
    gymnasium.wrappers.RecordVideo,
    gymnasium.wrappers.HumanRendering,
    gymnasium.wrappers.RenderCollection,
)


def published_table(env: gymnasium.Env) -> Mapping | None:
    """``env.unwrapped.P`` where it is there and no wrapper has steps of its own, else None.

    Raises
    ------
    ValueError
        If it is there and cannot be a table.
    """
    table = getattr(env.unwrapped, "P", None)
    if table is not None and not isinstance(table, Mapping):
        raise ValueError(
            "env.P must be a mapping {state: {action: [(probability, next state, reward, done)]}}, "
            f"as Gymnasium's toy environments publish it, or None, got {shown(table)}"
        )
    fickle = getattr(env.unwrapped, "fickle_passenger", False)
    return None if is_rewritten(env) or fickle else table


def is_rewritten(env: gymnasium.Env) -> bool:
    """Whether a wrapper may lead steps elsewhere, or have them pay otherwise."""
    *wrappers, _ = layers_of(env)
    return any(_has_a_way_of_its_own(layer) for layer in wrappers)


def known_world(env: gymnasium.Env) -> TabularEnvironment | None:
    """The world of this package that wrappers leave as it is, if that is what is in them."""
    world = env.unwrapped
    has_table = isinstance(world, TabularEnvironment) and hasattr(world, "model")
    return world if has_table and not is_rewritten(env) and own_method(world) is None else None


def only_checked(env: gymnasium.Env) -> bool:
    """Whether this is a world of this package as `gymnasium.make` returns it."""
    *wrappers, world = layers_of(env)
    checks = gymnasium.wrappers.OrderEnforcing, gymnasium.wrappers.PassiveEnvChecker
    return isinstance(world, TabularEnvironment) and all(type(each) in checks for each in wrappers)


def own_method(env: TabularEnvironment) -> str | None:
    """The method of a world that is not that of all tables, whose outcomes then are not all."""
    for method in ("reset", "step"):
        function = getattr(getattr(env, method), "__func__", None)
        if function is not getattr(TabularEnvironment, method):
            return method
    return None


def require_start(env: gymnasium.Env, state: int) -> None:
    """Raise ``ValueError`` if no episode of this world begins here, as far as it says."""
    if env.model is not None and env.initial_states is not None and state not in env.initial_states:
        raise ValueError(
            f"the environment must begin where its initial_state_distrib says, got state {state}: "
            "change that, too, or change the starts in a gymnasium.Wrapper"
        )


def require_listed(env: gymnasium.Env, state: int, action: int, found: int, reward: float) -> None:
    """Raise ``ValueError`` if a step led or paid what the table of this world does not list."""
    if state in env.terminal_states:  # where an episode has no steps
        return
    likely = env.outcome_probabilities[state, action] > 0
    there = likely & (env.outcome_states[state, action] == found)
    end = "an end, " if found in env.terminal_states else "no end, "
    if not np.isclose(env.outcome_rewards[state, action][there], reward).any():
        raise ValueError(
            f"the environment's step must do what its table env.P lists, got from state {state} by "
            f"action {action} to state {found}, {end}for {reward!r}: change the table, too, or "
            "change the steps in a gymnasium.Wrapper"
        )


def row_of(
    published: Mapping, state: int, action: int, n_states: int, starts: tuple[int, int]
) -> Iterator[tuple[float, int, float, bool]]:
    """The published row of a state and an action, with states that count from 0.

    ``starts`` are the numbers of the environment's own first state and first action.
    """
    first_state, first_action = starts
    name = f"env.P[{state + first_state}][{action + first_action}]"
    try:
        given = published[state + first_state][action + first_action]
        if not isinstance(given, Sequence) or len(given) > MOST_OUTCOMES:
            raise TypeError(f"got {shown(given)}")
        row = [
            (probability, next_state, reward, done)
            for probability, next_state, reward, done in given
        ]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must be a list of (probability, next state, reward, done), at most "
            f"{MOST_OUTCOMES:,} of them: {error!r}"
        ) from None
    for probability, next_state, reward, done in row:
        end = require_index(f"a state in {name}", next_state, n_states, first_state)
        what = f"a probability in {name}"
        yield (
            float(require_between(what, require_finite(what, probability), 0, 1)),
            end - first_state,
            require_finite(f"a reward in {name}", reward),
            require_bool(f"done in {name}", done),
        )


def limits_of(env: gymnasium.Env) -> list[int]:
    """After how many steps its ``TimeLimit`` wrappers, or the world in them, end an episode."""
    wrappers = [each for each in layers_of(env) if isinstance(each, gymnasium.wrappers.TimeLimit)]
    world = env.unwrapped
    own = world.max_episode_steps if isinstance(world, TabularEnvironment) else None
    return [each._max_episode_steps for each in wrappers] + ([] if own is None else [own])


def grid_width(env: gymnasium.Env, n_states: int) -> int:
    """Columns of the grid that the states are drawn on."""
    match listed(getattr(env.unwrapped, "shape", None), 2):
        case [int() | np.integer() as rows, int() | np.integer() as columns]:
            if rows > 0 and int(rows) * int(columns) == n_states:
                return int(columns)
    return math.ceil(math.sqrt(n_states))


def layers_of(env: gymnasium.Env) -> Iterator[gymnasium.Env]:
    """The environment's wrappers from the outside in, then the environment itself."""
    while isinstance(env, gymnasium.Wrapper):
        yield env
        env = env.env
    yield env


def _has_a_way_of_its_own(wrapper: gymnasium.Wrapper) -> bool:
    """Whether steps may lead elsewhere, or pay otherwise, than those of what it wraps."""
    kind = type(wrapper)
    passes_on = kind.step is gymnasium.Wrapper.step and kind.reset is gymnasium.Wrapper.reset
    return not passes_on and kind not in ONLY_WATCHING
