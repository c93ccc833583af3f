"""When a run has solved its world: rules as data, and the watch that applies one to a run."""

from dataclasses import dataclass, field

import numpy as np

from eubrl_edu.agents import Agent
from eubrl_edu.planning import greedy_actions
from eubrl_edu.trajectory import Step
from eubrl_edu.validation import (
    LARGEST_INTEGER,
    require_finite,
    require_index,
    require_indices,
    shown,
)

EPISODES_IN_A_ROW = 10
OPTIMAL_REWARDS = 11
NEARLY_ALL = 0.95


def _no_states() -> np.ndarray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class SuccessRule:
    """What a run must show to have solved its world; what is left at None is not asked for.

    Either a reward is collected `OPTIMAL_REWARDS` times, or `EPISODES_IN_A_ROW` episodes in a
    row are good. An episode is good if all that is asked of it holds.

    Attributes
    ----------
    optimal_reward : float or None
        The reward to collect.
    last_pair : (int, int) or None
        State and action of a good episode's last step.
    episode_return : float or None
        The return of a good episode.
    states, right_actions : (n,) integer arrays
        At the end of a good episode the plan takes these actions in these states: each is the
        only greedy one there (`greedy_actions`). An agent breaks ties at random, so a tie is not
        the optimal policy.
    nearly_at : int or None
        Where an episode ends in this state, `NEARLY_ALL` of these actions are enough.

    Raises
    ------
    ValueError
        If one of them is not what it should be.
    """

    optimal_reward: float | None = None
    last_pair: tuple[int, int] | None = None
    episode_return: float | None = None
    states: np.ndarray = field(default_factory=_no_states)
    right_actions: np.ndarray = field(default_factory=_no_states)
    nearly_at: int | None = None

    def __post_init__(self):
        # What the checks return is kept: the engine is compiled for these kinds of number.
        kept = vars(self)
        for name in ("optimal_reward", "episode_return"):
            if kept[name] is not None:
                kept[name] = require_finite(name, kept[name])
        if self.last_pair is not None:
            if not isinstance(self.last_pair, tuple | list) or len(self.last_pair) != 2:
                raise ValueError(
                    f"last_pair must be a state and an action, got {shown(self.last_pair)}"
                )
            kept["last_pair"] = tuple(self.last_pair)
        self.require_fits(LARGEST_INTEGER, LARGEST_INTEGER)
        for name in ("states", "right_actions"):
            kept[name] = np.array(kept[name], dtype=np.int64)

    def require_fits(self, n_states: int, n_actions: int) -> None:
        """Raise ``ValueError`` unless a world of these sizes has its states and actions."""
        if self.last_pair is not None:
            state, action = self.last_pair
            require_index("the state of last_pair", state, n_states)
            require_index("the action of last_pair", action, n_actions)
        if self.nearly_at is not None:
            require_index("nearly_at", self.nearly_at, n_states)
        states = require_indices("states", self.states, n_states)
        right_actions = require_indices("right_actions", self.right_actions, n_actions)
        if not states.shape == right_actions.shape == (states.size,):
            raise ValueError(
                "states and right_actions must be lists of one length, got shapes "
                f"{states.shape} and {right_actions.shape}"
            )


class SuccessWatch:
    """Told every step of a run, it says when the world is solved.

    Parameters
    ----------
    rule : SuccessRule
        What to watch for.
    agent : Agent
        Whose plan in force is judged, without planning anew.

    Raises
    ------
    ValueError
        If one of them is not what it should be, the rule asks for actions and the agent has no
        plan, or one for each step of a horizon, or the rule has states or actions that the agent
        does not know.
    """

    def __init__(self, rule: SuccessRule, agent: Agent):
        if not isinstance(rule, SuccessRule):
            raise ValueError(f"rule must be a SuccessRule, got {shown(rule)}")
        if not isinstance(agent, Agent):
            raise ValueError(f"agent must be an eubrl_edu.agents.Agent, got {shown(agent)}")
        if np.size(rule.states) and not hasattr(agent, "current_plan"):
            raise ValueError(
                "agent must have a current_plan, as this world is solved when its greedy actions "
                f"are right, got {agent!r}"
            )
        if np.size(rule.states) and getattr(agent, "horizon", None) is not None:
            raise ValueError(
                "agent must plan without a horizon, as this world is solved when one action is "
                f"greedy in each state, at any step; got horizon={shown(agent.horizon)}"
            )
        self.rule = rule
        self.agent = agent
        self.begin()

    def begin(self) -> None:
        """Forget what was watched: a run begins."""
        self.solved = False
        self._collected = 0
        self._in_a_row = 0
        self._return = 0.0

    def require_fits(self, agent: Agent, n_states: int, n_actions: int) -> None:
        """Raise ``ValueError`` unless it can watch this agent in a world of these sizes."""
        if agent is not self.agent:
            raise ValueError(
                "until must be a SuccessWatch of the agent that runs, got one of another, "
                f"{shown(self.agent)}"
            )
        self.rule.require_fits(n_states, n_actions)

    def __call__(self, step: Step) -> bool:
        """Take note of a step; return whether the world is now solved."""
        if self.rule.optimal_reward is not None:
            self._collected += step.reward == self.rule.optimal_reward
            self.solved = self._collected >= OPTIMAL_REWARDS
            return self.solved
        self._return += step.reward
        if step.episode_end:
            self._in_a_row = self._in_a_row + 1 if self._is_good(step) else 0
            self._return = 0.0
            self.solved = self._in_a_row >= EPISODES_IN_A_ROW
        return self.solved

    def _is_good(self, last: Step) -> bool:
        rule = self.rule
        if rule.last_pair is not None and (last.state, last.action) != rule.last_pair:
            return False
        if rule.episode_return is not None and self._return != rule.episode_return:
            return False
        if len(rule.states) == 0:
            return True
        q = self.agent.current_plan.q
        right = sum(
            greedy_actions(q[state]) == [action]
            for state, action in zip(rule.states, rule.right_actions, strict=True)
        )
        needed = NEARLY_ALL if last.next_state == rule.nearly_at else 1.0
        return right >= needed * len(rule.states)
