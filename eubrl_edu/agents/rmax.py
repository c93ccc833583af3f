"""RMAX: what is not known is as good as it gets."""

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.validation import require_index, require_positive_int


class RMAX(EmpiricalAgent):
    """Optimism in the face of uncertainty, with a threshold: known or not.

    A pair visited at least m times is *known*, and planned with at the frequencies of its first m
    transitions and the average of its first m rewards, which never change again. Any other pair
    is worth R_max / (1 − γ). Brafman and Tennenholtz (2002); Strehl, Li and Littman (2009); the
    paper, "Baselines". It explores for O(mSA) steps.

    Parameters
    ----------
    n_states, n_actions, r_max, discount, horizon, terminal_states
        See `EmpiricalAgent`. It plans anew whenever a pair becomes known.
    known_after : int
        m, the visits after which a pair is known.

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
        super().__init__(n_states, n_actions, r_max, discount, horizon, 1, terminal_states)
        self.known_after = require_positive_int("known_after", known_after)
        self._became_known = False

    @property
    def known(self) -> np.ndarray:
        """Which pairs were visited at least m times, (S, A) booleans."""
        return self.visits >= self.known_after

    def is_learned_from(self, state: int, action: int) -> bool:
        """Only the first m experiences count: a known pair stays as it is known."""
        state = require_index("state", state, self.n_states)
        action = require_index("action", action, self.n_actions)
        return self.visits[state, action] < self.known_after

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count the transition and its reward until the pair is known."""
        super().learn(state, action, reward, next_state)
        self._became_known = self.visits[state, action] == self.known_after

    def renew(self) -> None:
        """Plan only when a pair has become known: nothing else changes what is known."""
        if self._became_known:
            self.plan()
