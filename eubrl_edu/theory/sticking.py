"""Agents that live through the paper's "Prior Misspecification": how many stay on the worse arm.

Two ways to the same number: many agents simulated at once, and the exact probability, step by
step. What to hold them against is in `misspecification`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eubrl_edu.environments.bandit import require_two_probabilities
from eubrl_edu.theory.misspecification import (
    guided_reward,
    max_uncertainty,
    sharper_sufficient_estimate,
    union_bound,
)
from eubrl_edu.theory.problem import require_one_between
from eubrl_edu.validation import require_above, require_generator, require_positive_int

TIE = 1e-12  # two guided rewards this close, relative to E_max, are equal
LARGEST_PRIOR = 1e14  # beyond it α + 1 is α, but for its last digits: nothing is learned
MOST_AGENTS = 1_000_000  # each takes up to 150 bytes besides its pulls
MOST_PULLS = 100_000_000  # of all agents together: two bytes each, and a tenth of a microsecond
MOST_EXACT_STEPS = 20_000  # takes ten seconds, and it grows with the square


@dataclass(frozen=True)
class BanditRuns:
    """What many independent agents did in the bandit.

    Attributes
    ----------
    actions : (steps, n_agents) array of 0 and 1
        The arm of every step.
    rewards : (steps, n_agents) array of 0 and 1
        What it paid.
    """

    actions: np.ndarray
    rewards: np.ndarray

    @property
    def stuck(self) -> np.ndarray:
        """(steps,) share of the agents that have pulled the worse arm, 1, and no other so far."""
        return (np.cumsum(self.actions == 0, axis=0) == 0).mean(axis=1)


def simulate_bandit(
    means: Sequence[float],
    alpha: float,
    n_agents: int,
    steps: int,
    rng: np.random.Generator,
    rooted: bool = False,
) -> BanditRuns:
    """Let many agents of "Prior Misspecification" pull arms, all at once.

    Each pulls the arm with the larger guided reward, ties broken at random; E_max is the prior's
    variance, which no posterior of Beta(α, α) exceeds.

    Parameters
    ----------
    means : pair of float
        μ1 and μ2, the arms' probabilities of paying 1.
    alpha : float
        Prior pseudo-count of ones, and of zeros, above 0 and up to 1e14.
    n_agents, steps : int
        How many agents, and for how long.
    rng : numpy.random.Generator
        All luck comes from here.
    rooted : bool
        Whether E_b is the root of the variance, as in the algorithm.

    Returns
    -------
    BanditRuns

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    means = require_two_probabilities("means", means)
    n_agents = require_positive_int("n_agents", n_agents, at_most=MOST_AGENTS)
    steps = require_positive_int("steps", steps, at_most=MOST_PULLS // n_agents)
    require_generator(rng)
    alpha = _require_prior(alpha)
    tolerance = TIE * max_uncertainty(alpha, rooted)
    paid, pulled = np.zeros((2, 2, n_agents), dtype=np.int64)  # each has a row for each arm
    guided = np.full((2, n_agents), guided_reward(alpha, 0, 0, rooted))
    agents = np.arange(n_agents)
    actions = np.empty((steps, n_agents), dtype=np.int8)
    rewards = np.empty((steps, n_agents), dtype=np.int8)
    for step in range(steps):
        advantage = guided[1] - guided[0]
        tied = np.abs(advantage) <= tolerance
        actions[step] = np.where(tied, rng.random(n_agents) < 0.5, advantage > 0)
        rewards[step] = rng.random(n_agents) < means[actions[step]]
        chosen = actions[step], agents
        paid[chosen] += rewards[step]
        pulled[chosen] += 1
        guided[chosen] = guided_reward(alpha, paid[chosen], pulled[chosen] - paid[chosen], rooted)
    return BanditRuns(actions, rewards)


def sticking_probability(
    worse_mean: float, alpha: float, steps: int, rooted: bool = False
) -> np.ndarray:
    """The exact probability that the worse arm is pulled at each of the first t steps.

    As long as only one arm was pulled, the number n of its rewards and their sum are all there is
    to know. So a table of probabilities over the sums, moved from n to n + 1, gives it: O(steps²).

    Parameters
    ----------
    worse_mean : float
        μ2. The other arm's mean plays no role before it is pulled.
    alpha : float
        Prior pseudo-count, above 0 and up to 1e14.
    steps : int
        How far to look.
    rooted : bool
        Whether E_b is the root of the variance, as in the algorithm.

    Returns
    -------
    (steps,) array
        For t = 1, 2, ..., steps. It begins with 1/2, the chance that the worse arm comes first.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    worse_mean = require_one_between("worse_mean", worse_mean, 0, 1)
    steps = require_positive_int("steps", steps, at_most=MOST_EXACT_STEPS)
    alpha = _require_prior(alpha)
    untried = max_uncertainty(alpha, rooted)  # the guided reward of the arm that was never pulled
    probabilities = np.empty(steps)
    probabilities[0] = 0.5
    of_sum = np.array([0.5])  # by sum of the rewards: that only the worse arm was pulled
    for n in range(1, steps):
        of_sum = np.append((1.0 - worse_mean) * of_sum, 0.0) + np.append(0.0, worse_mean * of_sum)
        sums = np.arange(n + 1)
        advantage = guided_reward(alpha, sums, n - sums, rooted) - untried
        tied = np.abs(advantage) <= TIE * untried
        of_sum = of_sum * np.where(tied, 0.5, advantage > 0)
        probabilities[n] = of_sum.sum()
    return probabilities


def sticking_forever(worse_mean: float, alpha: float, steps: int) -> tuple[float, float]:
    """Between what bounds the probability lies that the better arm is never pulled.

    Exact for the first ``steps``; from there on the union bound says how many can still leave.

    Parameters
    ----------
    worse_mean : float
        μ2, above 2 E_max = 1 / (2(2α + 1)).
    alpha : float
        Prior pseudo-count, above 0 and up to 1e14.
    steps : int
        How far the exact probability goes.

    Returns
    -------
    lowest, highest : float

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    highest = float(sticking_probability(worse_mean, alpha, steps)[-1])
    estimate = sharper_sufficient_estimate(alpha)
    leaving_later = union_bound(alpha, worse_mean, estimate, first=steps) / 2.0
    return max(0.0, highest - leaving_later), highest


def _require_prior(alpha) -> float:
    above = require_above("alpha", alpha, 0)
    return require_one_between("alpha", above, 0, LARGEST_PRIOR, f"(0, {LARGEST_PRIOR:g}]")
