"""The paper's formulas of uncertainty: E_T, E_R, E_b, P_U and the guided reward.

Each has its place in the paper, takes floats or arrays, and is compiled as written where speed
matters. The transition formulas read a `DirichletParameters`: of one pair, or of all at once.
Nothing is checked, as in NumPy's own functions: beliefs and agents check what they hand on.
"""

import numpy as np
from scipy.special import psi, xlogy

from eubrl_edu.beliefs.transitions import DirichletParameters

MEASURES = ("variance", "mutual-information", "count")


def transition_variance(row: DirichletParameters):
    r"""Variances of the next states' probabilities, summed: E_T under ``"variance"``.

    .. math:: \mathcal E_T(s,a) = \sum_{k=1}^{S}
        \frac{(\alpha_k+n_k)(\alpha_0+n-\alpha_k-n_k)}{(\alpha_0+n)^2(\alpha_0+n+1)}

    (the paper, "Bounds for Transition"). The S − K states that are not listed share one term.

    Parameters
    ----------
    row : DirichletParameters
        Posterior of one pair or of all.

    Returns
    -------
    float or (S, A) array
        A sum of variances of probabilities, between 0 and 1.
    """
    spread = row.n_unlisted * row.alpha * (row.total - row.alpha)
    for parameter, others in zip(row.listed, row.others):
        spread = spread + parameter * others
    return spread / (row.total * row.total * (row.total + 1.0))


def transition_mutual_information(row: DirichletParameters):
    r"""Mutual information of the next state and its distribution, E_T in nats.

    .. math:: \mathrm{MI}_b(s,a) = \sum_i \frac{\alpha_i}{\alpha_0}
        \left[\psi(\alpha_i+1) - \psi(\alpha_0+1) - \log\frac{\alpha_i}{\alpha_0}\right]

    (the paper, "Model Specification: Epistemic Uncertainty"; the α there are posterior
    parameters). As the weights sum to one, this is [Σ g(α_i) − g(α_0)] / α_0 with the g of
    `digamma_excess`.

    Parameters
    ----------
    row : DirichletParameters
        Posterior of one pair or of all.

    Returns
    -------
    float or (S, A) array
        At least 0.
    """
    information = row.n_unlisted * digamma_excess(row.alpha)
    for parameter in row.listed:
        information = information + digamma_excess(parameter)
    information = (information - digamma_excess(row.total)) / row.total
    return np.maximum(information, 0.0)  # rounding can leave a certain pair just below zero


def digamma_excess(x):
    """g(x) = x [ψ(x + 1) − log x], which rises from 0 to 1/2.

    From 100 on by its asymptotic series, as the two terms cancel (Abramowitz and Stegun, 6.3.18).

    Parameters
    ----------
    x : float or array
        At least 0.

    Returns
    -------
    float or array
    """
    inverse = 1.0 / np.maximum(x, 100.0)
    square = inverse * inverse
    series = 0.5 - inverse * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0))
    return np.where(x < 100.0, x * psi(x + 1.0) - xlogy(x, x), series)


def epistemic_uncertainty(transition_uncertainty, reward_uncertainty, eta: float):
    r"""E_b(s,a) = η(√E_T + √E_R) (the paper, "Methodology: Epistemic Uncertainty").

    Parameters
    ----------
    transition_uncertainty, reward_uncertainty : (S, A) arrays
        E_T and E_R.
    eta : float
        Scaling factor η, in units of reward.

    Returns
    -------
    (S, A) array
    """
    return eta * (np.sqrt(transition_uncertainty) + np.sqrt(reward_uncertainty))


def count_uncertainty(visits, eta: float):
    """E_b(s,a) = η / √max(n(s,a), 1), the frequentist measure (the paper, "Theoretical Analysis").

    Parameters
    ----------
    visits : (S, A) array
        Visit counts n(s, a).
    eta : float
        Scaling factor η, in units of reward.

    Returns
    -------
    (S, A) array
    """
    return eta / np.sqrt(np.maximum(visits, 1.0))


def probability_of_uncertainty(epistemic, max_uncertainty: float):
    """P_U(s,a) = E_b(s,a) / E_max, 0 where E_max is 0.

    The paper, "Probabilistic Inference and Epistemic Guidance".

    Parameters
    ----------
    epistemic : (S, A) array
        E_b.
    max_uncertainty : float
        E_max, the largest E_b seen so far.

    Returns
    -------
    (S, A) array
        Between 0 and 1.
    """
    return epistemic / (max_uncertainty if max_uncertainty > 0.0 else np.inf)


def epistemically_guided_reward(mean_reward, epistemic, probability):
    """The guided reward, r^EUBRL = (1 − P_U) r_b + P_U E_b.

    The paper, "Probabilistic Inference and Epistemic Guidance".

    Parameters
    ----------
    mean_reward : (S, A) array
        Posterior mean reward r_b.
    epistemic : (S, A) array
        E_b.
    probability : (S, A) array
        P_U.

    Returns
    -------
    (S, A) array
        In units of reward.
    """
    return (1.0 - probability) * mean_reward + probability * epistemic


def reward_with_uncertainty_added(mean_reward, epistemic, probability):
    """r_b + P_U E_b: the guided reward without its shrinkage of r_b by 1 − P_U.

    It is not in the paper. Beside `epistemically_guided_reward` it shows what the shrinkage does.

    Parameters
    ----------
    mean_reward, epistemic, probability : (S, A) arrays
        r_b, E_b and P_U.

    Returns
    -------
    (S, A) array
        In units of reward.
    """
    return mean_reward + probability * epistemic
