"""The agents once more, in dense arrays and plain NumPy: an oracle for whole runs.

Written from the definitions, with none of the package's beliefs, planners or engine. Each plan is
solved exactly: policies are evaluated by dense linear algebra, and the Bellman residual of what
comes out is checked.
"""

import numpy as np
from scipy.special import digamma, entr

from benchmarks.dense_eubrl import DenseEUBRL
from eubrl_edu.agents import Agent

# Values closer than this are equal but for rounding.
TIE = 1e-10
RESIDUAL = 1e-9


def solve(transitions, rewards, discount, policy):
    """Policy iteration from ``policy``: the values of all actions, and an optimal policy."""
    states = np.arange(len(rewards))
    while True:
        chain = np.eye(len(rewards)) - discount * transitions[states, policy]
        values = np.linalg.solve(chain, rewards[states, policy])
        q = rewards + discount * (transitions @ values)
        best = q.max(axis=1)
        gain, scale = best - q[states, policy], np.abs(values).max()
        if gain.max() <= 1e-12 * scale:
            assert np.abs(best - values).max() <= RESIDUAL * max(scale, 1)
            return q, policy
        policy = np.where(gain > 0, q.argmax(axis=1), policy)


class Exact:
    """Acts greedily in an exact solution of what `model` says, renewed every so many steps."""

    policy = None

    def act(self, state, rng):
        """One of the best actions, each as likely as the others."""
        row = self.q[state].tolist()
        least = max(row) - TIE * max(map(abs, row))
        best = [action for action, value in enumerate(row) if value >= least]
        return best[0] if len(best) == 1 else best[int(rng.integers(len(best)))]

    def plan(self):
        """Values of all actions."""
        transitions, rewards = self.guided_model()
        if self.policy is None:
            self.policy = np.zeros(len(rewards), dtype=int)
        q, self.policy = solve(transitions, rewards, self.discount, self.policy)
        return q


class EUBRL(Exact, DenseEUBRL):
    """The benchmark's dense EUBRL, solved exactly."""


class MutualInformationEUBRL(EUBRL):
    """E_T as the entropy of the mean, less the mean of the entropies."""

    def transition_uncertainty(self, transitions, total):
        """In nats, under a Dirichlet for each pair."""
        of_the_mean = entr(transitions).sum(axis=-1)
        weighted = (transitions * digamma(self.dirichlet + 1)).sum(axis=-1)
        return np.maximum(of_the_mean - (digamma(total[..., 0] + 1) - weighted), 0)


class VBRB(EUBRL):
    """The mean MDP, with η (√E_T + √E_R) on top."""

    def guided_model(self):
        """P_b and the mean reward with its bonus."""
        transitions, mean_reward, deviations = self.posterior()
        return transitions, mean_reward + self.eta * deviations


class MeanMDP(VBRB):
    """The mean MDP with nothing on top."""

    def __init__(self, n_states, n_actions, **settings):
        super().__init__(n_states, n_actions, eta=0.0, **settings)


class TiedEUBRL(EUBRL):
    """One Dirichlet for each action, over the displacements -1, 0 and +1."""

    def __init__(self, n_states, n_actions, **settings):
        self.displacements = np.full((n_actions, 3), settings["alpha"])
        super().__init__(n_states, n_actions, **settings)

    def observe(self, state, action, reward, next_state, terminated):
        """Count the displacement; the transitions of `DenseEUBRL` are laid out from it."""
        self.displacements[action, next_state - state + 1] += 1
        super().observe(state, action, reward, next_state, terminated)

    def guided_model(self):
        """What every state thinks is what one has learned from all; ends are absorbing."""
        self.dirichlet[:] = 0
        for state in range(1, len(self.dirichlet) - 1):
            self.dirichlet[state, :, state - 1 : state + 2] = self.displacements
        self.dirichlet[[0, -1]] = self.displacements.sum(axis=1).max()
        return super().guided_model()


class RMAX(Exact, Agent):
    """Pairs visited m times are as they were counted; others lead to a state that pays R_max."""

    def __init__(self, n_states, n_actions, known_after, r_max, discount, terminal_states=()):
        self.known_after, self.r_max, self.discount = known_after, r_max, discount
        self.terminal_states = list(terminal_states)
        self.counts = np.zeros((n_states, n_actions, n_states))
        self.totals = np.zeros((n_states, n_actions))
        self.visits = np.zeros((n_states, n_actions), dtype=int)
        self.q = self.plan()

    def observe(self, state, action, reward, next_state, terminated):
        """Count, and plan where that makes the pair known."""
        self.visits[state, action] += 1
        if self.visits[state, action] <= self.known_after:
            self.counts[state, action, next_state] += 1
            self.totals[state, action] += reward
        if self.visits[state, action] == self.known_after:
            self.q = self.plan()

    def guided_model(self):
        """One state more than the world has: paradise."""
        n_states, n_actions = self.visits.shape
        known = self.visits >= self.known_after
        transitions = np.zeros((n_states + 1, n_actions, n_states + 1))
        rewards = np.zeros((n_states + 1, n_actions))
        counts = self.counts[known]
        transitions[:-1, :, :-1][known] = counts / counts.sum(axis=-1, keepdims=True)
        rewards[:-1][known] = self.totals[known] / counts.sum(axis=-1) + self.bonus(known)
        transitions[:-1, :, -1] = ~known
        rewards[-1], transitions[-1, :, -1] = self.r_max, 1
        for state in self.terminal_states:
            transitions[state], rewards[state] = 0, 0
            transitions[state, :, state] = 1
        return transitions, rewards

    def bonus(self, known):
        """None."""
        return 0.0


class MBIEEB(RMAX):
    """Average rewards with η/√n on top; pairs never visited lead to paradise."""

    def __init__(self, n_states, n_actions, eta, plan_every=1, **settings):
        self.eta, self.plan_every, self.observations = eta, plan_every, 0
        super().__init__(n_states, n_actions, known_after=1, **settings)

    def observe(self, state, action, reward, next_state, terminated):
        """Count, and plan where that is due."""
        self.visits[state, action] += 1
        self.totals[state, action] += reward
        self.counts[state, action, next_state] += 1
        self.observations += 1
        if self.observations % self.plan_every == 0:
            self.q = self.plan()

    def bonus(self, known):
        """It falls with the square root of the visits."""
        return self.eta / np.sqrt(self.visits[known])


class RewardOfAction(Exact, Agent):
    """Independent Dirichlets, and a Normal-Gamma belief over r(s, a)."""

    def __init__(
        self, n_states, n_actions, alpha, beta0, discount, plan_every, eta=0.0, terminal_states=()
    ):
        self.eta, self.discount, self.plan_every = eta, discount, plan_every
        self.terminal_states, self.observations = list(terminal_states), 0
        self.dirichlet = np.full((n_states, n_actions, n_states), alpha)
        pairs = n_states, n_actions
        self.mean, self.precision = np.zeros(pairs), np.full(pairs, beta0)
        self.shape, self.beta = np.full(pairs, 2.0), np.full(pairs, beta0)
        self.q = None

    def act(self, state, rng):
        """Plan when that is due, then act."""
        if self.q is None:
            self.rng = rng
            self.q = self.plan()
        return super().act(state, rng)

    def observe(self, state, action, reward, next_state, terminated):
        """Bayes' rule; what was planned is forgotten when its time is over."""
        at = state, action
        self.dirichlet[state, action, next_state] += 1
        precision, surprise = self.precision[at], reward - self.mean[at]
        self.mean[at] = (precision * self.mean[at] + reward) / (precision + 1)
        self.beta[at] += 0.5 * surprise**2 * precision / (precision + 1)
        self.precision[at] += 1
        self.shape[at] += 0.5
        self.observations += 1
        if self.observations % self.plan_every == 0:
            self.renew()

    def with_ends(self, transitions, rewards):
        """Terminal states are absorbing, without reward."""
        for state in self.terminal_states:
            transitions[state], rewards[state] = 0, 0
            transitions[state, :, state] = 1
        return transitions, rewards


class BEB(RewardOfAction):
    """The mean MDP, with η / (1 + n + 1ᵀα) on top."""

    def renew(self):
        """Plan at once, as success is judged on what is planned now."""
        self.q = self.plan()

    def guided_model(self):
        """P_b and the mean reward with its bonus."""
        total = self.dirichlet.sum(axis=-1)
        return self.with_ends(self.dirichlet / total[..., None], self.mean + self.eta / (1 + total))


class PSRL(RewardOfAction):
    """A model drawn from the belief, Dirichlet parameters clipped at 1e-3 from below."""

    def renew(self):
        """A draw is due at the next action; until then the last one is in force."""
        self.draw_is_due = True

    draw_is_due = False

    def act(self, state, rng):
        """Draw when that is due, then act."""
        if self.draw_is_due:
            self.q, self.draw_is_due = None, False
        return super().act(state, rng)

    def guided_model(self):
        """Gamma draws in logarithms, as small shapes underflow; then Normal-Gamma draws."""
        shapes = np.maximum(self.dirichlet, 1e-3)
        logs = np.log(self.rng.standard_gamma(shapes + 1))
        logs -= self.rng.standard_exponential(shapes.shape) / shapes
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        precision = self.rng.gamma(self.shape, 1 / self.beta)
        rewards = self.rng.normal(self.mean, 1 / np.sqrt(self.precision * precision))
        return self.with_ends(weights / weights.sum(axis=-1, keepdims=True), rewards)
