"""EUBRL as one would first write it: dense (S, A, S) arrays, value iteration from zero each time.

The same belief, uncertainty and guided reward as the package's, and none of its structure. It is
what the benchmarks measure against; the tests see that its plans agree with the package's.
"""

import numpy as np

from eubrl_edu.agents import Agent
from eubrl_edu.planning import greedy_actions

RESIDUAL = 1e-2


class DenseEUBRL(Agent):
    """Independent Dirichlets, Normal-Gamma rewards on outcomes, variance as the measure.

    Parameters
    ----------
    n_states, n_actions : int
        S and A.
    eta, alpha, beta0, discount : float
        As for the package's EUBRL; λ0 = β0, α0 = 2, μ0 = 0.
    plan_every : int
        Steps from one plan to the next.
    terminal_states : tuple of int
        Absorbing, with reward 0 and no uncertainty.
    residual : float
        Value iteration stops when no value changes by more.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        eta: float,
        alpha: float,
        beta0: float,
        discount: float,
        plan_every: int = 1,
        terminal_states: tuple[int, ...] = (),
        residual: float = RESIDUAL,
    ):
        self.eta, self.discount, self.plan_every = eta, discount, plan_every
        self.terminal_states, self.residual = list(terminal_states), residual
        shape = (n_states, n_actions, n_states)
        self.dirichlet = np.full(shape, alpha)
        self.mean, self.beta = np.zeros(shape), np.full(shape, beta0)
        self.precision, self.shape = np.full(shape, beta0), np.full(shape, 2.0)
        self.max_uncertainty = 0.0
        self.observations = 0
        self.q = self.plan()

    def act(self, state, rng):
        """Choose a greedy action, ties broken at random."""
        best = greedy_actions(self.q[state])
        return best[0] if len(best) == 1 else best[int(rng.integers(len(best)))]

    def observe(self, state, action, reward, next_state, terminated):
        """Update the posterior, and plan when planning is due."""
        at = state, action, next_state
        self.dirichlet[at] += 1
        precision, surprise = self.precision[at], reward - self.mean[at]
        self.mean[at] += surprise / (precision + 1)
        self.beta[at] += precision * surprise**2 / (2 * (precision + 1))
        self.precision[at] += 1
        self.shape[at] += 0.5
        self.observations += 1
        if self.observations % self.plan_every == 0:
            self.q = self.plan()

    def guided_model(self):
        """P_b and r^EUBRL, dense."""
        transitions, mean_reward, deviations = self.posterior()
        uncertainty = self.eta * deviations
        self.max_uncertainty = max(self.max_uncertainty, uncertainty.max())
        probability = uncertainty / self.max_uncertainty
        return transitions, (1 - probability) * mean_reward + probability * uncertainty

    def posterior(self):
        """P_b, r_b and √E_T + √E_R, dense."""
        total = self.dirichlet.sum(axis=-1, keepdims=True)
        transitions = self.dirichlet / total
        mean_reward = (transitions * self.mean).sum(axis=-1)
        spread = self.beta / (self.precision * (self.shape - 1))
        reward_variance = (transitions * spread).sum(axis=-1)
        transition_uncertainty = self.transition_uncertainty(transitions, total)
        deviations = np.sqrt(transition_uncertainty) + np.sqrt(reward_variance)
        for state in self.terminal_states:
            transitions[state] = 0
            transitions[state, :, state] = 1
            mean_reward[state] = deviations[state] = 0
        return transitions, mean_reward, deviations

    def transition_uncertainty(self, transitions, total):
        """E_T as variance, given P_b and 1ᵀα."""
        return (transitions * (1 - transitions) / (total + 1)).sum(axis=-1)

    def plan(self):
        """Value iteration from zero."""
        transitions, rewards = self.guided_model()
        values = np.zeros(len(rewards))
        while True:
            q = rewards + self.discount * (transitions @ values)
            new = q.max(axis=1)
            if np.abs(new - values).max() < self.residual:
                return q
            values = new
