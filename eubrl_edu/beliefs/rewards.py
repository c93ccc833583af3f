"""Beliefs over the mean reward: known, Normal, Normal-Gamma, Beta-Bernoulli.

Each keeps one posterior per outcome (s, a, s'), or per pair (s, a) with ``on="action"``. In the
arrays an outcome is its place k among the listed next states of its pair; ``on="action"`` uses
place 0 only. Formulas take floats or arrays, so one posterior reads like all of them.

What planning asks of a reward belief is two numbers for each outcome: the posterior mean, and
the variance of the mean reward under the posterior, Var_{w~b}(E[r | s, a, s', w]), which the
paper calls the epistemic uncertainty E_R(s, a, s').
"""

import math

import numpy as np

from eubrl_edu.beliefs.successors import widen
from eubrl_edu.validation import (
    require_above,
    require_choice,
    require_finite,
    require_positive_int,
)


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
    """E_R = β / (λ(α − 1)) with λ = λ0 + n, α = α0 + n/2 (the paper, definition "Normal-Gamma")."""
    return beta / ((lambda0 + n) * (alpha0 + n / 2.0 - 1.0))


def normal_mean(n, reward_sum, mu0, tau0, tau):
    """r_b = (τ0 μ0 + τ Σr) / (τ0 + nτ) (the paper, "Posterior Predictive: Reward")."""
    return (tau0 * mu0 + tau * reward_sum) / (tau0 + n * tau)


def normal_variance(n, tau0, tau):
    """E_R = 1 / (τ0 + τn) (the paper, definition "Normal-Normal")."""
    return 1.0 / (tau0 + tau * n)


def beta_mean(successes, failures):
    """Mean of a Beta(a, b) distribution, a / (a + b)."""
    return successes / (successes + failures)


def beta_variance(successes, failures):
    """Variance of a Beta(a, b) distribution, ab / ((a + b)²(a + b + 1))."""
    total = successes + failures
    return successes * failures / (total * total * (total + 1.0))


class RewardBelief:
    """What the reward beliefs have in common: a count of rewards per outcome, and its growth.

    Subclasses name their other arrays and what an outcome without any reward holds in
    ``_prior``, and define ``observe``, ``posterior``, ``prior`` and ``sample``.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    on : {"outcome", "action"}
        Whether a reward belongs to (s, a, s') or to (s, a).
    """

    def __init__(self, n_states: int, n_actions: int, on: str = "outcome"):
        self.n_states = require_positive_int("n_states", n_states)
        self.n_actions = require_positive_int("n_actions", n_actions)
        self.on = require_choice("on", on, ("outcome", "action"))
        self.n = np.zeros((self.n_states, self.n_actions, 1))
        for name, value in self._prior().items():
            setattr(self, name, np.full(self.n.shape, value))

    def _prior(self) -> dict[str, float]:
        """The arrays besides ``n``, with the value of an outcome that has no reward yet."""
        raise NotImplementedError

    def bind(self, transitions) -> None:
        """List in ``transitions`` the outcomes that this model knows of beforehand."""

    def check(self, reward: float) -> float:
        """Return ``reward`` as a float this model can learn from, or raise ``ValueError``."""
        return require_finite("reward", reward)

    def update(self, state: int, action: int, outcome: int, reward: float) -> None:
        """Learn from one reward of the given outcome."""
        self._learn(state, action, outcome, 1.0, self.check(reward), 0.0)

    def update_batch(self, state: int, action: int, outcome: int, rewards: np.ndarray) -> None:
        """Learn from several rewards of one outcome at once, by their sufficient statistics."""
        rewards = np.array([self.check(reward) for reward in rewards])
        spread = float(((rewards - rewards.mean()) ** 2).sum())
        self._learn(state, action, outcome, float(len(rewards)), float(rewards.sum()), spread)

    def _learn(self, state, action, outcome, n, total, spread):
        if self.on == "action":
            outcome = 0
        self.grow(outcome + 1)
        at = (state, action, outcome)
        self.observe(at, n, total, spread)
        self.n[at] += n

    def observe(self, at: tuple[int, int, int], n: float, total: float, spread: float) -> None:
        """The conjugate update of one outcome for n rewards; the count is raised afterwards.

        Parameters
        ----------
        at : (state, action, outcome)
            Place of the outcome in the arrays.
        n, total, spread : float
            The new rewards' number, sum, and sum of squared deviations from their mean.
        """
        raise NotImplementedError

    def grow(self, width: int) -> None:
        """Make room for ``width`` outcomes per pair; on actions there is always only one."""
        if self.on == "action" or width <= self.n.shape[-1]:
            return
        width = max(width, 2 * self.n.shape[-1])
        self.n = widen(self.n, width, 0.0)
        for name, value in self._prior().items():
            setattr(self, name, widen(getattr(self, name), width, value))

    def posterior(self, at=...):
        """Posterior mean and variance of the mean, for the outcomes selected by ``at``.

        Parameters
        ----------
        at : index
            Index into an (S, A, K) array; all outcomes by default.

        Returns
        -------
        mean : array
            r_b(s, a, s') in units of reward.
        variance : array
            E_R(s, a, s') in units of reward².
        """
        raise NotImplementedError

    def prior(self) -> tuple[float, float]:
        """Mean and variance of the mean for an outcome without any reward."""
        raise NotImplementedError

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """Draw a mean reward for every outcome from its posterior, shape (S, A, K)."""
        raise NotImplementedError

    def sample_prior(self, rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
        """Draw mean rewards from the prior, for outcomes that are not listed."""
        raise NotImplementedError

    def settings(self) -> dict:
        """The constructor's arguments besides the sizes."""
        return {"on": self.on}

    def copy(self) -> "RewardBelief":
        """An independent copy."""
        twin = type(self)(self.n_states, self.n_actions, **self.settings())
        twin.n = self.n.copy()
        for name in self._prior():
            setattr(twin, name, getattr(self, name).copy())
        return twin


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
        self.lambda0 = require_above("lambda0", lambda0, 0)
        self.alpha0 = require_above("alpha0", alpha0, 1)
        self.beta0 = require_above("beta0", beta0, 0)
        super().__init__(n_states, n_actions, on)

    def _prior(self):
        return {"mean": self.mu0, "beta": self.beta0}

    def observe(self, at, n, total, spread):
        precision_count = self.lambda0 + self.n.item(at)
        self.mean[at], self.beta[at] = normal_gamma_update(
            self.mean.item(at), self.beta.item(at), precision_count, n, total, spread
        )

    def posterior(self, at=...):
        return self.mean[at], normal_gamma_variance(
            self.n[at], self.beta[at], self.lambda0, self.alpha0
        )

    def prior(self):
        return self.mu0, normal_gamma_variance(0.0, self.beta0, self.lambda0, self.alpha0)

    def sample(self, rng):
        shape, precision_count = self.alpha0 + self.n / 2.0, self.lambda0 + self.n
        precision = rng.standard_gamma(shape) / self.beta
        return self.mean + rng.standard_normal(shape.shape) / np.sqrt(precision_count * precision)

    def sample_prior(self, rng, size):
        precision = rng.standard_gamma(self.alpha0, size) / self.beta0
        return self.mu0 + rng.standard_normal(size) / np.sqrt(self.lambda0 * precision)

    def settings(self):
        return {
            "mu0": self.mu0,
            "lambda0": self.lambda0,
            "alpha0": self.alpha0,
            "beta0": self.beta0,
            "on": self.on,
        }


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

    def _prior(self):
        return {"reward_sum": 0.0}

    def observe(self, at, n, total, spread):
        self.reward_sum[at] += total

    def posterior(self, at=...):
        mean = normal_mean(self.n[at], self.reward_sum[at], self.mu0, self.tau0, self.tau)
        return mean, normal_variance(self.n[at], self.tau0, self.tau)

    def prior(self):
        return self.mu0, normal_variance(0.0, self.tau0, self.tau)

    def sample(self, rng):
        mean, variance = self.posterior()
        return mean + rng.standard_normal(mean.shape) * np.sqrt(variance)

    def sample_prior(self, rng, size):
        mean, variance = self.prior()
        return mean + rng.standard_normal(size) * math.sqrt(variance)

    def settings(self):
        return {"mu0": self.mu0, "tau0": self.tau0, "tau": self.tau, "on": self.on}


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

    def _prior(self):
        return {"successes": self.alpha0, "failures": self.beta0}

    def check(self, reward):
        if reward not in (0, 1):
            raise ValueError(f"reward must be 0 or 1 for Beta-Bernoulli rewards, got {reward!r}")
        return float(reward)

    def observe(self, at, n, total, spread):
        self.successes[at] += total
        self.failures[at] += n - total

    def posterior(self, at=...):
        successes, failures = self.successes[at], self.failures[at]
        return beta_mean(successes, failures), beta_variance(successes, failures)

    def prior(self):
        return beta_mean(self.alpha0, self.beta0), beta_variance(self.alpha0, self.beta0)

    def sample(self, rng):
        return rng.beta(self.successes, self.failures)

    def sample_prior(self, rng, size):
        return rng.beta(self.alpha0, self.beta0, size)

    def settings(self):
        return {"alpha0": self.alpha0, "beta0": self.beta0, "on": self.on}


class KnownRewards(RewardBelief):
    """Mean rewards that are given: nothing to learn, no uncertainty.

    An outcome that is not among the given ones is impossible, and its reward is 0.

    Parameters
    ----------
    rewards : (S, A) or (S, A, K) array
        Mean reward of each pair, or of each outcome listed in ``successors``.
    successors : (S, A, K) integer array, optional
        The next state that each outcome leads to; left out where rewards are (S, A).

    Raises
    ------
    ValueError
        If the shapes do not fit or a reward is not finite.
    """

    def __init__(self, rewards: np.ndarray, successors: np.ndarray | None = None):
        self.rewards = np.array(rewards, dtype=float)
        self.successors = None if successors is None else np.array(successors, dtype=np.int64)
        if not np.isfinite(self.rewards).all():
            raise ValueError("rewards must be finite numbers")
        expected = 2 if successors is None else 3
        if self.rewards.ndim != expected or (
            successors is not None and self.rewards.shape != self.successors.shape
        ):
            raise ValueError(
                "rewards must have shape (S, A), or the shape (S, A, K) of successors; "
                f"got {self.rewards.shape}"
            )
        n_states, n_actions = self.rewards.shape[:2]
        super().__init__(n_states, n_actions, "action" if successors is None else "outcome")
        if successors is None:
            self.mean[..., 0] = self.rewards

    def _prior(self):
        return {"mean": 0.0}

    def bind(self, transitions):
        if self.successors is None:
            return
        for state, action, k in np.ndindex(self.rewards.shape):
            next_state = int(self.successors[state, action, k])
            outcome = transitions.prepare(state, action, next_state)
            self.grow(outcome + 1)
            self.mean[state, action, outcome] = self.rewards[state, action, k]

    def observe(self, at, n, total, spread):
        pass

    def posterior(self, at=...):
        return self.mean[at], 0.0 * self.mean[at]

    def prior(self):
        return 0.0, 0.0

    def sample(self, rng):
        return self.mean

    def sample_prior(self, rng, size):
        return np.zeros(size)

    def copy(self):
        twin = KnownRewards(self.rewards, self.successors)
        twin.n, twin.mean = self.n.copy(), self.mean.copy()
        return twin
