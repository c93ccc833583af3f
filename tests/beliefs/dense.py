"""An oracle for beliefs: the paper's formulas on dense arrays, computed from the raw history.

It shares nothing with the package: counts are (S, A, S) arrays, rewards are kept in lists, and
every posterior comes from all its data at once.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from scipy.special import psi

import eubrl_edu as eu

REWARD_MODELS = ("normal-gamma", "normal", "bernoulli", "known")


@dataclass
class Case:
    """A prior and what was observed."""

    n_states: int
    n_actions: int
    alpha: float
    reward_model: str
    on: str
    terminal_states: tuple[int, ...]
    history: list[tuple[int, int, float, int]] = field(default_factory=list)

    mu0, lambda0, alpha0, beta0, tau0, tau = 0.3, 0.05, 2.5, 0.2, 0.7, 2.0

    def known_rewards(self):
        """Some rewards for every pair, or for every outcome; a third of them is 0."""
        shape = (self.n_states, self.n_actions, self.n_states)
        rewards = np.arange(np.prod(shape), dtype=float).reshape(shape) % 3 - 0.5
        rewards[rewards < 0] = 0.0
        return rewards if self.on == "outcome" else rewards[..., 0]

    def reward_belief(self):
        sizes = (self.n_states, self.n_actions)
        if self.reward_model == "normal-gamma":
            return eu.NormalGammaRewards(
                *sizes, self.mu0, self.lambda0, self.alpha0, self.beta0, on=self.on
            )
        if self.reward_model == "normal":
            return eu.NormalRewards(*sizes, self.mu0, self.tau0, self.tau, on=self.on)
        if self.reward_model == "bernoulli":
            return eu.BetaBernoulliRewards(*sizes, self.alpha0, self.beta0, on=self.on)
        if self.on == "action":
            return eu.KnownRewards(self.known_rewards())
        every_state = np.broadcast_to(np.arange(self.n_states), self.known_rewards().shape)
        return eu.KnownRewards(self.known_rewards(), every_state)

    def prior(self):
        """The belief before any observation."""
        return eu.Belief(
            eu.DirichletTransitions(self.n_states, self.n_actions, self.alpha),
            self.reward_belief(),
            self.terminal_states,
        )

    def belief(self):
        """The belief after the history, one observation at a time."""
        belief = self.prior()
        for transition in self.history:
            belief.update(*transition)
        return belief

    def counts(self):
        """n(s, a, s')."""
        counts = np.zeros((self.n_states, self.n_actions, self.n_states))
        for state, action, _, next_state in self.history:
            counts[state, action, next_state] += 1
        return counts

    def transition_parameters(self):
        """α + n(s, a, s')."""
        return self.alpha + self.counts()

    def transitions(self):
        """P_b(s'|s,a) = (α + n(s,a,s')) / (αS + n(s,a)); terminal states stay."""
        parameters = self.transition_parameters()
        predictive = parameters / parameters.sum(axis=-1, keepdims=True)
        for state in self.terminal_states:
            predictive[state] = np.eye(self.n_states)[state]
        return predictive

    def transition_variance(self):
        """Definition "Bounds for Transition": the variances of a Dirichlet's components, summed."""
        parameters = self.transition_parameters()
        total = parameters.sum(axis=-1, keepdims=True)
        others = np.stack(
            [np.delete(parameters, k, axis=-1).sum(axis=-1) for k in range(self.n_states)], axis=-1
        )
        variances = parameters * others / (total**2 * (total + 1))
        return self._without_ends(variances.sum(axis=-1))

    def mutual_information(self):
        """The closed form as printed in the paper."""
        parameters = self.transition_parameters()
        total = parameters.sum(axis=-1, keepdims=True)
        inner = psi(parameters + 1) - psi(total + 1) - np.log(parameters / total)
        return self._without_ends((parameters / total * inner).sum(axis=-1))

    def outcome_rewards(self):
        """Mean and variance of the mean of every r(s, a, s'), (S, A, S) each."""
        shape = (self.n_states, self.n_actions, self.n_states)
        mean, variance = np.zeros(shape), np.zeros(shape)
        for state, action, next_state in np.ndindex(shape):
            rewards = np.array(
                [
                    r
                    for s, a, r, s2 in self.history
                    if (s, a) == (state, action) and (self.on == "action" or s2 == next_state)
                ]
            )
            at = (state, action, next_state)
            mean[at], variance[at] = self._reward_posterior(rewards, at)
        return mean, variance

    def _reward_posterior(self, rewards, at):
        n = len(rewards)
        if self.reward_model == "known":
            given = self.known_rewards()
            return given[at if self.on == "outcome" else at[:2]], 0.0
        if self.reward_model == "normal":
            precision = self.tau0 + n * self.tau
            return (self.tau0 * self.mu0 + self.tau * rewards.sum()) / precision, 1 / precision
        if self.reward_model == "bernoulli":
            ones, zeros = self.alpha0 + rewards.sum(), self.beta0 + n - rewards.sum()
            total = ones + zeros
            return ones / total, ones * zeros / (total**2 * (total + 1))
        mean = rewards.mean() if n else 0.0
        spread = rewards.var() * n if n else 0.0
        scale, shape = self.lambda0 + n, self.alpha0 + n / 2
        moved = self.lambda0 * n * (mean - self.mu0) ** 2 / (self.lambda0 + n)
        rate = self.beta0 + (spread + moved) / 2
        return (self.lambda0 * self.mu0 + n * mean) / scale, rate / (scale * (shape - 1))

    def mean_reward(self):
        """r_b(s, a) = Σ P_b r."""
        return self._without_ends((self.transitions() * self.outcome_rewards()[0]).sum(axis=-1))

    def reward_uncertainty(self):
        """E_R(s, a) = Σ P_b E_R(s, a, s')."""
        return self._without_ends((self.transitions() * self.outcome_rewards()[1]).sum(axis=-1))

    def _without_ends(self, values):
        values = values.copy()
        values[list(self.terminal_states)] = 0.0
        return values


@st.composite
def cases(draw, max_steps=30, min_steps=0, reward_models=REWARD_MODELS):
    """A random prior with a random history."""
    n_states = draw(st.integers(1, 8))
    n_actions = draw(st.integers(1, 3))
    most_ends = min(2, n_states - 1)
    terminal = draw(st.sets(st.integers(0, n_states - 1), max_size=most_ends))
    alpha = draw(st.sampled_from([1e-8, 1e-6, 1e-3, 0.1, 1.0, 10.0]) | st.floats(1e-8, 10.0))
    reward_model = draw(st.sampled_from(reward_models))
    on = draw(st.sampled_from(["outcome", "action"]))
    starts = [state for state in range(n_states) if state not in terminal]
    rewards = st.sampled_from([0.0, 1.0])
    if reward_model != "bernoulli":
        rewards |= st.floats(-10, 10)
    transition = st.tuples(
        st.sampled_from(starts),
        st.integers(0, n_actions - 1),
        rewards,
        st.integers(0, n_states - 1),
    )
    history = draw(st.lists(transition, min_size=min_steps, max_size=max_steps))
    ends = tuple(sorted(terminal))
    return Case(n_states, n_actions, alpha, reward_model, on, ends, history)
