"""Q-learning: no model, no belief, and exploration by accident."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents.base import Agent, at_random
from eubrl_edu.agents.plan import Plan
from eubrl_edu.planning import greedy_actions
from eubrl_edu.validation import (
    require_above,
    require_at_least,
    require_bool,
    require_discount,
    require_finite,
    require_generator,
    require_index,
    require_sizes,
)


@dataclass(frozen=True)
class ActionValues:
    """What an agent without a model acts on, in place of a `Plan`.

    Attributes
    ----------
    q : (S, A) array
        Value of each action.
    v : (S,) array
        Value of each state, ``v = q.max(axis=1)``.
    """

    q: np.ndarray
    v: np.ndarray

    __repr__ = Plan.__repr__


class QLearning(Agent):
    r"""Learns the value of each action from what follows it, and dithers to explore.

    .. math:: Q(s,a) \leftarrow Q(s,a) + \text{learning rate} \cdot
              \bigl(r + \gamma \max_{a'} Q(s',a') - Q(s,a)\bigr)

    with Q(s', ·) = 0 where s' is terminal. It takes a random action with probability ε, else one
    of greatest Q, ties broken at random (Watkins, 1989). It is here to be seen failing: where a
    prize is N steps away, an ε-greedy agent finds it after a number of episodes that grows
    exponentially with N, whatever it knows by then.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    learning_rate : float
        How far a value moves towards what was just seen, above 0 and at most 1.
    epsilon : float
        ε, the probability of a random action, in [0, 1].
    discount : float
        γ in [0, 1).

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        learning_rate: float = 0.1,
        epsilon: float = 0.1,
        discount: float = 0.99,
    ):
        self.n_states, self.n_actions = require_sizes(n_states, n_actions)
        self.learning_rate = _at_most_1("learning_rate", require_above, learning_rate)
        self.epsilon = _at_most_1("epsilon", require_at_least, epsilon)
        self.discount = require_discount(discount)
        self.q = np.zeros((self.n_states, self.n_actions))

    @property
    def current_plan(self) -> ActionValues:
        """The values in force, in a copy: what success is judged on, as other agents' plans."""
        return ActionValues(self.q.copy(), self.q.max(axis=1))

    def act(self, state: int, rng: np.random.Generator) -> int:
        """Choose any action with probability ε, else a greedy one.

        Raises
        ------
        ValueError
            If there is no such state.
        """
        state = require_index("state", state, self.n_states)
        if require_generator(rng).random() < self.epsilon:
            return int(rng.integers(self.n_actions))
        best = greedy_actions(self.q[state])
        return best[0] if len(best) == 1 else at_random(best, rng)

    def observe(
        self, state: int, action: int, reward: float, next_state: int, terminated: bool
    ) -> None:
        """Move Q(s, a) towards what this transition says it is worth.

        Raises
        ------
        ValueError
            If there is no such state or action, the reward is not finite, or ``terminated`` is
            neither True nor False.
        """
        terminated = require_bool("terminated", terminated)
        state = require_index("state", state, self.n_states)
        action = require_index("action", action, self.n_actions)
        next_state = require_index("next_state", next_state, self.n_states)
        reward = require_finite("reward", reward)
        following = 0.0 if terminated else self.q[next_state].max()
        error = reward + self.discount * following - self.q[state, action]
        self.q[state, action] += self.learning_rate * error


def _at_most_1(name: str, check_lower_bound, value) -> float:
    number = check_lower_bound(name, value, 0)
    if number > 1:
        raise ValueError(f"{name} must be at most 1, got {value!r}")
    return number
