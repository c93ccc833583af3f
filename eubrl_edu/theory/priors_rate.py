r"""How fast epistemic uncertainty falls with the number of visits n: proved, and measured.

The paper's class of priors asks for E_b = Θ(1/√n), that is E_T or E_R = Θ(1/n) ("From
Frequentist to Bayesian"). The functions here give the constants of its lemmas, and the slope of
log E_b over log n in data from a world.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its stats, which take long to load, come when they are first used

from eubrl_edu.agents import EUBRL
from eubrl_edu.beliefs import Belief
from eubrl_edu.beliefs.belief import require_belief, require_over
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.theory.world_rewards import require_table
from eubrl_edu.validation import (
    listed,
    require_above,
    require_between,
    require_finite,
    require_generator,
    require_index,
    require_positive_int,
    shown,
)

MOST_VISITS = 1_000_000  # each is one more reward in a list, and takes microseconds


@dataclass(frozen=True)
class RateBounds:
    """Constants between which an uncertainty lies after every n ≥ 1 visits, whatever was seen.

    lower / n^lower_power ≤ E ≤ upper / n^upper_power.

    Attributes
    ----------
    lower, upper : float
        C_1 and C_2.
    lower_power, upper_power : int
        1 or 2; where both are 1 the rate is Θ(1/n).
    """

    lower: float
    upper: float
    lower_power: int
    upper_power: int

    def at(self, n) -> tuple:
        """The two bounds after n ≥ 1 visits; n may be an array."""
        n = require_between("n", n, 1, np.inf)
        return self.lower / n**self.lower_power, self.upper / n**self.upper_power


def dirichlet_rate(alpha: float, n_states: int) -> RateBounds:
    r"""E_T between C_1/n² and 1/n under a Dirichlet(α1) prior.

    .. math:: C_1 = \frac{2\alpha_0 - 2\alpha_j}{(1+\alpha_0)^2(2+\alpha_0)}, \qquad C_2 = 1, \qquad
              \alpha_0 = \alpha S

    (the paper, "Bounds for Transition", the lemma there). The lower one is near where one next
    state is all that is ever seen. With a single state nothing is uncertain, and C_1 is 0.

    Parameters
    ----------
    alpha : float
        Prior pseudo-count of every next state, above 0.
    n_states : int
        S.

    Returns
    -------
    RateBounds
    """
    alpha = require_above("alpha", alpha, 0)
    total = alpha * require_positive_int("n_states", n_states)
    lower = 2.0 * (total - alpha) / ((1.0 + total) ** 2 * (2.0 + total))
    return RateBounds(lower, 1.0, 2, 1)


def normal_rate(tau0: float, tau: float) -> RateBounds:
    r"""E_R between C_1/n and C_2/n under a Normal prior with known precision.

    .. math:: C_1 = \frac{1}{\tau_0 + \tau}, \qquad C_2 = \frac{1}{\tau}

    (the paper, "Bounds for Reward", the lemma on Normal priors.)

    Parameters
    ----------
    tau0, tau : float
        Precision of the prior and of one reward, above 0, in 1/reward².

    Returns
    -------
    RateBounds
    """
    tau0, tau = require_above("tau0", tau0, 0), require_above("tau", tau, 0)
    return RateBounds(1.0 / (tau0 + tau), 1.0 / tau, 1, 1)


def normal_gamma_rate(
    mu0: float, lambda0: float, alpha0: float, beta0: float, r_max: float
) -> RateBounds:
    r"""E_R between C_1/n² and C_2/n under a Normal-Gamma prior, for rewards in [0, R_max].

    .. math:: C_1 = \frac{\beta_0}{(\lambda_0+1)(\alpha_0-\frac12)}, \qquad
              C_2 = \frac{2\beta_0}{\lambda_0+1} + \frac{R_{\max}^2+D^2}{4}, \qquad
              D = \max(|\mu_0|, |R_{\max}-\mu_0|)

    (the paper, "Bounds for Reward", the lemma on Normal-Gamma priors, which gives no constants;
    nσ̂² ≤ nR²_max/4 and λ0 n/(λ0+n)² ≤ 1/4.) The lower one is near where the reward never varies.

    Parameters
    ----------
    mu0, lambda0, alpha0, beta0 : float
        The prior's parameters; λ0 and β0 above 0, α0 above 1.
    r_max : float
        R_max, above 0.

    Returns
    -------
    RateBounds
    """
    mu0, r_max = require_finite("mu0", mu0), require_above("r_max", r_max, 0)
    lambda0, beta0 = require_above("lambda0", lambda0, 0), require_above("beta0", beta0, 0)
    alpha0 = require_above("alpha0", alpha0, 1)
    distance = max(abs(mu0), abs(r_max - mu0))
    lower = beta0 / ((lambda0 + 1.0) * (alpha0 - 0.5))
    upper = 2.0 * beta0 / (lambda0 + 1.0) + (r_max**2 + distance**2) / 4.0
    return RateBounds(lower, upper, 2, 1)


def uncertainty_along_visits(
    belief: Belief,
    env: TabularEnvironment,
    state: int,
    action: int,
    visits: Sequence[int],
    rng: np.random.Generator,
    uncertainty: str = "variance",
) -> np.ndarray:
    """E_b of one pair, with η = 1, as the pair is tried again and again.

    Parameters
    ----------
    belief : Belief
        The prior; it is not changed.
    env : TabularEnvironment
        Where the outcomes of the pair are drawn from.
    state, action : int
        The pair.
    visits : sequence of int
        After how many visits to look, increasing.
    rng : numpy.random.Generator
        All luck comes from here.
    uncertainty : {"variance", "mutual-information", "count"}
        As for `eubrl_edu.EUBRL`.

    Returns
    -------
    (len(visits),) array

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    require_generator(rng)
    require_over("belief", require_belief(belief), require_table(env).n_states, env.n_actions)
    state = require_index("state", state, env.n_states)
    action = require_index("action", action, env.n_actions)
    visits = require_visits(visits)
    agent = EUBRL(belief.copy(), discount=0.0, uncertainty=uncertainty)
    probabilities = env.outcome_probabilities[state, action]
    seen, result = 0, np.empty(len(visits))
    for position, n in enumerate(visits):
        outcomes = rng.choice(len(probabilities), n - seen, p=probabilities)
        noise = env.reward_deviations[state, action, outcomes] * rng.standard_normal(n - seen)
        agent.belief.update_batch(
            [state] * (n - seen),
            [action] * (n - seen),
            env.outcome_rewards[state, action, outcomes] + noise,
            env.outcome_states[state, action, outcomes],
        )
        result[position] = agent.plan().epistemic_uncertainty[state, action]
        seen = n
    return result


def require_visits(visits, at_least: int = 0) -> list[int]:
    """Return numbers of visits that increase, as ints, or raise ``ValueError``."""
    some = listed(visits, MOST_VISITS + 1)  # no more than these can increase
    if some is None:
        raise ValueError(f"visits must be a list of integers, got {shown(visits)}")
    numbers = [require_positive_int("visits", n, at_least, MOST_VISITS) for n in some]
    if sorted(set(numbers)) != numbers:
        raise ValueError(f"visits must increase, got {shown(visits)}")
    return numbers


@dataclass(frozen=True)
class RateEstimate:
    """The slope of log E_b over log n, with an interval.

    Attributes
    ----------
    slope : float
        About −1/2 where E_b = Θ(1/√n), about −1 where E_b = Θ(1/n).
    low, high : float
        Ends of an interval that contains the expected slope with a confidence of 95%.
    """

    slope: float
    low: float
    high: float


def estimate_rate(visits: Sequence[int], uncertainty: np.ndarray) -> RateEstimate:
    """Fit a power of n to the uncertainty in several independent runs.

    Each run gives one slope by least squares in the logarithms; the interval is Student's for
    their mean. Within a run the points hang together, so they are not used for the interval.

    Parameters
    ----------
    visits : (K,) sequence of int
        Numbers of visits, at least 1, at least two different ones.
    uncertainty : (n_runs, K) array
        E_b after so many visits, above 0; at least two runs.

    Returns
    -------
    RateEstimate

    Raises
    ------
    ValueError
        If the shapes do not fit or a number is out of range.
    """
    visits = np.asarray(require_between("visits", visits, 1, np.inf, "[1, ∞)"))
    if visits.ndim != 1 or len(np.unique(visits)) < 2:
        raise ValueError(f"visits must be numbers, two of them different, got {shown(visits)}")
    uncertainty = np.asarray(require_between("uncertainty", uncertainty, 0, np.inf, "(0, ∞)"))
    if uncertainty.ndim != 2 or len(uncertainty) < 2 or uncertainty.shape[1] != len(visits):
        raise ValueError(
            "uncertainty must have shape (n_runs, len(visits)) with at least 2 runs, "
            f"got {uncertainty.shape} for {len(visits)} visits"
        )
    slopes = np.polyfit(np.log(visits), np.log(uncertainty).T, 1)[0]
    slope = float(slopes.mean())
    error = slopes.std(ddof=1) / np.sqrt(len(slopes))
    margin = float(scipy.stats.t.ppf(0.975, len(slopes) - 1) * error)
    return RateEstimate(slope, slope - margin, slope + margin)
