"""What planning asks of a belief, for every pair, kept current as observations come in."""

from functools import cache

import numpy as np

from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.beliefs.successors import widen
from eubrl_edu.beliefs.transitions import DirichletTransitions
from eubrl_edu.mdp import MDP
from eubrl_edu.uncertainty.formulas import transition_mutual_information, transition_variance
from eubrl_edu.validation import require_bool


class PosteriorPredictive:
    """The tables P_b, r_b, E_T and E_R of a belief.

    One observation changes one row of an independent prior, so `refresh` recomputes the rows
    observed since the last time, compiled. All rows are computed anew after a large batch, under
    a tied prior, where a part of the belief was told something by itself (`Belief.edits`), and for
    beliefs other than this package's own.

    Parameters
    ----------
    belief : Belief
        The belief to follow; its `update` may be called by anyone.
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
        self.mutual_information = require_bool("mutual_information", mutual_information)
        self._unlisted_reward = belief.rewards.prior()
        self._compiled_rewards = _kernels().reward_arguments(belief.rewards)
        own = type(belief), type(belief.transitions)
        self._independent = own == (Belief, DirichletTransitions)
        self._refresh_all()

    def refresh(self) -> None:
        """Bring the tables up to date with the belief."""
        behind = self.belief.n_observations - self._seen
        edited = self.belief.edits != self._edits
        if behind == 0 and not edited:
            return
        many = behind > self.mean_reward.size // 4 + 1
        if many or edited or not self._independent or self._compiled_rewards is None:
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
        return MDP.unchecked(
            self.belief.transitions.table.successors.copy(),
            self.weights.copy(),
            self.background.copy(),
            rewards,
            self.belief.terminal_states,
        )

    def _refresh_pair(self, state: int, action: int) -> None:
        """`_refresh_all` for one pair of an independent prior, compiled."""
        transitions, rewards = self.belief.transitions, self.belief.rewards
        kind, names, prior = self._compiled_rewards
        _kernels().refresh_pair(
            state,
            action,
            transitions.table.listed,
            transitions.counts,
            transitions.visits,
            transitions.alpha,
            kind,
            rewards.on == "action",
            prior,
            *self._unlisted_reward,
            rewards.n,
            *(getattr(rewards, name) for name in names),
            self.weights,
            self.background,
            self.transition_uncertainty,
            self.mean_reward,
            self.reward_uncertainty,
            self.mutual_information,
        )

    def _refresh_all(self) -> None:
        row, self.weights, self.background, *of_rewards = self.belief.predict()
        self.mean_reward, self.reward_uncertainty = of_rewards
        measure = transition_mutual_information if self.mutual_information else transition_variance
        self.transition_uncertainty = measure(row)
        for state in self.belief.terminal_states:
            itself = (self.belief.transitions.table.successors[state] == state).argmax(axis=-1)
            self.weights[state] = 0.0
            self.weights[state, np.arange(len(itself)), itself] = 1.0
            self.background[state] = 0.0
            self.mean_reward[state] = 0.0
            self.transition_uncertainty[state] = 0.0
            self.reward_uncertainty[state] = 0.0
        self._seen = self.belief.n_observations
        self._edits = self.belief.edits


@cache
def _kernels():
    """The compiled module, imported when the first agent is made: numba takes a while to load."""
    from eubrl_edu.uncertainty import predictive_kernels

    return predictive_kernels
