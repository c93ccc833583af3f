"""Conjugate beliefs over the mean reward: Normal-Gamma, Normal, Beta-Bernoulli.

Each is a few formulas, written as functions, and a class that keeps their arguments for every
outcome (see `rewards`).
"""

from functools import cache

from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.validation import require_above, require_finite, shown


def normal_gamma_parameters(n, lambda0, alpha0):
    """λ = λ0 + n and α = α0 + n/2 after n rewards (the paper, definition "Normal-Gamma")."""
    return lambda0 + n, alpha0 + n / 2.0


def normal_gamma_update(mean, beta, precision_count, n, total, spread):
    """The mean μ and rate β after n more rewards of the given total.

    μ' = (λμ + n x̄) / (λ + n) and β' = β + ½ (spread + λn(x̄ − μ)² / (λ + n)), where λ is
    ``precision_count`` (λ0 plus the rewards so far), x̄ the new rewards' mean and ``spread`` the
    sum of their squared deviations from it, nσ̂² (the paper, definition "Normal-Gamma").
    """
    surprise = total / n - mean
    new_mean = (precision_count * mean + total) / (precision_count + n)
    moved = precision_count * n * (surprise * surprise) / (precision_count + n)
    return new_mean, beta + (spread + moved) / 2.0


def normal_gamma_variance(n, beta, lambda0, alpha0):
    """E_R = β / (λ(α − 1)) after n rewards (the paper, definition "Normal-Gamma")."""
    precision_count, shape = normal_gamma_parameters(n, lambda0, alpha0)
    return beta / (precision_count * (shape - 1.0))


def normal_update(reward_sum, total):
    """Σr after more rewards of the given total."""
    return reward_sum + total


def normal_mean(n, reward_sum, mu0, tau0, tau):
    """r_b = (τ0 μ0 + τ Σr) / (τ0 + nτ) (the paper, "Posterior Predictive: Reward")."""
    return (tau0 * mu0 + tau * reward_sum) / (tau0 + n * tau)


def normal_variance(n, tau0, tau):
    """E_R = 1 / (τ0 + τn) (the paper, definition "Normal-Normal")."""
    return 1.0 / (tau0 + tau * n)


def beta_update(successes, failures, n, total):
    """Parameters a + Σr and b + n − Σr after n more rewards of 0 or 1, of the given total."""
    return successes + total, failures + (n - total)


def beta_mean(successes, failures):
    """Mean of a Beta(a, b) distribution, a / (a + b)."""
    return successes / (successes + failures)


def beta_variance(successes, failures):
    """Variance of a Beta(a, b) distribution, ab / ((a + b)²(a + b + 1))."""
    total = successes + failures
    return successes * failures / (total * total * (total + 1.0))


class NormalGammaRewards(RewardBelief):
    r"""Normal rewards of unknown mean and precision, with a Normal-Gamma prior.

    .. math:: \lambda = \lambda_0 + n, \quad \alpha = \alpha_0 + n/2, \qquad
              \mathcal E_R = \frac{\beta}{\lambda(\alpha - 1)}

    (the paper, definition "Normal-Gamma" and the corollary on its posterior mean). β grows with
    the spread of the rewards, so a reward that never varies is soon believed.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    mu0 : float
        Prior mean reward.
    lambda0 : float
        Prior pseudo-count of rewards, above 0.
    alpha0 : float
        Prior shape of the precision, above 1 so that the variance exists.
    beta0 : float
        Prior rate of the precision, above 0, in reward².
    on : {"outcome", "action"}
        Whether a reward belongs to (s, a, s') or to (s, a).

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        mu0: float = 0.0,
        lambda0: float = 1.0,
        alpha0: float = 2.0,
        beta0: float = 1.0,
        on: str = "outcome",
    ):
        self.mu0 = require_finite("mu0", mu0)
        # beta0 comes first: where lambda0 is left out it is the same number.
        self.beta0 = require_above("beta0", beta0, 0)
        self.lambda0 = require_above("lambda0", lambda0, 0)
        self.alpha0 = require_above("alpha0", alpha0, 1)
        super().__init__(n_states, n_actions, on)
        self.mean = self._filled(self.mu0)
        self.beta = self._filled(self.beta0)

    @property
    def pseudo_count(self) -> float:
        """How many rewards the prior counts for in the mean, λ0."""
        return self.lambda0

    def _prior(self):
        return {"mean": self.mu0, "beta": self.beta0}

    def add_at(self, at, total, n, spread):
        """μ and β after n more rewards; λ and α follow from their number."""
        precision_count, _ = normal_gamma_parameters(self.n.item(at), self.lambda0, self.alpha0)
        self.mean[at], self.beta[at] = normal_gamma_update(
            self.mean.item(at), self.beta.item(at), precision_count, n, total, spread
        )

    def posterior_of(self, n, mean, beta):
        """r_b = μ and E_R = β / (λ(α − 1))."""
        return mean, normal_gamma_variance(n, beta, self.lambda0, self.alpha0)

    def draw(self, rng, n, mean, beta):
        """Draw τ ~ Gamma(α, β), then the mean ~ N(μ, 1 / (λτ))."""
        parameters = normal_gamma_parameters(n, self.lambda0, self.alpha0)
        return _kernels().normal_gamma_draws(*parameters, mean, beta, rng)


class NormalRewards(RewardBelief):
    r"""Normal rewards of known precision τ, with a Normal prior on the mean.

    .. math:: r_b = \frac{\tau_0\mu_0 + \tau\sum_i r_i}{\tau_0 + n\tau}, \qquad
              \mathcal E_R = \frac{1}{\tau_0 + \tau n}

    (the paper, "Posterior Predictive: Reward" and definition "Normal-Normal"). The uncertainty
    depends on the number of rewards alone, whatever they were.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    mu0 : float
        Prior mean reward.
    tau0 : float
        Prior precision of the mean, above 0, in 1 / reward².
    tau : float
        Precision of one reward, above 0, in 1 / reward².
    on : {"outcome", "action"}
        Whether a reward belongs to (s, a, s') or to (s, a).

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        mu0: float = 0.0,
        tau0: float = 1.0,
        tau: float = 1.0,
        on: str = "outcome",
    ):
        self.mu0 = require_finite("mu0", mu0)
        self.tau0 = require_above("tau0", tau0, 0)
        self.tau = require_above("tau", tau, 0)
        super().__init__(n_states, n_actions, on)
        self.reward_sum = self._filled(0.0)

    @property
    def pseudo_count(self) -> float:
        """How many rewards the prior counts for in the mean, τ0/τ."""
        return self.tau0 / self.tau

    def _prior(self):
        return {"reward_sum": 0.0}

    def add_at(self, at, total, n, spread):
        """Add up the rewards."""
        self.reward_sum[at] = normal_update(self.reward_sum.item(at), total)

    def posterior_of(self, n, reward_sum):
        """r_b and E_R of the Normal posterior."""
        mean = normal_mean(n, reward_sum, self.mu0, self.tau0, self.tau)
        return mean, normal_variance(n, self.tau0, self.tau)

    def draw(self, rng, n, reward_sum):
        """Draw the mean ~ N(r_b, E_R)."""
        return _kernels().normal_draws(*self.posterior_of(n, reward_sum), rng)


class BetaBernoulliRewards(RewardBelief):
    r"""Rewards of 0 or 1 with unknown probability, with a Beta prior.

    .. math:: r_b = \frac{a}{a + b}, \qquad \mathcal E_R = \frac{ab}{(a+b)^2(a+b+1)}

    with a = alpha0 + number of ones, b = beta0 + number of zeros (the paper, "Prior
    Misspecification").

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    alpha0, beta0 : float
        Prior pseudo-counts of ones and of zeros, above 0.
    on : {"outcome", "action"}
        Whether a reward belongs to (s, a, s') or to (s, a).

    Raises
    ------
    ValueError
        If an argument is outside its range, or a reward is neither 0 nor 1.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        alpha0: float = 1.0,
        beta0: float = 1.0,
        on: str = "outcome",
    ):
        self.alpha0 = require_above("alpha0", alpha0, 0)
        self.beta0 = require_above("beta0", beta0, 0)
        super().__init__(n_states, n_actions, on)
        self.successes = self._filled(self.alpha0)
        self.failures = self._filled(self.beta0)

    @property
    def pseudo_count(self) -> float:
        """How many rewards the prior counts for in the mean, alpha0 + beta0."""
        return self.alpha0 + self.beta0

    def _prior(self):
        return {"successes": self.alpha0, "failures": self.beta0}

    def check(self, reward):
        """Return a reward of 0 or 1 as a float, or raise ``ValueError``."""
        try:
            return float((0, 1).index(super().check(reward)))
        except ValueError:
            raise ValueError(
                f"reward must be 0 or 1 for Beta-Bernoulli rewards, got {shown(reward)}"
            ) from None

    def add_at(self, at, total, n, spread):
        """Count ones and zeros."""
        self.successes[at], self.failures[at] = beta_update(
            self.successes.item(at), self.failures.item(at), n, total
        )

    def posterior_of(self, n, successes, failures):
        """Mean and variance of the Beta posterior."""
        return beta_mean(successes, failures), beta_variance(successes, failures)

    def draw(self, rng, n, successes, failures):
        """Draw the mean ~ Beta(a, b)."""
        return _kernels().beta_draws(successes, failures, rng)


@cache
def _kernels():
    """The compiled draws, imported when they are first needed: numba takes a while to load."""
    from eubrl_edu.beliefs import sampling_kernels

    return sampling_kernels
