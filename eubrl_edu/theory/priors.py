r"""What a prior adds to the error of a posterior predictive.

For conjugate priors the error splits into what the data would have had without a prior, and what
the prior adds (the paper, "Posterior Predictive"):

.. math:: P_b - P = f(n)\,(\hat P - P) + g(n)\,(P_{b_0} - P), \qquad
          r_b - r = h(n)\,(\hat r - r) + s(n)\,(r_{b_0} - r).

The weights depend on the number of visits n alone. A prior that splits so is *decomposable*
(`priors_class` says which are).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eubrl_edu.validation import (
    LARGEST,
    require_above,
    require_between,
    require_finite,
    require_reals,
    shown,
)


@dataclass(frozen=True)
class PredictiveError:
    """The error of a posterior predictive mean, in its two parts.

    Attributes
    ----------
    data_weight, prior_weight : float
        f(n) and g(n) for transitions, h(n) and s(n) for rewards; they sum to one.
    frequentist : float or (S,) array
        What the luck of the observations adds: f(n)(P̂ − P), or h(n)(r̂ − r).
    prior_bias : float or (S,) array
        What the prior adds: g(n)(P_b0 − P), or s(n)(r_b0 − r).
    """

    data_weight: float
    prior_weight: float
    frequentist: float | np.ndarray
    prior_bias: float | np.ndarray

    @property
    def total(self) -> float | np.ndarray:
        """P_b − P, or r_b − r."""
        return self.frequentist + self.prior_bias


def dirichlet_error(counts: Sequence, alpha, truth: Sequence) -> PredictiveError:
    r"""Split P_b − P under a Dirichlet prior.

    .. math:: P_b - P = \frac{n}{n+\alpha_0}(\hat P - P) + \frac{\alpha_0}{n+\alpha_0}(P_{b_0} - P),
              \qquad \alpha_0 = \mathbf 1^\top\alpha

    (the paper, "Posterior Predictive: Transition", the lemma there).

    Parameters
    ----------
    counts : (S,) sequence
        How often each next state was seen.
    alpha : float or (S,) sequence
        Prior parameters, above 0; one number stands for all.
    truth : (S,) sequence
        P(·|s,a), a probability distribution.

    Returns
    -------
    PredictiveError
        Its parts are (S,) arrays.

    Raises
    ------
    ValueError
        If the lengths differ, a count is negative, ``alpha`` is not above 0, or ``truth`` is not
        a probability distribution.
    """
    given, truth = truth, require_reals("truth", truth)
    if truth.ndim != 1 or not (truth >= 0).all() or not np.isclose(truth.sum(), 1.0):
        raise ValueError(f"truth must be a probability distribution, got {shown(given)}")
    counts = np.asarray(require_between("counts", counts, 0, LARGEST))
    if counts.shape != truth.shape:
        raise ValueError(f"counts must be as long as truth, {truth.shape}, got {counts.shape}")
    alpha = np.asarray(require_between("alpha", alpha, 0, LARGEST, f"(0, {LARGEST:g}]"))
    if alpha.shape not in ((), (1,), truth.shape):
        raise ValueError(f"alpha must be as long as truth, {truth.shape}, got {alpha.shape}")
    alpha = np.broadcast_to(alpha, truth.shape)
    n, prior_total = counts.sum(), alpha.sum()
    empirical = counts / n if n else truth
    return _split(n, prior_total, empirical, alpha / prior_total, truth)


def normal_error(
    rewards: Sequence, truth: float, mu0: float, tau0: float, tau: float
) -> PredictiveError:
    r"""Split r_b − r under a Normal prior with known precision.

    .. math:: r_b - r = \frac{n\tau}{\tau_0+n\tau}(\hat r - r)
              + \frac{\tau_0}{\tau_0+n\tau}(\mu_0 - r)

    (the paper, "Posterior Predictive: Reward", the lemma there). The prior counts as much as
    τ0/τ rewards.

    Parameters
    ----------
    rewards : sequence
        The rewards seen.
    truth : float
        The mean reward r(s, a).
    mu0 : float
        Prior mean.
    tau0, tau : float
        Precision of the prior and of one reward, above 0, in 1/reward².

    Returns
    -------
    PredictiveError

    Raises
    ------
    ValueError
        If a precision is not above 0, or a number is not finite.
    """
    tau0, tau = require_above("tau0", tau0, 0), require_above("tau", tau, 0)
    return reward_error(rewards, truth, tau0 / tau, mu0)


def normal_gamma_error(
    rewards: Sequence, truth: float, mu0: float, lambda0: float
) -> PredictiveError:
    r"""Split r_b − r under a Normal-Gamma prior.

    .. math:: r_b - r = \frac{n}{\lambda_0+n}(\hat r - r) + \frac{\lambda_0}{\lambda_0+n}(\mu_0 - r)

    (the paper, "Posterior Predictive: Reward", the corollary there). The shape α0 and the rate β0
    do not enter.

    Parameters
    ----------
    rewards : sequence
        The rewards seen.
    truth : float
        The mean reward r(s, a).
    mu0 : float
        Prior mean.
    lambda0 : float
        Prior pseudo-count of rewards, above 0.

    Returns
    -------
    PredictiveError

    Raises
    ------
    ValueError
        If ``lambda0`` is not above 0, or a number is not finite.
    """
    return reward_error(rewards, truth, require_above("lambda0", lambda0, 0), mu0)


def beta_error(rewards: Sequence, truth: float, alpha0: float, beta0: float) -> PredictiveError:
    r"""Split r_b − r under a Beta prior on the probability of a reward of 1.

    .. math:: r_b - r = \frac{n}{\alpha_0+\beta_0+n}(\bar r - r)
              + \frac{\alpha_0+\beta_0}{\alpha_0+\beta_0+n}
                \left(\frac{\alpha_0}{\alpha_0+\beta_0} - r\right)

    ("Prior Misspecification" in the paper has the same split of r̂ itself, for α0 = β0 = α.)

    Parameters
    ----------
    rewards : sequence
        The rewards seen, each 0 or 1.
    truth : float
        The probability of a reward of 1.
    alpha0, beta0 : float
        Prior pseudo-counts of ones and of zeros, above 0.

    Returns
    -------
    PredictiveError

    Raises
    ------
    ValueError
        If a pseudo-count is not above 0, a reward is neither 0 nor 1, or ``truth`` is not a
        probability.
    """
    truth = require_between("truth", truth, 0, 1)
    alpha0, beta0 = require_above("alpha0", alpha0, 0), require_above("beta0", beta0, 0)
    values = require_reals("rewards", rewards)
    if values.ndim != 1 or not np.isin(values, (0, 1)).all():
        raise ValueError(f"rewards must be 0 or 1, got {shown(rewards)}")
    prior_total = alpha0 + beta0
    return reward_error(rewards, truth, prior_total, alpha0 / prior_total)


def reward_error(rewards, truth, pseudo_count, prior_mean) -> PredictiveError:
    """Split r_b − r under any prior whose mean is worth ``pseudo_count`` rewards."""
    truth, prior_mean = require_finite("truth", truth), require_finite("mu0", prior_mean)
    rewards = require_between("rewards", require_reals("rewards", rewards), -LARGEST, LARGEST)
    empirical = float(rewards.mean()) if rewards.size else truth
    return _split(rewards.size, pseudo_count, empirical, prior_mean, truth)


def _split(n, pseudo_count, empirical, prior_mean, truth) -> PredictiveError:
    """Both parts, where the prior counts as much as ``pseudo_count`` observations."""
    data_weight = n / (n + pseudo_count)
    prior_weight = pseudo_count / (n + pseudo_count)
    return PredictiveError(
        data_weight=float(data_weight),
        prior_weight=float(prior_weight),
        frequentist=data_weight * (empirical - truth),
        prior_bias=prior_weight * (prior_mean - truth),
    )
