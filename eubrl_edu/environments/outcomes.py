"""What a step can bring: a short list of outcomes for every state and action.

An outcome is a next state together with a reward, so the same next state may be listed twice
with different rewards (a bandit's success and failure). The Markov decision process sees less:
it adds up the probabilities of one next state and keeps the expected reward.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.validation import (
    LARGEST,
    SUM_TOLERANCE,
    listed,
    require_at_least,
    require_finite,
    require_index,
    shown,
)

# A reward and its noise of many deviations stay within what agents can learn from.
LARGEST_REWARD = LARGEST / 100
MOST_OUTCOMES = 100_000  # of one pair; far more than a plan could go through


class Outcome(NamedTuple):
    """One thing that can happen: where it leads and what it pays, N(reward, deviation²)."""

    probability: float
    next_state: int
    reward: float
    deviation: float = 0.0


@dataclass(frozen=True)
class OutcomeTable:
    """The outcomes of every state and action as padded arrays; unused places have probability 0.

    Parameters
    ----------
    next_states : (S, A, K) integer array
        Where outcome k of (s, a) leads.
    probabilities : (S, A, K) array
        How likely it is; each row sums to one.
    rewards : (S, A, K) array
        Its mean reward.
    deviations : (S, A, K) array
        Standard deviation of the Gaussian noise on that reward; 0 for an exact reward.
    """

    next_states: np.ndarray
    probabilities: np.ndarray
    rewards: np.ndarray
    deviations: np.ndarray

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Iterable[Outcome]]]) -> "OutcomeTable":
        """Gather ``rows[state][action]``, an iterable of outcomes each, into arrays.

        Outcomes that differ in nothing but their probability become one (at a wall, slipping
        and moving are the same thing), and impossible ones are left out; the order is kept.

        Raises
        ------
        ValueError
            If the probabilities of a row do not sum to one, up to 1e-9, or a next state does not
            exist.
        """
        n_states, n_actions = len(rows), len(rows[0])
        merged = [
            [_merge(outcomes, n_states, f"state {s}, action {a}") for a, outcomes in enumerate(row)]
            for s, row in enumerate(rows)
        ]
        most = max(len(row) for by_action in merged for row in by_action)
        table = cls(
            np.zeros((n_states, n_actions, most), dtype=np.int64),
            *(np.zeros((n_states, n_actions, most)) for _ in range(3)),
        )
        for state, by_action in enumerate(merged):
            for action, row in enumerate(by_action):
                if abs(sum(row.values()) - 1.0) > SUM_TOLERANCE:
                    raise ValueError(
                        f"the outcome probabilities of state {state}, action {action} "
                        f"must sum to 1, got {sum(row.values())!r}, which may differ by "
                        f"{SUM_TOLERANCE:g}"
                    )
                for k, ((next_state, reward, deviation), probability) in enumerate(row.items()):
                    table.next_states[state, action, k] = next_state
                    table.probabilities[state, action, k] = probability
                    table.rewards[state, action, k] = reward
                    table.deviations[state, action, k] = deviation
        return table

    @classmethod
    def of_world(cls, world) -> "OutcomeTable":
        """The table of a world of this package."""
        return cls(
            world.outcome_states,
            world.outcome_probabilities,
            world.outcome_rewards,
            world.reward_deviations,
        )

    @classmethod
    def of(cls, outcomes: Callable, n_states: int, n_actions: int, ends) -> "OutcomeTable":
        """The table of ``outcomes(state, action)``; a state in ``ends`` stays put, unpaid."""
        return cls.from_rows(
            [
                [
                    [Outcome(1.0, state, 0.0)] if state in ends else outcomes(state, action)
                    for action in range(n_actions)
                ]
                for state in range(n_states)
            ]
        )

    def model(self, terminal_states: tuple[int, ...] = ()) -> MDP:
        """The exact Markov decision process, with distinct successors and no background.

            P(s'|s,a) = sum_k p_k 1[s'_k = s']        r(s,a) = sum_k p_k r_k

        Parameters
        ----------
        terminal_states : tuple of int
            States that end an episode.

        Returns
        -------
        MDP
        """
        successors = np.zeros_like(self.next_states)
        weights = np.zeros_like(self.probabilities)
        for state, action in np.ndindex(self.probabilities.shape[:2]):
            place: dict[int, int] = {}
            for k in np.flatnonzero(self.probabilities[state, action]):
                next_state = int(self.next_states[state, action, k])
                at = place.setdefault(next_state, len(place))
                successors[state, action, at] = next_state
                weights[state, action, at] += self.probabilities[state, action, k]
        most = int((weights > 0).sum(axis=-1).max())
        rewards = (self.probabilities * self.rewards).sum(axis=-1)
        return MDP(
            successors[..., :most],
            weights[..., :most],
            np.zeros_like(rewards),
            rewards,
            terminal_states,
        )

    def as_lists(self) -> list[list[tuple[list, list, list, list]]]:
        """For each state and action: cumulative probabilities, next states, rewards, deviations."""
        columns = self.next_states, self.rewards, self.deviations

        def row(state: int, action: int) -> tuple[list, list, list, list]:
            at = state, action, slice(np.count_nonzero(self.probabilities[state, action]))
            cumulative = list(itertools.accumulate(self.probabilities[at].tolist()))
            return cumulative, *(column[at].tolist() for column in columns)

        n_states, n_actions, _ = self.probabilities.shape
        return [[row(state, action) for action in range(n_actions)] for state in range(n_states)]

    def successor_rewards(self, model: MDP) -> np.ndarray:
        """Mean reward of each successor, E[r|s,a,s'] = sum_k p_k r_k 1[s'_k = s'] / P(s'|s,a).

        Parameters
        ----------
        model : MDP
            What `model` returned.

        Returns
        -------
        (S, A, K') array
            For ``s' = model.successors[s, a, k]``; 0 in unused places.
        """
        leads_there = self.next_states[..., None, :] == model.successors[..., :, None]
        weighted = (leads_there * (self.probabilities * self.rewards)[..., None, :]).sum(axis=-1)
        mean = np.zeros_like(model.weights)
        return np.divide(weighted, model.weights, out=mean, where=model.weights > 0)


def _merge(
    outcomes: Iterable[Outcome], n_states: int, where: str
) -> dict[tuple[int, float, float], float]:
    """Probability of each distinct (next state, reward, deviation), in order of appearance."""
    some = None if isinstance(outcomes, Outcome) else listed(outcomes, MOST_OUTCOMES)
    if some is None:
        raise ValueError(f"the outcomes of {where} must be a list of them, got {shown(outcomes)}")
    if len(some) > MOST_OUTCOMES:
        raise ValueError(f"the outcomes of {where} must be at most {MOST_OUTCOMES:,}")
    merged: dict[tuple[int, float, float], float] = {}
    for outcome in some:
        try:
            probability, next_state, reward, deviation = Outcome(*outcome)
        except TypeError:
            text = f"an outcome of {where} must be an Outcome, got {shown(outcome)}"
            raise ValueError(text) from None
        probability = require_at_least(f"a probability in {where}", probability, 0)
        if probability > 0:
            next_state = require_index(f"a next state in {where}", next_state, n_states)
            reward = require_finite(f"a reward in {where}", reward)
            deviation = require_at_least(f"a reward's deviation in {where}", deviation, 0)
            if max(abs(reward), deviation) > LARGEST_REWARD:
                raise ValueError(
                    f"a reward in {where} and its deviation must be at most {LARGEST_REWARD:g} "
                    f"in size, got {reward!r} and {deviation!r}"
                )
            key = next_state, reward, deviation
            merged[key] = merged.get(key, 0.0) + probability
    return merged
