"""When a run has solved its world: rules that watch a run step by step."""

from abc import ABC, abstractmethod

import numpy as np

from eubrl_edu.agents import PlanningAgent
from eubrl_edu.environments.deepsea import DeepSea
from eubrl_edu.environments.lazychain import RIGHT, LazyChain
from eubrl_edu.environments.loop import Loop
from eubrl_edu.planning import greedy_policy
from eubrl_edu.simulation import Step

EPISODES_IN_A_ROW = 10
OPTIMAL_REWARDS = 11
NEARLY_ALL = 0.95


class SuccessRule(ABC):
    """Told every step of a run, it says when the world is solved.

    Parameters
    ----------
    env : gymnasium.Env
        The world of the run.
    agent : PlanningAgent
        Whose plan in force is judged, without planning anew.
    """

    def __init__(self, env, agent: PlanningAgent):
        self.env = env
        self.agent = agent
        self.solved = False

    @abstractmethod
    def __call__(self, step: Step) -> bool:
        """Take note of a step; return whether the world is now solved."""


class CollectedOptimalReward(SuccessRule):
    """Loop: the optimal loop's reward has been collected 11 times."""

    def __init__(self, env: Loop, agent: PlanningAgent):
        super().__init__(env, agent)
        self._collected = 0
        self._optimal = env.successor_rewards.max()

    def __call__(self, step: Step) -> bool:
        self._collected += step.reward == self._optimal
        self.solved = self._collected >= OPTIMAL_REWARDS
        return self.solved


class EpisodesInARow(SuccessRule):
    """Ten episodes in a row are as they should be; a subclass says what that means."""

    def __init__(self, env, agent: PlanningAgent):
        super().__init__(env, agent)
        self._in_a_row = 0
        self._return = 0.0

    @abstractmethod
    def is_good(self, last_step: Step, episode_return: float) -> bool:
        """Whether the episode that ended with ``last_step`` counts."""

    def __call__(self, step: Step) -> bool:
        self._return += step.reward
        if step.episode_end:
            good = self.is_good(step, self._return)
            self._in_a_row = self._in_a_row + 1 if good else 0
            self._return = 0.0
        self.solved = self._in_a_row >= EPISODES_IN_A_ROW
        return self.solved

    def share_of_right_choices(self, states: np.ndarray, actions: np.ndarray) -> float:
        """In which share of the states the greedy policy in force takes the given action."""
        greedy = greedy_policy(self.agent.current_plan.q[states])
        return float(np.mean(greedy == actions))


class FoundTreasure(EpisodesInARow):
    """Deterministic DeepSea: the episode ended with ``right`` in the bottom-right cell."""

    env: DeepSea

    def is_good(self, last_step, episode_return):
        corner = self.env.cell(self.env.size - 1, self.env.size - 1)
        return last_step.state == corner and last_step.action == self.env.right_action[-1, -1]


class RightOnDiagonal(EpisodesInARow):
    """Stochastic DeepSea: the greedy policy takes ``right`` in every diagonal cell."""

    env: DeepSea

    def is_good(self, last_step, episode_return):
        diagonal = np.arange(self.env.size)
        states = diagonal * self.env.size + diagonal
        return self.share_of_right_choices(states, self.env.right_action[diagonal, diagonal]) == 1


class OptimalReturn(EpisodesInARow):
    """Deterministic LazyChain: the episode returned N, by walking straight to the right end."""

    env: LazyChain

    def is_good(self, last_step, episode_return):
        return episode_return == self.env.size


class AlwaysRight(EpisodesInARow):
    """Stochastic LazyChain: the greedy policy goes right from the middle to the right end."""

    env: LazyChain

    def share_going_right(self) -> float:
        """In which share of the states from the middle on the plan goes right."""
        states = np.arange(self.env.size, 2 * self.env.size)
        return self.share_of_right_choices(states, np.full(len(states), RIGHT))

    def is_good(self, last_step, episode_return):
        return self.share_going_right() == 1


class NearlyAlwaysRight(AlwaysRight):
    """As `AlwaysRight`; 95 % of the states do if the episode ended at the right end."""

    def is_good(self, last_step, episode_return):
        share = self.share_going_right()
        at_right_end = last_step.next_state == 2 * self.env.size
        return share == 1 or (share >= NEARLY_ALL and at_right_end)
