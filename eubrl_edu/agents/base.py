"""What every agent does: act, observe, and plan when planning is due."""

import inspect
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from eubrl_edu.agents.plan import Plan
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import NotFinite, Solution, greedy_actions, solve, solve_horizon
from eubrl_edu.tables import table_of_pairs
from eubrl_edu.validation import (
    require_bool,
    require_discount,
    require_generator,
    require_horizon,
    require_index,
    require_positive_int,
    require_reals,
    shown,
)


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

    @property
    def settings(self) -> dict[str, object]:
        """What it was made with, by name: numbers, words and functions, such as ``eta``."""
        names = inspect.signature(type(self)).parameters
        present = {name: getattr(self, name) for name in names if hasattr(self, name)}
        plain = (int, float, str, type(None), Callable)
        return {name: value for name, value in present.items() if isinstance(value, plain)}

    def __repr__(self) -> str:
        belief = getattr(self, "belief", None)
        told = [] if belief is None else [repr(belief)]
        told += [f"{name}={value!r}" for name, value in self.settings.items()]
        # The address of a function says nothing.
        return re.sub(" at 0x[0-9a-fA-F]+", "", f"{type(self).__name__}({', '.join(told)})")

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
    plan_every : int, "episode" or "doubling"
        Plan anew after this many observations, whenever an episode ends, or whenever the visits of
        some pair have more than doubled since the last plan, n(s, a) > 2N(s, a). The last is what
        the discounted theorems are proved for, see theory/DOUBLING.md.
    n_pairs : int
        How many pairs of state and action a plan has a value for, at each step of a horizon.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    # Whether γ counts within episodes of a horizon too; it is 1 there, whatever is given, if not.
    discounts_episodes = True

    def __init__(
        self,
        discount: float,
        horizon: int | None = None,
        plan_every: int | str = 1,
        n_pairs: int = 1,
    ):
        self.horizon = None if horizon is None else require_horizon(horizon, n_pairs)
        if self.horizon is not None and not self.discounts_episodes:
            discount = 1.0
        self.discount = require_discount(discount, self.horizon)
        if not isinstance(plan_every, str) or plan_every not in ("episode", "doubling"):
            name = 'plan_every, unless "episode" or "doubling",'
            plan_every = require_positive_int(name, plan_every)
        self.plan_every = plan_every
        self.current_plan: Plan | None = None
        self._solution: Solution | None = None
        self.n_observations = 0
        self._step_in_episode = 0
        self._visits: Counter[tuple[int, int]] = Counter()
        self._visits_planned_with: Counter[tuple[int, int]] = Counter()

    def _repr_html_(self) -> str:
        return table_of_pairs(repr(self), self.current_plan.columns() if self.current_plan else {})

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
            If there is no such state, or `plan` returned no `Plan`.
        """
        plan = self.current_plan or self.plan(rng)
        if not isinstance(plan, Plan):
            raise ValueError(f"{type(self).__name__}.plan must return a Plan, got {shown(plan)}")
        q = plan.q if self.horizon is None else plan.q[self._step_in_episode]
        best = greedy_actions(q[require_index("state", state, len(q))])
        return best[0] if len(best) == 1 else at_random(best, rng)

    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        """Learn from one transition, then plan when planning is due."""
        terminated = require_bool("terminated", terminated)
        self.learn(state, action, reward, next_state)
        self.n_observations += 1
        self._step_in_episode += 1
        if terminated or self._step_in_episode == self.horizon:
            self.start_episode()
        if self.plan_every == "doubling":
            self._renew_if_doubled(state, action)
        elif self.plan_every != "episode" and self.n_observations % self.plan_every == 0:
            self.renew()

    def start_episode(self) -> None:
        """Go back to the first step of an episode, and plan if that is due at every episode."""
        self._step_in_episode = 0
        if self.plan_every == "episode":
            self.renew()

    def _renew_if_doubled(self, state: int, action: int) -> None:
        """Plan if the visits of the pair just visited have more than doubled since the last plan.

        A pair without a visit doubles at its first, one with N visits at number 2N + 1.
        """
        pair = int(state), int(action)
        self._visits[pair] += 1
        if self._visits[pair] > 2 * self._visits_planned_with[pair]:
            self._visits_planned_with = self._visits.copy()
            self.renew()

    def renew(self) -> None:
        """Plan, as planning is due."""
        self.plan()

    def solve(self, model: MDP) -> Solution:
        """Solve ``model`` exactly, starting from the previous solution."""
        if self.horizon is not None:
            return solve_horizon(model, self.horizon, self.discount)
        try:
            self._solution = solve(model, self.discount, start=self._solution)
        except NotFinite as error:
            raise NotFinite(f"{self!r}: {error}") from None
        return self._solution


def table_from(
    method: Callable[[], np.ndarray],
    shape: tuple[int, int],
    terminal_states: Sequence[int],
    least: float | None = None,
) -> np.ndarray:
    """What an agent's method returns: (S, A) finite numbers, none below ``least``; or an error.

    It is 0 in terminal states, whatever is returned: nothing is ever tried there, so that what is
    yet to be learned would stay for ever, and attract.
    """
    name, values = f"{type(method.__self__).__name__}.{method.__name__}()", method()
    if type(values) is np.ndarray and values.dtype == float and np.isfinite(values.sum()):
        table = values
    else:
        table = require_reals(f"what {name} returns", values)
    if table.shape != shape:
        raise ValueError(f"{name} must return an array of shape {shape}, got {table.shape}")
    if least is not None and (found := table.item(table.argmin())) < least:
        if found < least - 1e-12 * np.abs(table).max():  # rounding is no error
            raise ValueError(f"{name} must return numbers of at least {least:g}, got {found:g}")
    ends = list(terminal_states)
    if table[ends].any():
        table = table.copy()
        table[ends] = 0.0
    return table


def at_random(actions: list[int], rng: np.random.Generator) -> int:
    """One of several actions; ``ValueError`` where there is no source of randomness."""
    return actions[int(require_generator(rng).integers(len(actions)))]
