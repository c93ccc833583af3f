"""The events A1 to A4 about frequencies and averages, kept up to date as a run goes on."""

from collections.abc import Sequence

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.theory.log_terms import pair_log_term, problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.solved_values import SolvedValues
from eubrl_edu.trajectory import Trajectory


class ModelEvents:
    """How far A1 to A4 are from failing, for every pair (`eubrl_edu.theory.event_margins`).

    Parameters
    ----------
    problem : Problem
    model : MDP
        The true one.
    following : (n, S) array
        The values that A1 and A2 are about: V*, or V*_{h+1} for each h of an episode.

    Attributes
    ----------
    visits : (S, A) array
        N.
    """

    def __init__(self, problem: Problem, model: MDP, following: np.ndarray):
        self.problem = problem
        self.transitions, self.rewards = model.transition_matrix(), model.rewards
        self.following = following
        self.expected = self.transitions @ following.T  # (S, A, n), as all that follows
        self.variance = np.maximum(self.transitions @ following.T**2 - self.expected**2, 0.0)
        self.l1 = problem_log_terms(problem).l1
        self.visits, self._sums = np.zeros_like(self.rewards), np.zeros_like(self.rewards)
        self._seen = np.zeros_like(self.transitions)
        self._margins = np.full((4, *self.rewards.shape), np.inf)

    @property
    def least(self) -> np.ndarray:
        """(4,) the margins of A1 to A4, the least over the pairs; infinite before any visit."""
        return self._margins.reshape(4, -1).min(axis=1)

    def observe(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count a visit; `update` then looks at its pair again."""
        self._seen[state, action, next_state] += 1
        self.visits[state, action] += 1
        self._sums[state, action] += reward

    def update(self, pairs, lambda_: float) -> None:
        """Look again at pairs that have been visited, under λ."""
        problem, v_max, l1 = self.problem, self.problem.v_max, self.l1
        for pair in pairs:
            n, true, mean = self.visits[pair], self.transitions[pair], self.rewards[pair]
            frequency, variance = self._seen[pair] / n, self.variance[pair]
            error = np.abs(self.following @ frequency - self.expected[pair])
            allowed = lambda_ / (4 * v_max) * variance + 3 * v_max * l1 / (lambda_ * n)
            excess = self.following**2 @ (true - frequency)
            l3 = float(pair_log_term(problem, n))
            deviation = 2 * np.sqrt(2 * true * l3 / n) + 2 * l3 / (3 * n)
            reward_allowed = lambda_ * mean + problem.r_max * l1 / (lambda_ * n)
            self._margins[(slice(None), *pair)] = (
                (allowed - error).min(),
                (variance / 2 + 6 * v_max**2 * l1 / n - excess).min(),
                (deviation - np.abs(frequency - true)).min(),
                reward_allowed - abs(self._sums[pair] / n - mean),
            )

    def update_all(self, lambda_: float) -> None:
        """Look again at every pair that has been visited, as a new λ asks for."""
        self.update([tuple(map(int, pair)) for pair in np.argwhere(self.visits > 0)], lambda_)


def model_events(
    values: SolvedValues,
    following: np.ndarray,
    trajectory: Trajectory,
    parts: Sequence[slice],
    lambdas: np.ndarray,
) -> dict[str, np.ndarray]:
    """A1 to A4 before each part of a run: a step, or an episode. A pair without a visit meets them.

    What a visit changes are the counts of its own pair. So as long as λ stays the same, only the
    pairs of the last part need a look.
    """
    events = ModelEvents(values.problem, values.model, following)
    paid = values.reward_map.rewards(trajectory.rewards)
    history = np.empty((4, len(parts)))
    visited: set[tuple[int, int]] = set()
    for number, (steps, lambda_) in enumerate(zip(parts, lambdas, strict=True)):
        if lambda_ == lambdas[number - 1]:
            events.update(visited, lambda_)
        else:
            events.update_all(lambda_)
        history[:, number] = events.least
        visited = set()
        for step in range(steps.start, steps.stop):
            pair = int(trajectory.states[step]), int(trajectory.actions[step])
            events.observe(*pair, paid[step], trajectory.next_states[step])
            visited.add(pair)
    return dict(zip(("A1", "A2", "A3", "A4"), history, strict=True))
