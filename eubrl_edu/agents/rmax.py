"""RMAX: what is not known is as good as it gets."""

import numpy as np

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.beliefs.successors import SuccessorTable, widen
from eubrl_edu.mdp import MDP
from eubrl_edu.validation import require_finite, require_index, require_positive_int


class RMAX(PlanningAgent):
    r"""Optimism in the face of uncertainty, with a threshold: known or not.

    A pair visited at least m times is *known*, and planned with at the frequencies of its first m
    transitions and the average of its rewards. Any other pair is planned with as if it led to a state that pays R_max for
    ever, so that its value is the largest there is, R_max / (1 − γ). Brafman and Tennenholtz
    (2002); the paper, "Baselines".

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    known_after : int
        m, the visits after which a pair is known.
    r_max : float
        R_max, the largest reward there can be.
    discount, horizon
        See `PlanningAgent`. It plans anew whenever a pair becomes known.
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
        known_after: int = 1,
        r_max: float = 1.0,
        discount: float = 0.99,
        horizon: int | None = None,
        terminal_states=(),
    ):
        super().__init__(discount, horizon)
        self.known_after = require_positive_int("known_after", known_after)
        self.r_max = require_finite("r_max", r_max)
        self.table = SuccessorTable(n_states, n_actions)
        self.n_states, self.n_actions = self.table.n_states, self.table.n_actions
        self.terminal_states = tuple(
            require_index("terminal_states", state, self.n_states) for state in terminal_states
        )
        self.counts = np.zeros(self.table.successors.shape)
        self.visits = np.zeros((self.n_states, self.n_actions))
        self.reward_sums = np.zeros((self.n_states, self.n_actions))
        self._became_known = False

    @property
    def known(self) -> np.ndarray:
        """Which pairs are known, (S, A) booleans; terminal states always are."""
        known = self.visits >= self.known_after
        known[list(self.terminal_states)] = True
        return known

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count the reward, and the transition until the pair is known."""
        state = require_index("state", state, self.n_states)
        action = require_index("action", action, self.n_actions)
        next_state = require_index("next_state", next_state, self.n_states)
        reward = require_finite("reward", reward)
        if self.visits[state, action] < self.known_after:
            outcome = self.table.outcome(state, action, next_state)
            self.counts = widen(self.counts, self.table.width, 0.0)
            self.counts[state, action, outcome] += 1.0
        self.visits[state, action] += 1.0
        self.reward_sums[state, action] += reward
        self._became_known = self.visits[state, action] == self.known_after

    def renew(self) -> None:
        """Plan only when a pair has become known: nothing else changes the model."""
        if self._became_known:
            self.plan()

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Solve the empirical model of the known pairs, all others at their best.

        An unknown pair is made to stay where it is and earn R_max. Its value then is
        R_max / (1 − γ), that of the absorbing state, and no extra state is needed.
        """
        known = self.known
        weights = np.where(known[..., None], self.counts / self.known_after, 0.0)
        successors = self.table.successors.copy()
        rewards = np.where(known, self.reward_sums / np.maximum(self.visits, 1.0), self.r_max)
        stays = ~known
        stays[list(self.terminal_states)] = True
        rewards[list(self.terminal_states)] = 0.0
        successors[..., 0] = np.where(stays, np.arange(self.n_states)[:, None], successors[..., 0])
        weights[..., 0] = np.where(stays, 1.0, weights[..., 0])

        model = MDP(successors, weights, np.zeros_like(rewards), rewards, self.terminal_states)
        solution = self.solve(model)
        self.current_plan = Plan(model, rewards, solution.q, solution.v)
        return self.current_plan
