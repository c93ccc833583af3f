"""The belief b over one unknown MDP: transitions and rewards, updated together."""

import numpy as np

from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.beliefs.transitions import DirichletTransitions, TiedDirichletTransitions
from eubrl_edu.validation import require_index


class Belief:
    """A posterior over MDPs: a belief over transitions joined with a belief over rewards.

    Parameters
    ----------
    transitions : DirichletTransitions or TiedDirichletTransitions
        Belief over P(s'|s,a).
    rewards : RewardBelief
        Belief over the mean reward of each outcome or pair.
    terminal_states : iterable of int
        States known to end an episode: absorbing, with reward 0 and no uncertainty.

    Raises
    ------
    ValueError
        If the two beliefs differ in size, or a terminal state is out of range.
    """

    def __init__(
        self,
        transitions: DirichletTransitions | TiedDirichletTransitions,
        rewards: RewardBelief,
        terminal_states=(),
    ):
        sizes = (transitions.n_states, transitions.n_actions)
        if (rewards.n_states, rewards.n_actions) != sizes:
            raise ValueError(
                f"transitions and rewards must have the same sizes, got {sizes} and "
                f"{(rewards.n_states, rewards.n_actions)} for (n_states, n_actions)"
            )
        self.transitions = transitions
        self.rewards = rewards
        self.n_states, self.n_actions = sizes
        self.terminal_states = tuple(
            require_index("terminal_states", state, self.n_states) for state in terminal_states
        )
        self._terminal = frozenset(self.terminal_states)
        self._observed_pairs: list[tuple[int, int]] = []
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
        self.rewards.learn(state, action, outcome, 1.0, reward, 0.0)
        self._observed_pairs.append((state, action))

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
            self.rewards.update_batch(state, action, outcome, observed)
            self._observed_pairs.extend([(state, action)] * len(observed))

    def _checked(self, state, action, reward, next_state):
        state, action, next_state = self.transitions.check(state, action, next_state)
        if state in self._terminal:
            raise ValueError(
                f"state must not be one of the terminal states {self.terminal_states}, got {state}"
            )
        return state, action, self.rewards.check(reward), next_state

    def observed_pairs(self, since: int) -> set[tuple[int, int]]:
        """The distinct pairs (s, a) observed after the first ``since`` transitions."""
        return set(self._observed_pairs[since:])

    def copy(self) -> "Belief":
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.transitions = self.transitions.copy()
        twin.rewards = self.rewards.copy()
        twin._observed_pairs = self._observed_pairs[:]
        return twin
