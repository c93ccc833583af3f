"""The success rule of a study, compiled: `success.SuccessWatch` as numbers."""

from typing import NamedTuple

import numpy as np

from eubrl_edu.agents import Agent
from eubrl_edu.compiling import compiled
from eubrl_edu.planning import kernels
from eubrl_edu.success import NEARLY_ALL, SuccessWatch


class Rule(NamedTuple):
    """A `SuccessRule` as numbers: -1 or NaN for what is not asked for."""

    optimal_reward: float
    last_state: int
    last_action: int
    episode_return: float
    states: np.ndarray
    right_actions: np.ndarray
    nearly_at: int


def rule_state(watch: SuccessWatch | None, agent: Agent, n_states: int, n_actions: int) -> Rule:
    """The rule of the agent's watch; one that asks for nothing where there is no watch."""
    nothing = np.empty(0, dtype=np.int64)
    if watch is None:
        return Rule(np.nan, -1, -1, np.nan, nothing, nothing, -1)
    watch.require_fits(agent, n_states, n_actions)
    rule = watch.rule
    last_state, last_action = (-1, -1) if rule.last_pair is None else rule.last_pair
    return Rule(
        optimal_reward=np.nan if rule.optimal_reward is None else rule.optimal_reward,
        last_state=int(last_state),
        last_action=int(last_action),
        episode_return=np.nan if rule.episode_return is None else rule.episode_return,
        states=np.asarray(rule.states, dtype=np.int64),
        right_actions=np.asarray(rule.right_actions, dtype=np.int64),
        nearly_at=-1 if rule.nearly_at is None else int(rule.nearly_at),
    )


@compiled
def is_good(rule, q, ties, state, action, next_state, episode_return):
    """`SuccessWatch._is_good`."""
    if rule.last_state >= 0 and not (state == rule.last_state and action == rule.last_action):
        return False
    if not np.isnan(rule.episode_return) and episode_return != rule.episode_return:
        return False
    right = 0
    for i in range(rule.states.shape[0]):
        n_ties = kernels.greedy_actions(q[rule.states[i]], ties)
        if n_ties == 1 and ties[0] == rule.right_actions[i]:
            right += 1
    needed = NEARLY_ALL if next_state == rule.nearly_at else 1.0
    return right >= needed * rule.states.shape[0]
