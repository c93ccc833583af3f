"""What every agent does: act, observe, and plan when planning is due."""

from abc import ABC, abstractmethod

import numpy as np

from eubrl_edu.agents.plan import Plan
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution, greedy_actions, solve, solve_horizon
from eubrl_edu.validation import require_discount, require_index, require_positive_int


class Agent(ABC):
    """Something that acts in a world and learns from what it observes."""

    @abstractmethod
    def act(self, state: int, rng: np.random.Generator) -> int:
        """Choose an action in ``state``."""

    @abstractmethod
    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        """Learn from one transition."""

    def start_episode(self) -> None:  # noqa: B027, as most agents need not know
        """Take note that the world was reset: at the start of a run, or before an episode's end.

        `observe` notes by itself where an episode ends in a terminal state or at the horizon.
        """


class PlanningAgent(Agent):
    """An agent that solves a model and acts greedily in it: the loop of the paper's Algorithm 1.

    Parameters
    ----------
    discount : float
        γ in [0, 1); in [0, 1] with a horizon.
    horizon : int, optional
        H, where episodes have this many steps; the plan then depends on the step.
    plan_every : int or "episode"
        Plan anew after this many observations, or whenever an episode ends.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(self, discount: float, horizon: int | None = None, plan_every: int | str = 1):
        self.horizon = None if horizon is None else require_positive_int("horizon", horizon)
        self.discount = require_discount(discount, self.horizon)
        if plan_every != "episode":
            plan_every = require_positive_int('plan_every, unless "episode",', plan_every)
        self.plan_every = plan_every
        self.current_plan: Plan | None = None
        self._solution: Solution | None = None
        self._observations = 0
        self._step_in_episode = 0

    @abstractmethod
    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Plan from what is known now, act by it from here on, and return it."""

    @abstractmethod
    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Update what is known with one transition."""

    def act(self, state: int, rng: np.random.Generator) -> int:
        """Choose a greedy action of the plan in force, ties broken at random.

        Raises
        ------
        ValueError
            If there is no such state.
        """
        plan = self.current_plan or self.plan(rng)
        q = plan.q if self.horizon is None else plan.q[self._step_in_episode]
        best = greedy_actions(q[require_index("state", state, len(q))])
        return best[0] if len(best) == 1 else best[int(rng.integers(len(best)))]

    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        """Learn from one transition, then plan when planning is due."""
        self.learn(state, action, reward, next_state)
        self._observations += 1
        self._step_in_episode += 1
        if terminated or self._step_in_episode == self.horizon:
            self.start_episode()
        if self.plan_every != "episode" and self._observations % self.plan_every == 0:
            self.renew()

    def start_episode(self) -> None:
        """Go back to the first step of an episode, and plan when episodes are when to."""
        self._step_in_episode = 0
        if self.plan_every == "episode":
            self.renew()

    def renew(self) -> None:
        """Plan, as planning is due."""
        self.plan()

    def solve(self, model: MDP) -> Solution:
        """Solve ``model`` exactly, starting from the previous solution."""
        if self.horizon is not None:
            return solve_horizon(model, self.horizon, self.discount)
        self._solution = solve(model, self.discount, start=self._solution)
        return self._solution
