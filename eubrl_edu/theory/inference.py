r"""Control as inference: the guided reward is a lower bound of a log-probability.

A step is *optimal* (O = 1) with a probability proportional to exp(reward). Whether the agent is
*uncertain* (U = 1, with probability P_U) decides which reward that is: the epistemic uncertainty
E_b or the mean reward r_b. Without knowing U (the paper, "Probabilistic Inference and Epistemic
Guidance", and "Control as Inference"),

.. math:: \log P(O=1|s,a) = \log\left[(1-P_U)e^{r_b} + P_U e^{\mathcal E_b}\right]
          \ge (1-P_U)\,r_b + P_U\,\mathcal E_b = r_b^{\text{EUBRL}}

up to a constant that makes it a probability and that cancels in all differences. The bound is
Jensen's inequality, and the gap is what is lost by it. All functions take floats or arrays.
"""

import numpy as np

from eubrl_edu.theory.problem import require_one_shape
from eubrl_edu.uncertainty import epistemically_guided_reward
from eubrl_edu.validation import LARGEST, require_between

SMALL = 0.02  # up to this difference of E_b and r_b the gap is a series


def log_optimality(mean_reward, epistemic, probability):
    r"""log[(1 − P_U) exp(r_b) + P_U exp(E_b)], which is log P(O = 1) up to a constant.

    Parameters
    ----------
    mean_reward, epistemic : float or array
        r_b and E_b, in units of reward.
    probability : float or array
        P_U, from 0 to 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If ``probability`` is outside [0, 1], a reward is no finite number, or shapes differ.
    """
    mean_reward, epistemic, probability = _checked(mean_reward, epistemic, probability)
    with np.errstate(divide="ignore"):  # log 0 = −∞ is what an impossible case weighs
        certain = np.log1p(-probability) + mean_reward
        uncertain = np.log(probability) + epistemic
    return np.logaddexp(certain, uncertain)[()]


def jensen_gap(mean_reward, epistemic, probability):
    r"""How far the guided reward is below log P(O = 1): what the lower bound gives away.

    0 where P_U is 0 or 1 or where r_b = E_b, and at most (E_b − r_b)²/8 (Hoeffding's lemma).

    Parameters
    ----------
    mean_reward, epistemic, probability : float or array
        r_b, E_b and P_U, as for `log_optimality`.

    Returns
    -------
    float or array
        At least 0.

    Raises
    ------
    ValueError
        If ``probability`` is outside [0, 1], a reward is no finite number, or shapes differ.
    """
    mean_reward, epistemic, probability = _checked(mean_reward, epistemic, probability)
    # In terms of E_b − r_b only, so that large rewards cost no digits.
    difference = epistemic - mean_reward
    exact = log_optimality(0.0, difference, probability)
    guided = epistemically_guided_reward(0.0, difference, probability)
    gap = np.maximum(exact - guided, 0.0)
    # Nor do small differences, for which a series stands.
    small = np.abs(difference) < SMALL
    return np.where(small, _gap_of_small_differences(difference, probability), gap)[()]


def _gap_of_small_differences(d, p):
    """The cumulants of a coin that is 1 with probability p, from the second to the sixth."""
    d = np.clip(d, -SMALL, SMALL)  # for others it is not asked
    v, skew = p * (1.0 - p), 1.0 - 2.0 * p
    series = 1.0 + d * skew / 3.0 + d**2 * (1.0 - 6.0 * v) / 12.0
    series += d**3 * skew * (1.0 - 12.0 * v) / 60.0
    series += d**4 * (1.0 - 30.0 * v + 120.0 * v**2) / 360.0
    return v * d**2 / 2.0 * series


def widest_probability(mean_reward, epistemic):
    r"""The P_U at which the gap is widest.

    .. math:: P_U = \frac{1}{d} - \frac{1}{e^d - 1}, \qquad d = \mathcal E_b - r_b

    1/2 for small differences, and near 0 where E_b is far above r_b: there a little uncertainty
    would make a step look far better than the guided reward says. (The gap is concave in P_U, and
    its derivative is 0 there.)

    Parameters
    ----------
    mean_reward, epistemic : float or array
        r_b and E_b, in units of reward.

    Returns
    -------
    float or array
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a reward is no finite number, or the shapes differ.
    """
    mean_reward, epistemic = _checked(mean_reward, epistemic)
    difference = epistemic - mean_reward
    small = np.abs(difference) < 1e-3
    d = np.where(small, 1.0, difference)
    with np.errstate(over="ignore"):
        widest = 1.0 / d - 1.0 / np.expm1(d)
    return np.where(small, 0.5 - difference / 12.0, widest)[()]


def _checked(mean_reward, epistemic, *probability) -> tuple:
    """The arguments as floats or arrays, once all are in range."""
    values = {
        "mean_reward": require_between("mean_reward", mean_reward, -LARGEST, LARGEST),
        "epistemic": require_between("epistemic", epistemic, -LARGEST, LARGEST),
    }
    if probability:
        values["probability"] = require_between("probability", *probability, 0, 1)
    require_one_shape(**values)
    return tuple(values.values())
