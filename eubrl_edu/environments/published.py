"""The table that a Gymnasium environment publishes, where it tells the truth about its steps."""

from collections.abc import Iterator, Mapping

import gymnasium
import numpy as np

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import shown

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
    """``env.unwrapped.P`` where it is there and describes what `step` does, else None.

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
    *wrappers, _ = layers_of(env)
    rewritten = any(_has_a_way_of_its_own(layer) for layer in wrappers)
    fickle = getattr(env.unwrapped, "fickle_passenger", False)
    return None if rewritten or fickle else table


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


def require_listed(
    env: gymnasium.Env, state: int | None, action: int, found: int, reward: float
) -> None:
    """Raise ``ValueError`` if a step led or paid what the table of this world does not list."""
    if state is None or state in env.terminal_states:  # where an episode has no steps
        return
    likely = env.outcome_probabilities[state, action] > 0
    there = likely & (env.outcome_states[state, action] == found)
    if not np.isclose(env.outcome_rewards[state, action][there], reward).any():
        raise ValueError(
            f"the environment's step must do what its table env.P lists, got from state {state} by "
            f"action {action} to state {found} for {reward!r}: change the table, too, or change "
            "the steps in a gymnasium.Wrapper"
        )


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
