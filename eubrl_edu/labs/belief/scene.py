"""One pair (s, a): what a prior and some observations make of it. Pure: no widget, no picture."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlog1py, xlogy

from eubrl_edu.beliefs import (
    BetaBernoulliRewards,
    DirichletTransitions,
    NormalGammaRewards,
    NormalRewards,
    RewardBelief,
)
from eubrl_edu.beliefs.belief import predictive_probability
from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance, normal_gamma_parameters
from eubrl_edu.labs.settings import (
    Settings,
    dropdown,
    int_slider,
    log_slider,
    number_box,
    seed_box,
    slider,
)
from eubrl_edu.theory.priors import PredictiveError, dirichlet_error, reward_error
from eubrl_edu.uncertainty import transition_variance

NEXT_STATES = ("A", "B", "C")
TRUE_PROBABILITIES = np.array([0.6, 0.3, 0.1])
TRUE_MEAN_REWARD = 0.7
TRUE_DEVIATION = 0.5

PRIOR_CONTROLS_OF = {
    "Normal-Gamma": ("mu0", "lambda0", "alpha0", "beta0"),
    "Normal": ("mu0", "lambda0"),
    "Beta-Bernoulli": ("alpha0", "beta0"),
}
MOST_SEEN = 10_000
COUNT_CONTROLS = ("draws", "seen_a", "seen_b", "seen_c", "low_rewards", "high_rewards")


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `BeliefLab` stand."""

    alpha: float = log_slider(
        1.0,
        -6,
        2,
        "α",
        "Dirichlet prior: how often it claims to have seen each next state",
        width="300px",
    )
    reward_model: str = dropdown(
        "Normal-Gamma",
        PRIOR_CONTROLS_OF,
        "rewards",
        "The family of the belief over the mean reward",
    )
    mu0: float = slider(0.0, -2.0, 2.0, "μ₀", "Mean reward that the prior expects")
    lambda0: float = log_slider(1.0, -2, 2, "λ₀", "How many rewards the prior's mean is worth")
    alpha0: float = log_slider(
        2.0,
        -1,
        2,
        "α₀",
        "Normal-Gamma: shape of the prior over the precision, above 1. "
        "Beta-Bernoulli: ones that the prior claims to have seen",
    )
    beta0: float = log_slider(
        1.0,
        -4,
        2,
        "β₀",
        "Normal-Gamma: rate of the prior over the precision. "
        "Beta-Bernoulli: zeros that the prior claims to have seen",
    )
    draws: int = int_slider(
        0, 0, 1000, "draws", "How many observations the true world has given", width="400px"
    )
    seed: int = seed_box("Another seed, different luck in the true world")
    seen_a: int = number_box(0, MOST_SEEN, "A", "Transitions to A, put in by hand")
    seen_b: int = number_box(0, MOST_SEEN, "B", "Transitions to B, put in by hand")
    seen_c: int = number_box(0, MOST_SEEN, "C", "Transitions to C, put in by hand")
    low_rewards: int = number_box(0, MOST_SEEN, "low", "Low rewards, put in by hand")
    high_rewards: int = number_box(0, MOST_SEEN, "high", "High rewards, put in by hand")


@dataclass(frozen=True)
class DensityCurve:
    """A density over possible values, scaled so that its highest point is 1."""

    values: np.ndarray
    heights: np.ndarray


@dataclass(frozen=True)
class State:
    """What a `BeliefLab` shows: see the module ``labs.belief.picture``."""

    params: Params
    counts: np.ndarray
    transition_means: np.ndarray
    transition_error: PredictiveError
    transition_uncertainty: float
    transition_prior: DensityCurve
    transition_posteriors: tuple[DensityCurve, ...]
    reward_mean: float
    reward_error: PredictiveError
    reward_uncertainty: float
    reward_prior: DensityCurve
    reward_posterior: DensityCurve
    rewards_seen: np.ndarray

    @property
    def reward_limits(self) -> tuple[float, float]:
        """The mean rewards that the picture has room for."""
        return (-0.03, 1.03) if self.params.reward_model == "Beta-Bernoulli" else (-2.5, 3.0)

    @property
    def transition_error_limit(self) -> float:
        """How far the axis of the transition errors reaches."""
        return 0.5 if _largest(self.transition_error) <= 0.5 else 1.0

    @property
    def reward_error_limit(self) -> float:
        """How far the axis of the reward errors reaches."""
        return 1.0 if _largest(self.reward_error) <= 1.0 else 3.0


def compute(params: Params) -> State:
    """Return prior and posterior of the pair, from the package's belief classes."""
    next_states, drawn_rewards = _observations(params)
    counts = np.bincount(next_states, minlength=3)
    counts += [params.seen_a, params.seen_b, params.seen_c]
    low, high = _rewards_by_hand(params)
    rewards_seen = np.concatenate(
        [drawn_rewards, np.full(params.low_rewards, low), np.full(params.high_rewards, high)]
    )

    transitions = DirichletTransitions(n_states=3, n_actions=1, alpha=params.alpha)
    for next_state in range(3):
        transitions.update(0, 0, next_state, times=int(counts[next_state]))
    row = transitions.parameters(0, 0)

    prior, rewards = _reward_belief(params), _reward_belief(params)
    if len(rewards_seen):
        rewards.update_batch(0, 0, 0, rewards_seen)
    prior_mean, _ = prior.posterior((0, 0, 0))
    reward_mean, reward_uncertainty = rewards.posterior((0, 0, 0))

    return State(
        params=params,
        counts=counts,
        transition_means=predictive_probability(np.array(row.listed), row.total),
        transition_error=dirichlet_error(counts, params.alpha, TRUE_PROBABILITIES),
        transition_uncertainty=transition_variance(row),
        transition_prior=_beta_density(params.alpha, 2 * params.alpha),
        transition_posteriors=tuple(
            _beta_density(own, others) for own, others in zip(row.listed, row.others, strict=True)
        ),
        reward_mean=float(reward_mean),
        reward_error=reward_error(
            rewards_seen, TRUE_MEAN_REWARD, rewards.pseudo_count, float(prior_mean)
        ),
        reward_uncertainty=float(reward_uncertainty),
        reward_prior=_reward_density(prior),
        reward_posterior=_reward_density(rewards),
        rewards_seen=rewards_seen,
    )


def _observations(params: Params) -> tuple[np.ndarray, np.ndarray]:
    """The next states and rewards of the first ``draws`` observations under ``seed``."""
    of_transitions, of_rewards = np.random.default_rng(params.seed).spawn(2)
    next_states = np.searchsorted(
        TRUE_PROBABILITIES.cumsum()[:-1], of_transitions.random(params.draws), side="right"
    )
    if params.reward_model == "Beta-Bernoulli":
        rewards = (of_rewards.random(params.draws) < TRUE_MEAN_REWARD).astype(float)
    else:
        rewards = of_rewards.normal(TRUE_MEAN_REWARD, TRUE_DEVIATION, params.draws)
    return next_states, rewards


def _rewards_by_hand(params: Params) -> tuple[float, float]:
    """A low and a high reward: two standard deviations from the true mean, or 0 and 1."""
    if params.reward_model == "Beta-Bernoulli":
        return 0.0, 1.0
    return TRUE_MEAN_REWARD - 2 * TRUE_DEVIATION, TRUE_MEAN_REWARD + 2 * TRUE_DEVIATION


def _reward_belief(params: Params) -> RewardBelief:
    """The prior over the mean reward of one pair."""
    if params.reward_model == "Normal-Gamma":
        return NormalGammaRewards(
            1, 1, params.mu0, params.lambda0, params.alpha0, params.beta0, on="action"
        )
    if params.reward_model == "Normal":
        # λ0 counts rewards here too: the prior is worth as much as λ0 rewards of precision τ.
        tau = 1 / TRUE_DEVIATION**2
        return NormalRewards(1, 1, params.mu0, tau0=params.lambda0 * tau, tau=tau, on="action")
    return BetaBernoulliRewards(1, 1, params.alpha0, params.beta0, on="action")


def _beta_density(a: float, b: float) -> DensityCurve:
    """The Beta(a, b) density over (0, 1)."""
    mean, deviation = beta_mean(a, b), np.sqrt(beta_variance(a, b))
    # Densely around the mean, however narrow the peak; never 0 or 1, where a spike is infinite.
    near = mean + deviation * np.linspace(-6, 6, 161)
    values = np.union1d(np.clip(near, 1e-4, 1 - 1e-4), np.linspace(1e-4, 1 - 1e-4, 241))
    return _scaled(values, xlogy(a - 1, values) + xlog1py(b - 1, -values))


def _reward_density(belief: RewardBelief) -> DensityCurve:
    """The density of the mean reward: Student t, Normal or Beta."""
    if isinstance(belief, BetaBernoulliRewards):
        return _beta_density(belief.successes.item(), belief.failures.item())
    mean, variance = belief.posterior((0, 0, 0))
    near = mean + np.sqrt(variance) * np.linspace(-6, 6, 161)
    values = np.union1d(near, np.linspace(-6, 6, 481))
    if isinstance(belief, NormalRewards):
        return _scaled(values, -((values - mean) ** 2) / (2 * variance))
    # μ is Student t with 2α degrees of freedom around the mean, with squared scale β / (λα).
    precision_count, shape = normal_gamma_parameters(belief.n.item(), belief.lambda0, belief.alpha0)
    squared_scale = belief.beta.item() / (precision_count * shape)
    distance = (values - mean) ** 2 / squared_scale
    return _scaled(values, -(2 * shape + 1) / 2 * np.log1p(distance / (2 * shape)))


@np.errstate(under="ignore")  # far from its top a density is 0
def _scaled(values: np.ndarray, log_density: np.ndarray) -> DensityCurve:
    return DensityCurve(values, np.exp(log_density - log_density.max()))


def _largest(error: PredictiveError) -> float:
    return float(np.abs([error.frequentist, error.prior_bias]).max())
