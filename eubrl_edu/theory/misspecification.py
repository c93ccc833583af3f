r"""Prior misspecification: how a confidently wrong prior keeps EUBRL on the worse arm.

Two arms pay 1 with probability μ1 > μ2, else 0; the prior of each is Beta(α, α) (the paper, "Prior
Misspecification"). The larger α, the less uncertain the agent is before it has seen anything, and
the more likely it is to stay with whichever arm it happened to try first. All formulas of the
proof are here; `sticking` lets agents live through it.

In this section of the paper the epistemic uncertainty is the variance of the Beta posterior
itself: h(x, y) = y, without the root that the algorithm takes, and η = 1. ``rooted`` takes it, to
compare. The η of the proof, a confidence, is called ``confidence`` here; α is the number that the
proof also writes as a.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import lambertw

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.theory.bound_parts import SumOfParts
from eubrl_edu.theory.problem import require_one_between
from eubrl_edu.uncertainty import epistemically_guided_reward, probability_of_uncertainty
from eubrl_edu.validation import (
    MOST_STEPS,
    SMALLEST,
    require_above,
    require_between,
    require_bool,
    require_finite,
    require_positive_int,
)

SMALLEST_WORSE_MEAN = 5 / 16  # the proof needs μ2 above the largest s(α)


def max_uncertainty(alpha: float, rooted: bool = False) -> float:
    """E_max = 1 / (4(2α + 1)), the variance of the prior Beta(α, α), or its root."""
    variance = 1.0 / (4.0 * (2.0 * require_above("alpha", alpha, 0) + 1.0))
    return math.sqrt(variance) if require_bool("rooted", rooted) else variance


def guided_reward(alpha: float, successes, failures, rooted: bool = False):
    r"""r^EUBRL of an arm that paid ``successes`` times and did not ``failures`` times.

    .. math:: r^{\text{EUBRL}} = (1 - P_U)\,\hat r + P_U\,\mathcal E, \qquad
              P_U = \mathcal E / \mathcal E_{\max}

    with r̂ and E the mean and variance of Beta(α + successes, α + failures).

    Parameters
    ----------
    alpha : float
        Prior pseudo-count of ones, and of zeros, above 0.
    successes, failures : int or array
        What the arm has paid so far.
    rooted : bool
        Whether E is the root of the variance, as in the algorithm.

    Returns
    -------
    float or array
    """
    highest = max_uncertainty(alpha, rooted)
    ones, zeros = alpha + successes, alpha + failures
    uncertainty = beta_variance(ones, zeros)
    if rooted:
        uncertainty = np.sqrt(uncertainty)
    probability = probability_of_uncertainty(uncertainty, highest)
    return epistemically_guided_reward(beta_mean(ones, zeros), uncertainty, probability)


def sufficient_estimate(alpha: float) -> float:
    r"""s(α): an estimate r̂ of the tried arm that is enough to stay with it.

    .. math:: s(\alpha) = \frac{\mathcal E_{\max}}{4(1 - P_{U,1})} + \mathcal E_{\max}
              = \frac{1}{16} + \frac{1}{4(2\alpha + 1)}

    P_{U,1} is the probability of uncertainty after the first observation. The proof takes it for
    the largest from there on, which it is if α ≥ 1/2; but s(α) is enough for every α (see the
    errata).
    """
    return 1.0 / 16.0 + max_uncertainty(alpha)


def sharper_sufficient_estimate(alpha: float, rooted: bool = False) -> float:
    r"""2 E_max = 1 / (2(2α + 1)): enough as well, and smaller than s(α) where α > 3/2.

    The advantage of the tried arm over an untried one factorizes exactly,

    .. math:: r_2^{\text{EUBRL}} - r_1^{\text{EUBRL}}
              = (1 - P_U)\left(\hat r - (1 + P_U)\,\mathcal E_{\max}\right),

    so that r̂ > 2 E_max keeps the agent where it is, whatever P_U < 1 is. Unlike s(α), this goes to
    0 for large α: the theorem then holds for every μ2 > 0. With a rooted E_max the same is true.
    """
    return 2.0 * max_uncertainty(alpha, rooted)


def sufficient_average(alpha: float, n, estimate: float):
    r"""g(α, n): the average r̄ of n rewards at which the estimate r̂ is ``estimate``.

    .. math:: g(\alpha, n) = \frac{\alpha(2s - 1)}{n} + s

    Parameters
    ----------
    alpha : float
        Prior pseudo-count, above 0.
    n : int or array
        Number of rewards, at least 1.
    estimate : float
        s, as from `sufficient_estimate`.

    Returns
    -------
    float or array
        Negative where any average is enough.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    alpha, estimate = require_above("alpha", alpha, 0), require_finite("estimate", estimate)
    return alpha * (2.0 * estimate - 1.0) / require_between("n", n, 1, np.inf) + estimate


@dataclass(frozen=True)
class OmissionBound(SumOfParts):
    """The bound S1 + S2 on the probability that the second arm is ever left.

    Above 1 it says nothing.

    Attributes
    ----------
    early : float
        S1, for at most ⌊α⌋ observations.
    late : float
        S2, for more.
    """

    parts = ("early", "late")

    early: float
    late: float


def omission_bound(alpha: float, worse_mean: float) -> OmissionBound:
    r"""S1 + S2, in the closed form of the proof.

    .. math:: S_1 \le \lfloor\alpha\rfloor e^{-\frac{9}{32}\lfloor\alpha\rfloor}, \qquad
              S_2 \le \frac{e^{-2C(\lfloor\alpha\rfloor + 1)}}{1 - e^{-2C}}, \qquad
              C = \left(\mu_2 - \tfrac{5}{16}\right)^2

    Parameters
    ----------
    alpha : float
        Prior pseudo-count, above 0.
    worse_mean : float
        μ2, above 5/16 and below 1.

    Returns
    -------
    OmissionBound

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    whole = math.floor(require_above("alpha", alpha, 0))
    rate = 2.0 * _squared_margin(worse_mean)
    return OmissionBound(
        early=whole * math.exp(-9.0 / 32.0 * whole),
        late=math.exp(-rate * (whole + 1)) / -math.expm1(-rate),
    )


def union_bound(alpha: float, worse_mean: float, estimate: float, first: int = 1) -> float:
    r"""The sum that S1 and S2 simplify, as tight as Hoeffding and the union bound make it.

    .. math:: \sum_{n \ge n_1} \exp\left(-2n(\mu_2 - g(\alpha, n))^2\right)

    Terms are added until their geometric remainder, which is added too, is below 1e-15 of the sum
    or a hundred thousand have been. They fall from n = |1 − 2s|α / (μ2 − s) on.

    Parameters
    ----------
    alpha : float
        Prior pseudo-count, above 0.
    worse_mean : float
        μ2, above ``estimate`` and at most 1.
    estimate : float
        s in g: `sufficient_estimate` gives the paper's sum, `sharper_sufficient_estimate`
        a smaller one.
    first : int
        n1, the observation from which on leaving counts.

    Returns
    -------
    float
        At least the sum; above 1 it says nothing.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    alpha = require_above("alpha", alpha, 0)
    estimate = require_finite("estimate", estimate)
    first = require_positive_int("first", first, at_most=MOST_STEPS)
    interval, lowest = f"({estimate:g}, 1], above the estimate", estimate + SMALLEST
    margin = require_one_between("worse_mean", worse_mean, lowest, 1, interval) - estimate
    # n (μ2 − g)² = n·margin² + 2·margin·pull + pull² / n, where pull = (1 − 2s)α.
    pull = (1.0 - 2.0 * estimate) * alpha
    rate = 2.0 * margin * margin
    enough = 2.0 * abs(pull) / margin + 40.0 / rate  # what follows is below e⁻⁴⁰ of the largest
    n = first + np.arange(math.ceil(min(enough, 100_000.0)))
    total = np.exp(-2.0 * n * (margin + pull / n) ** 2).sum()
    power = min(-rate * (first + len(n)) - 4.0 * margin * pull, 700.0)  # beyond, floats end
    return float(total + math.exp(power) / -math.expm1(-rate))  # the sum and the remainder


@dataclass(frozen=True)
class RequiredPrior:
    """How strong a prior has to be for the theorem.

    Attributes
    ----------
    late : float
        a1, what makes S2 at most half the confidence.
    early : float
        a2, what makes S1 at most half the confidence.
    """

    late: float
    early: float

    @property
    def alpha(self) -> int:
        """The smallest whole α above both."""
        return math.floor(max(self.late, self.early)) + 1


def required_prior(confidence: float, worse_mean: float) -> RequiredPrior:
    r"""The thresholds a1 and a2 on ⌊α⌋ beyond which S1 + S2 is at most ``confidence``.

    .. math:: a_1 = \frac{1}{2C}\log\frac{2}{\eta(1 - e^{-2C})} - 1, \qquad
              a_2 = -\frac{32}{9}\,W_{-1}\!\left(-\frac{9}{64}\eta\right)

    with W₋₁ the lower branch of Lambert's function, as ⌊α⌋ e^(−9⌊α⌋/32) falls only beyond its top.

    Parameters
    ----------
    confidence : float
        η of the proof, in (0, 1), not below 1e-50.
    worse_mean : float
        μ2, above 5/16 and below 1.

    Returns
    -------
    RequiredPrior

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    confidence = require_one_between("confidence", confidence, SMALLEST, 1, "[1e-50, 1)")
    rate = 2.0 * _squared_margin(worse_mean)
    return RequiredPrior(
        late=math.log(2.0 / (confidence * -math.expm1(-rate))) / rate - 1.0,
        early=float(-32.0 / 9.0 * lambertw(-9.0 / 64.0 * confidence, -1).real),
    )


def guaranteed_sticking(confidence: float) -> float:
    """(1 − η) / 2, the least probability that a `required_prior` guarantees.

    One half is the chance that the worse arm is tried first. (It is the theorem's 1 − δ0; the end
    of its proof calls it δ0, see the errata.)
    """
    return (1.0 - require_one_between("confidence", confidence, 0, 1, "(0, 1)")) / 2.0


def sticking_bound(alpha: float, worse_mean: float) -> float:
    """(1 − S1 − S2) / 2, the least probability of never trying the better arm; 0 if that is less.

    Raises
    ------
    ValueError
        If an argument is out of range, as in `omission_bound`.
    """
    return max(0.0, (1.0 - omission_bound(alpha, worse_mean).total) / 2.0)


def _squared_margin(worse_mean: float) -> float:
    """C = (μ2 − 5/16)²; the proof begins above 5/16."""
    mean = require_one_between("worse_mean", worse_mean, SMALLEST_WORSE_MEAN, 1, "(5/16, 1)")
    return (mean - SMALLEST_WORSE_MEAN) ** 2
