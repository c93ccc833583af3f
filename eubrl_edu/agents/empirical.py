"""Agents without a prior: empirical frequencies and average rewards, and optimism where unknown."""

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.beliefs.successors import SuccessorTable, widen
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution, backward_induction
from eubrl_edu.planning.capped import solve_capped
from eubrl_edu.validation import LARGEST, require_finite, require_reals, require_states


def average(total, n):
    """A frequency or a mean reward, from what n experiences add up to; 0 where n is 0."""
    return total / np.maximum(n, 1.0)


class EmpiricalAgent(PlanningAgent):
    """Plans with what it has counted, and takes every pair that is not known to be the best.

    A pair that is not known is planned with as if it led to a state that pays R_max for ever, so
    that it is worth R_max / (1 − γ).

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    r_max : float
        R_max, the largest reward there can be.
    discount, horizon, plan_every
        See `PlanningAgent`.
    terminal_states : iterable of int
        States known to end an episode.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        r_max: float = 1.0,
        discount: float = 0.99,
        horizon: int | None = None,
        plan_every: int | str = 1,
        terminal_states=(),
    ):
        self.table = SuccessorTable(n_states, n_actions)
        self.n_states, self.n_actions = self.table.n_states, self.table.n_actions
        super().__init__(discount, horizon, plan_every, self.n_states * self.n_actions)
        self.r_max = require_finite("r_max", r_max)
        if abs(self.value_cap) > LARGEST:
            raise ValueError(
                f"r_max must keep V↑, the most a state can be worth, at most {LARGEST:g} in size, "
                f"got {r_max!r}"
            )
        self.terminal_states = require_states("terminal_states", terminal_states, self.n_states)
        self.counts = np.zeros(self.table.successors.shape)
        self.visits = np.zeros((self.n_states, self.n_actions))
        self.reward_sums = np.zeros((self.n_states, self.n_actions))

    @property
    def known(self) -> np.ndarray:
        """Which pairs are known, (S, A) booleans: those that were visited at all."""
        return self.visits > 0

    @property
    def value_cap(self) -> float:
        """V↑ = R_max / (1 − γ), or H R_max."""
        if self.horizon is not None:
            return self.horizon * self.r_max
        return self.r_max / (1 - self.discount)

    def planning_reward(self, mean_reward: np.ndarray) -> np.ndarray:
        """The reward planned with for known pairs, (S, A), given their average rewards."""
        return mean_reward

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count the transition and add up the reward."""
        state, action, next_state = self.table.check(state, action, next_state)
        if state in self.terminal_states:
            raise ValueError(
                f"state must not be one of the terminal states {self.terminal_states}, got {state}"
            )
        reward = require_finite("reward", reward)
        if self.is_learned_from(state, action):
            outcome = self.table.outcome(state, action, next_state)
            self.counts = widen(self.counts, self.table.width, 0.0)
            self.counts[state, action, outcome] += 1.0
            self.reward_sums[state, action] += reward
        self.visits[state, action] += 1.0

    def is_learned_from(self, state: int, action: int) -> bool:
        """Whether what happens after this pair still counts."""
        return True

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Solve the empirical model of the known pairs, all others at their best."""
        model = self.optimistic_model()
        solution = self.solve(model)
        self.current_plan = Plan(model, self.mean_reward(), solution.q, solution.v)
        return self.current_plan

    def solve_capped(self, model: MDP) -> Solution:
        """Solve ``model`` with its values cut off at V↑, starting from the previous solution."""
        if self.horizon is not None:
            return backward_induction(model, self.horizon, cap=self.value_cap)
        self._solution = solve_capped(model, self.discount, self.value_cap, self._solution)
        return self._solution

    def mean_reward(self) -> np.ndarray:
        """The average reward of each pair, (S, A); 0 without a visit."""
        return average(self.reward_sums, self.counts.sum(axis=-1))

    def optimistic_model(self) -> MDP:
        """The empirical model of the known pairs, all others at their best.

        A pair that is not known earns R_max where it stays. Its value then is R_max / (1 − γ),
        that of the absorbing state, and no extra state is needed.
        """
        rewards = np.where(self.known, self.planning_reward(self.mean_reward()), self.r_max)
        rewards[list(self.terminal_states)] = 0.0
        return self.empirical_model(rewards)

    def empirical_model(self, rewards: np.ndarray) -> MDP:
        """The frequencies of the known pairs, all others staying, with these rewards (S, A)."""
        rewards = require_reals("rewards", rewards)
        if rewards.shape != self.visits.shape:
            raise ValueError(f"rewards must have shape {self.visits.shape}, got {rewards.shape}")
        stays = ~self.known
        stays[list(self.terminal_states)] = True
        successors = self.table.successors.copy()
        frequencies = average(self.counts, self.counts.sum(axis=-1, keepdims=True))
        weights = np.where(stays[..., None], 0.0, frequencies)
        successors[..., 0] = np.where(stays, np.arange(self.n_states)[:, None], successors[..., 0])
        weights[..., 0] = np.where(stays, 1.0, weights[..., 0])

        background = np.zeros_like(rewards)
        return MDP.unchecked(successors, weights, background, rewards, self.terminal_states)
