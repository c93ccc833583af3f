"""What planning asks of a belief, for every pair, kept current as observations come in."""

import numpy as np

from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.beliefs.successors import widen
from eubrl_edu.mdp import MDP
from eubrl_edu.uncertainty import (
    outcome_expectation,
    transition_mutual_information,
    transition_variance,
)


class PosteriorPredictive:
    """The tables P_b, r_b, E_T and E_R of a belief.

    One observation changes one row of an independent prior, so `refresh` recomputes the rows
    observed since the last time, and all rows only under a tied prior or after a large batch.

    Parameters
    ----------
    belief : Belief
        The belief to follow; it may be updated by anyone.
    mutual_information : bool
        Whether E_T is the mutual information instead of the summed variance.

    Attributes
    ----------
    weights, background : (S, A, K) and (S, A) arrays
        P_b, as in `eubrl_edu.mdp.MDP`.
    mean_reward : (S, A) array
        r_b.
    transition_uncertainty, reward_uncertainty : (S, A) arrays
        E_T and E_R; 0 for terminal states.
    """

    def __init__(self, belief: Belief, mutual_information: bool = False):
        self.belief = belief
        self._transition_uncertainty_of = (
            transition_mutual_information if mutual_information else transition_variance
        )
        self._seen = 0
        self._unlisted_reward = belief.rewards.prior()
        self._refresh_all()

    def refresh(self) -> None:
        """Bring the tables up to date with the belief."""
        behind = self.belief.n_observations - self._seen
        if behind == 0:
            return
        if self.belief.transitions.tied or behind > self.mean_reward.size // 4 + 1:
            self._refresh_all()
            return
        width = self.belief.transitions.table.width
        if width > self.weights.shape[-1]:
            self.weights = widen(self.weights, width, 0.0)
            self.belief.rewards.grow(width)
        for state, action in self.belief.observed_pairs(self._seen):
            self._refresh_pair(state, action)
        self._seen += behind

    def mean_mdp(self, rewards: np.ndarray) -> MDP:
        """The mean MDP (S, A, P_b) under the given rewards (S, A); P_b in arrays of its own."""
        return MDP(
            self.belief.transitions.table.successors.copy(),
            self.weights.copy(),
            self.background.copy(),
            rewards,
            self.belief.terminal_states,
        )

    def _refresh_pair(self, state: int, action: int) -> None:
        row = self.belief.transitions.parameters(state, action)
        for k, count in enumerate(row.counts):
            self.weights[state, action, k] = count / row.total
        self.background[state, action] = row.alpha / row.total
        self.transition_uncertainty[state, action] = self._transition_uncertainty_of(row)
        self.mean_reward[state, action], self.reward_uncertainty[state, action] = (
            self._expected_rewards(row, *self.belief.rewards.posterior_lists(state, action))
        )

    def _refresh_all(self) -> None:
        transitions, rewards = self.belief.transitions, self.belief.rewards
        rewards.grow(transitions.table.width)
        row = transitions.all_parameters()
        self.weights = np.stack([count / row.total for count in row.counts], axis=-1)
        self.background = row.alpha / row.total
        self.transition_uncertainty = self._transition_uncertainty_of(row)
        mean, variance = rewards.posterior()
        self.mean_reward, self.reward_uncertainty = self._expected_rewards(
            row, np.moveaxis(mean, -1, 0), np.moveaxis(variance, -1, 0)
        )
        for state in self.belief.terminal_states:
            itself = (transitions.table.successors[state] == state).argmax(axis=-1)
            self.weights[state] = 0.0
            self.weights[state, np.arange(len(itself)), itself] = 1.0
            self.background[state] = 0.0
            self.mean_reward[state] = 0.0
            self.transition_uncertainty[state] = 0.0
            self.reward_uncertainty[state] = 0.0
        self._seen = self.belief.n_observations

    def _expected_rewards(self, row, mean, variance):
        rewards = self.belief.rewards
        if rewards.on == "action":
            return mean[0] + 0.0, variance[0] + 0.0
        prior_mean, prior_variance = self._unlisted_reward
        return (
            outcome_expectation(row, mean, prior_mean),
            outcome_expectation(row, variance, prior_variance),
        )
