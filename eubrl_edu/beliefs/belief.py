"""The belief b over one unknown MDP: transitions and rewards, updated together."""

from array import array
from collections.abc import Mapping, Sequence, Set

import numpy as np

from eubrl_edu.beliefs.known_rewards import KnownRewards
from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.beliefs.sampling import sample_mdp
from eubrl_edu.beliefs.transitions import (
    DirichletParameters,
    DirichletTransitions,
    TiedDirichletTransitions,
)
from eubrl_edu.mdp import MDP, make_absorbing
from eubrl_edu.sequences import can_be_array
from eubrl_edu.tables import table_of_pairs
from eubrl_edu.validation import require_index, require_positive_int, require_states, shown


def predictive_probability(parameter, total):
    r"""P_b(s'|s,a) = (α_k + n_k) / (α_0 + n) (the paper, "Posterior Predictive: Transition").

    A next state's probability is the sum of two such terms: of what was observed, n_k, and of
    what was believed before, α_k.

    Parameters
    ----------
    parameter : float or (S, A) array
        A Dirichlet parameter, or a part of it.
    total : float or (S, A) array
        α_0 + n, the sum of all parameters.

    Returns
    -------
    float or (S, A) array
        Between 0 and 1.
    """
    return parameter / total


def outcome_expectation(row: DirichletParameters, values: Sequence, unlisted_value: float):
    r"""Expectation over next states, E_{P_b(s'|s,a)}[value(s, a, s')].

    The paper aggregates rewards and their uncertainty in this way,
    :math:`\mathcal E_R(s,a) = \mathbb E_{P_b(s'|s,a)}[\mathcal E_R(s,a,s')]`
    ("Hierarchical Reward Model").

    Parameters
    ----------
    row : DirichletParameters
        Posterior of one pair or of all.
    values : sequence
        A value for each listed next state, in the order of ``row.listed``.
    unlisted_value : float
        The value of every other next state.

    Returns
    -------
    float or (S, A) array
        In the unit of ``values``.
    """
    weighted = row.n_unlisted * row.alpha * unlisted_value
    for parameter, value in zip(row.listed, values):
        weighted = weighted + parameter * value
    return weighted / row.total


class Belief:
    """A posterior over MDPs: a belief over transitions joined with a belief over rewards.

    Parameters
    ----------
    transitions : DirichletTransitions or TiedDirichletTransitions
        Belief over P(s'|s,a).
    rewards : RewardBelief
        Belief over the mean reward of each outcome or pair.
    terminal_states : iterable of int
        States known to end an episode: absorbing, with reward 0 and no uncertainty. One that is
        left out stays as uncertain as the prior, since nothing is ever tried in it.

    Raises
    ------
    ValueError
        If one of the two is no such belief, they differ in size, the rewards have learned where the
        transitions have not, or a terminal state is not a state.
    """

    def __init__(
        self,
        transitions: DirichletTransitions | TiedDirichletTransitions,
        rewards: RewardBelief,
        terminal_states=(),
    ):
        if not hasattr(transitions, "all_parameters") or not isinstance(rewards, RewardBelief):
            raise ValueError(
                "a belief over transitions comes first, then one over rewards, got "
                f"{shown(transitions)} and {shown(rewards)}"
            )
        sizes = (transitions.n_states, transitions.n_actions)
        if (rewards.n_states, rewards.n_actions) != sizes:
            raise ValueError(
                f"transitions and rewards must have the same sizes, got {sizes} and "
                f"{(rewards.n_states, rewards.n_actions)} for (n_states, n_actions)"
            )
        if isinstance(rewards, KnownRewards):
            rewards = rewards.copy()  # each belief has them in the order of its own transitions
        elif rewards.n.any() and not transitions.visits.any():
            raise ValueError(
                "rewards must be new where transitions are, got some that have learned already, "
                "perhaps in another belief"
            )
        self.transitions = transitions
        self.rewards = rewards
        self.n_states, self.n_actions = sizes
        self.terminal_states = require_states("terminal_states", terminal_states, self.n_states)
        self._terminal = frozenset(self.terminal_states)
        self._observed_pairs = array("q")  # the numbers of the pairs, s·A + a: quick to copy
        rewards.bind(transitions)
        for state in self.terminal_states:
            for action in range(self.n_actions):
                transitions.prepare(state, action, state)

    @property
    def visits(self) -> np.ndarray:
        """How often each pair was observed, n(s, a), shape (S, A)."""
        return self.transitions.visits

    @property
    def n_observations(self) -> int:
        """How many transitions this belief has learned from."""
        return len(self._observed_pairs)

    @property
    def edits(self) -> int:
        """Changes when its `transitions` or `rewards` are told something by themselves."""
        return getattr(self.transitions, "edits", 0) + self.rewards.edits

    def update(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Learn from one transition (s, a, r, s'), in closed form.

        Raises
        ------
        ValueError
            If a state or action is out of range, ``state`` is terminal, or the reward is not
            one that the reward belief can learn from. The belief then stays as it was.
        """
        state, action, reward, next_state = self._checked(state, action, reward, next_state)
        outcome = self.transitions.count(state, action, next_state)
        self.rewards.add((state, action, outcome), total=reward)
        self._observed_pairs.append(state * self.n_actions + action)

    def update_batch(self, states, actions, rewards, next_states) -> None:
        """Learn from many transitions at once, by their sufficient statistics.

        The posterior is the same as one by one, up to rounding.

        Parameters
        ----------
        states, actions, rewards, next_states : sequences of equal length
            The transitions, in any order.

        Raises
        ------
        ValueError
            If the lengths differ or any transition is invalid. The belief then stays as it was.
        """
        columns = {"states": states, "actions": actions, "rewards": rewards}
        for name, column in (columns | {"next_states": next_states}).items():
            is_sequence = hasattr(column, "__len__") and getattr(column, "ndim", 1) == 1
            if not is_sequence or isinstance(column, (Mapping, Set)) or not can_be_array(column):
                raise ValueError(f"{name} must be a sequence of numbers, got {shown(column)}")
        lengths = [len(column) for column in (states, actions, rewards, next_states)]
        if len(set(lengths)) > 1:
            raise ValueError(
                f"states, actions, rewards and next_states must be equally long, got {lengths}"
            )
        rewards_of = {}
        for transition in zip(states, actions, rewards, next_states, strict=True):
            state, action, reward, next_state = self._checked(*transition)
            rewards_of.setdefault((state, action, next_state), []).append(reward)
        for (state, action, next_state), observed in rewards_of.items():
            outcome = self.transitions.count(state, action, next_state, len(observed))
            self.rewards.add_batch((state, action, outcome), np.array(observed))
            self._observed_pairs.extend([state * self.n_actions + action] * len(observed))

    def _checked(self, state, action, reward, next_state):
        state, action, next_state = self.transitions.check(state, action, next_state)
        if state in self._terminal:
            raise ValueError(
                f"state must not be one of the terminal states {self.terminal_states}, got {state}"
            )
        return state, action, self.rewards.check(reward), next_state

    def mean_transition(self, state: int, action: int) -> np.ndarray:
        """The predictive probabilities of the next state, P_b(·|s,a), shape (S,).

        Raises
        ------
        ValueError
            If there is no such state or action.
        """
        state = require_index("state", state, self.n_states)
        action = require_index("action", action, self.n_actions)
        mean = self.mean_mdp()
        row = np.full(self.n_states, mean.background[state, action])
        np.add.at(row, mean.successors[state, action], mean.weights[state, action])
        return row

    def mean_mdp(self) -> MDP:
        """The mean MDP: P_b(s'|s,a) and r_b(s,a), terminal states absorbing and without reward.

        With an independent prior P_b(s'|s,a) = (α + n(s,a,s')) / (αS + n(s,a)).
        """
        _, weights, background, rewards, _ = self.predict()
        successors = self.transitions.table.successors.copy()
        return make_absorbing(
            MDP.unchecked(successors, weights, background, rewards, self.terminal_states)
        )

    def predict(self) -> tuple:
        """The Dirichlets of all pairs, P_b as weights and background, r_b and E_R: new arrays.

        Terminal states are as the prior has them.
        """
        self.rewards.grow(self.transitions.table.width)
        row = self.transitions.all_parameters()
        weights = [predictive_probability(count, row.total) for count in row.counts]
        on_action = self.rewards.on == "action"
        of_rewards = [
            outcomes[..., 0] + 0.0  # makes −0 a 0, as a sum does
            if on_action
            else outcome_expectation(row, outcomes.transpose(2, 0, 1), unlisted)
            for outcomes, unlisted in zip(self.rewards.posterior(), self.rewards.prior())
        ]
        background = predictive_probability(row.alpha, row.total)
        return row, np.stack(weights, axis=-1), background, *of_rewards

    def sample_mdp(self, rng: np.random.Generator) -> MDP:
        """Draw a whole MDP from the posterior, as PSRL does."""
        return sample_mdp(self, rng)

    def __repr__(self) -> str:
        ends = f", terminal states {self.terminal_states}" if self.terminal_states else ""
        return (
            f"Belief({self.transitions!r}, {self.rewards!r}{ends}, "
            f"{self.n_observations:,} transitions observed)"
        )

    def _repr_html_(self) -> str:
        model = self.mean_mdp()
        likeliest = model.weights.argmax(axis=-1)[..., None]
        states = np.take_along_axis(model.successors, likeliest, axis=-1)[..., 0]
        odds = np.take_along_axis(model.weights, likeliest, axis=-1)[..., 0] + model.background
        words = [f"{s} ({p:.3g})" for s, p in zip(states.flat, odds.flat, strict=True)]
        where = np.where(self.visits > 0, np.reshape(words, states.shape), "as the prior says")
        columns = {"n": self.visits, "r_b": model.rewards, "likeliest next state (P_b)": where}
        return table_of_pairs(repr(self), columns)

    def observed_pairs(self, since: int) -> set[tuple[int, int]]:
        """The distinct pairs (s, a) observed after the first ``since`` transitions."""
        since = require_positive_int("since", since, at_least=0)
        return {divmod(pair, self.n_actions) for pair in self._observed_pairs[since:]}

    def copy(self) -> "Belief":
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.transitions = self.transitions.copy()
        twin.rewards = self.rewards.copy()
        twin._observed_pairs = self._observed_pairs[:]
        return twin


def require_belief(belief) -> Belief:
    """Return ``belief`` if it is a `Belief`, or raise ``ValueError``."""
    if not isinstance(belief, Belief):
        raise ValueError(f"belief must be an eubrl_edu.Belief, got {shown(belief)}")
    return belief


def require_over(name: str, belief: Belief, n_states: int, n_actions: int) -> None:
    """Raise ``ValueError`` unless a belief is over so many states and actions."""
    if (belief.n_states, belief.n_actions) != (n_states, n_actions):
        raise ValueError(
            f"{name} must be over {n_states} states and {n_actions} actions, "
            f"got one over {belief.n_states} and {belief.n_actions}"
        )
