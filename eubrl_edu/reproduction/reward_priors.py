"""Two beliefs over the same rewards: of unknown precision (Normal-Gamma), and of a known one.

Both start with E_R = 1. What E_R should be is known here: the mean of n independent rewards whose
variances add up to v is off by v/n², squared and on average.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from eubrl_edu.beliefs.conjugate_rewards import (
    normal_gamma_update,
    normal_gamma_variance,
    normal_variance,
)

REWARDS, REPEATS = 200, 200
# The first few rewards say nothing of their spread; there any belief shows its prior.
FROM = 5
# Standard deviations of the rewards in the first half and in the second.
SCHEDULES = ((0.1, 0.1), (0.3, 0.3), (1.0, 1.0), (3.0, 3.0), (0.1, 1.0), (1.0, 0.1))
# α0 is the paper's, and λ0 = β0.
MEAN_REWARD, MU0, ALPHA0, BETA0 = 1.0, 0.0, 2.0, 5e-2
TAU0 = TAU = 1.0


def deviations(schedule: Sequence[float]) -> np.ndarray:
    """The standard deviation of each reward, (T,)."""
    return np.repeat(schedule, REWARDS // 2)


def squared_error(schedule: Sequence[float]) -> np.ndarray:
    """Expected squared error of the rewards' mean after 1, 2, ..., T of them, (T,)."""
    return np.cumsum(deviations(schedule) ** 2) / np.arange(1, REWARDS + 1) ** 2


def normal_gamma_uncertainty(schedule: Sequence[float]) -> np.ndarray:
    """E_R under Normal-Gamma after 1, 2, ..., T rewards, a row for each repetition."""
    rng = np.random.default_rng(0)
    rewards = MEAN_REWARD + deviations(schedule) * rng.standard_normal((REPEATS, REWARDS))
    mean, beta = np.full(REPEATS, MU0), np.full(REPEATS, BETA0)
    columns = []
    for n, reward in enumerate(rewards.T):
        mean, beta = normal_gamma_update(mean, beta, BETA0 + n, 1, reward, 0.0)
        columns.append(normal_gamma_variance(n + 1, beta, BETA0, ALPHA0))
    return np.transpose(columns)


def normal_uncertainty() -> np.ndarray:
    """E_R under a Normal of known precision after 1, 2, ..., T rewards: the same for any, (T,)."""
    return normal_variance(np.arange(1, REWARDS + 1), TAU0, TAU)


def average_log_errors(schedule: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """How far E_R is from the true squared error: mean absolute logarithm of their ratio.

    Returns
    -------
    normal_gamma, normal : (REPEATS,) arrays
        One number for each repetition; those of the Normal are all the same.
    """
    truth = squared_error(schedule)[FROM - 1 :]
    gamma = np.abs(np.log(normal_gamma_uncertainty(schedule)[:, FROM - 1 :] / truth)).mean(axis=1)
    normal = np.abs(np.log(normal_uncertainty()[FROM - 1 :] / truth)).mean()
    return gamma, np.full(REPEATS, normal)


def uncertainty_over_time() -> pd.DataFrame:
    """For the figure: ``before after rewards truth normal normal_gamma low high``.

    ``normal_gamma`` is the median over the repetitions, between their 5% and 95% quantiles.
    """
    frames = []
    for schedule in SCHEDULES:
        gamma = normal_gamma_uncertainty(schedule)
        low, median, high = np.quantile(gamma, (0.05, 0.5, 0.95), axis=0)
        frames.append(
            pd.DataFrame(
                {
                    "before": schedule[0],
                    "after": schedule[1],
                    "rewards": np.arange(1, REWARDS + 1),
                    "truth": squared_error(schedule),
                    "normal": normal_uncertainty(),
                    "normal_gamma": median,
                    "low": low,
                    "high": high,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
