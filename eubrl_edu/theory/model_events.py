"""The events A1 to A4 about frequencies and averages, kept up to date as a run goes on."""

from collections.abc import Sequence

import numpy as np

from eubrl_edu.theory.log_terms import pair_log_term, problem_log_terms
from eubrl_edu.theory.solved_values import SolvedValues
from eubrl_edu.trajectory import Trajectory


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
    problem, v_max = values.problem, values.problem.v_max
    l1 = problem_log_terms(problem).l1
    transitions, rewards = values.model.transition_matrix(), values.model.rewards
    expected = transitions @ following.T  # (S, A, n), as all that follows
    variances = np.maximum(transitions @ following.T**2 - expected**2, 0.0)
    seen, visits, paid = np.zeros_like(transitions), np.zeros_like(rewards), np.zeros_like(rewards)
    margins = np.full((4, *rewards.shape), np.inf)

    def look_again(pair: tuple[int, int], lambda_: float) -> None:
        n, true, mean = visits[pair], transitions[pair], rewards[pair]
        frequency, variance = seen[pair] / n, variances[pair]
        error = np.abs(following @ frequency - expected[pair])
        allowed = lambda_ / (4 * v_max) * variance + 3 * v_max * l1 / (lambda_ * n)
        excess = following**2 @ (true - frequency)
        l3 = float(pair_log_term(problem, n))
        deviation = 2 * np.sqrt(2 * true * l3 / n) + 2 * l3 / (3 * n)
        reward_allowed = lambda_ * mean + problem.r_max * l1 / (lambda_ * n)
        margins[(slice(None), *pair)] = (
            (allowed - error).min(),
            (variance / 2 + 6 * v_max**2 * l1 / n - excess).min(),
            (deviation - np.abs(frequency - true)).min(),
            reward_allowed - abs(paid[pair] / n - mean),
        )

    mapped = values.reward_map.rewards(trajectory.rewards)
    history = np.empty((4, len(parts)))
    visited: set[tuple[int, int]] = set()
    for number, (steps, lambda_) in enumerate(zip(parts, lambdas, strict=True)):
        if lambda_ != lambdas[number - 1]:
            visited = {tuple(map(int, pair)) for pair in np.argwhere(visits > 0)}
        for pair in visited:
            look_again(pair, lambda_)
        history[:, number] = margins.reshape(4, -1).min(axis=1)
        visited = set()
        for step in range(steps.start, steps.stop):
            pair = int(trajectory.states[step]), int(trajectory.actions[step])
            seen[(*pair, trajectory.next_states[step])] += 1
            visits[pair] += 1
            paid[pair] += mapped[step]
            visited.add(pair)
    return dict(zip(("A1", "A2", "A3", "A4"), history, strict=True))
