"""The belief over rewards with nothing to learn."""

import numpy as np

from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.validation import require_finite, require_indices, require_reals, require_sizes


class KnownRewards(RewardBelief):
    """Mean rewards that are given: nothing to learn, no uncertainty.

    An outcome that is not among the given ones is impossible, and its reward is 0.

    Parameters
    ----------
    rewards : (S, A) or (S, A, K) array
        Mean reward of each pair, or of each outcome listed in ``successors``.
    successors : (S, A, K) integer array, optional
        The next state that each outcome leads to, each at most once with a reward other than
        0; left out where rewards are (S, A).

    Raises
    ------
    ValueError
        If the shapes do not fit, a reward is not finite, or a successor is no state.
    """

    def __init__(self, rewards: np.ndarray, successors: np.ndarray | None = None):
        self.rewards = require_reals("rewards", rewards, finite=False).copy()
        for reward in self.rewards.flat:
            require_finite("rewards", reward)
        if self.rewards.ndim != (2 if successors is None else 3):
            raise ValueError(
                "rewards must have shape (S, A), or the shape (S, A, K) of successors; "
                f"got {self.rewards.shape}"
            )
        n_states, n_actions = require_sizes(*self.rewards.shape[:2])
        if successors is not None:
            successors = require_indices("successors", successors, n_states).astype(np.int64)
            if successors.shape != self.rewards.shape:
                raise ValueError(
                    f"successors must have the shape of rewards, {self.rewards.shape}, "
                    f"got {successors.shape}"
                )
        self.successors = successors
        super().__init__(n_states, n_actions, "action" if successors is None else "outcome")
        self.mean = self._filled(0.0)
        if successors is None:
            self.mean[..., 0] = self.rewards

    def _prior(self):
        return {"mean": 0.0}

    def bind(self, transitions):
        """List the outcomes that pay: 0 is what any other one is worth."""
        if self.successors is None:
            return
        for state, action, k in np.argwhere(self.rewards):
            next_state = self.successors[state, action, k]
            outcome = transitions.prepare(state, action, next_state)
            self.grow(outcome + 1)
            self.mean[state, action, outcome] = self.rewards[state, action, k]

    def add_at(self, at, total, n, spread):
        """Nothing to learn."""

    def posterior_of(self, n, mean):
        """The given reward, without uncertainty."""
        return mean, 0.0 * mean

    def draw(self, rng, n, mean):
        """The rewards themselves: there is no uncertainty to draw from."""
        return mean

    def settings(self):
        """What tells it from others in a few words: where its rewards belong."""
        return {"on": self.on}
