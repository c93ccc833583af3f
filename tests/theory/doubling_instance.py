"""Random worlds with estimates as wrong as A1 to A4 let them be, for steps 4 to 6 of the proof."""

from math import log

import numpy as np

from eubrl_edu import theory
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import evaluate_policy, solve
from tests.theory.doubling_runs import capped, error_terms, fixed_point_of_j


def variance(values, transitions):
    return transitions @ values**2 - (transitions @ values) ** 2


class Instance:
    """A random world, random counts, and estimates that the events just allow.

    Each pair is made better or worse than it is: its average reward by all that A4 allows, its
    frequencies by moving towards the best or the worst state as far as A1 to A3 allow. By chance
    all pairs are made worse (so that V falls short of V*), all better (so that V exceeds V^π), or
    the optimal ones worse and the others, hardly worse in truth, better (so that the plan errs).
    """

    def __init__(self, seed, of_upsilon=1.0):
        rng = np.random.default_rng(seed)
        shape = self.n_states, self.n_actions = int(rng.integers(2, 4)), int(rng.integers(1, 3))
        self.discount, self.lambda_ = float(rng.uniform(0, 0.9)), float(rng.uniform(0.01, 1 / 3))
        self.problem = theory.Problem(*shape, 1.0, 1.0, discount=self.discount)
        self.v_max, self.l1 = self.problem.v_max, log(24 * shape[0] * shape[1])
        self.p = rng.dirichlet(np.full(shape[0], 0.5), size=shape)
        self.r = rng.random(shape)
        way = rng.choice(["worse", "better", "misleading"])
        if way == "misleading" and shape[1] == 2:  # the same twice, but for a little reward
            self.p[:, 1] = self.p[:, 0]
            self.r[:, 1] = self.r[:, 0] * (1 - 2 * self.lambda_ * rng.random(shape[0]))
        self.world = MDP.from_dense(self.p, self.r)
        solution = solve(self.world, self.discount)
        self.best, self.best_actions = solution.v, solution.policy
        self.visits = np.floor(10 ** rng.uniform(0, 9, shape)) * (rng.random(shape) < 0.9)
        self.l3 = np.log(12 * self.problem.n_pairs * (1 + np.log(np.maximum(self.visits, 1))))
        self.better = np.full(shape, way != "worse")
        if way == "misleading":
            self.better[np.arange(shape[0]), solution.policy] = False
        self.estimate()
        self.plan(of_upsilon)

    def estimate(self):
        n, sign = np.maximum(self.visits, 1), np.where(self.better, 1, -1)
        allowed = self.lambda_ * self.r + self.l1 / (self.lambda_ * n)
        self.r_hat = np.clip(self.r + sign * allowed, 0, 1)
        ends = np.where(self.better, self.best.argmax(), self.best.argmin())
        towards = np.eye(self.n_states)[ends]
        low, high = np.zeros_like(self.r), np.ones_like(self.r)  # how far the events let P̂ go
        for _ in range(60):
            middle = (low + high) / 2
            held = self.frequencies_allowed(self.p + middle[..., None] * (towards - self.p))
            low, high = np.where(held, middle, low), np.where(held, high, middle)
        self.p_hat = self.p + low[..., None] * (towards - self.p)
        stays = np.eye(self.n_states)[:, None]
        self.p_hat = np.where(self.visits[..., None] > 0, self.p_hat, stays)

    def frequencies_allowed(self, p_hat):
        """Whether A1, A2 and A3 hold, for every pair."""
        n, spread, error = np.maximum(self.visits, 1), variance(self.best, self.p), p_hat - self.p
        allowed = self.lambda_ / (4 * self.v_max) * spread
        held = np.abs(error @ self.best) <= allowed + 3 * self.v_max * self.l1 / (self.lambda_ * n)
        held &= -error @ self.best**2 <= spread / 2 + 6 * self.v_max**2 * self.l1 / n
        each = 2 * np.sqrt(2 * self.p * (self.l3 / n)[..., None])
        return held & (np.abs(error) <= each + (2 * self.l3 / (3 * n))[..., None]).all(axis=-1)

    def plan(self, of_upsilon):
        """With this share of Υ."""
        n = np.maximum(self.visits, 1)
        p_u = 1 / np.sqrt(n)
        settings = theory.schedule(self.problem, self.lambda_)
        self.upsilon = of_upsilon * settings.upsilon
        self.eta = settings.eta - settings.upsilon + self.upsilon
        self.rewards = (1 - p_u) * self.r_hat + self.eta / n
        wanted = (1 - p_u) * self.r_hat + p_u + self.upsilon / n  # step 2's
        q, self.v = self.values(slice(None))
        larger = np.maximum(self.rewards, wanted)
        _, self.v_tilde = capped(larger, self.p_hat, self.discount, self.v_max)
        self.psi = 1.5 * self.lambda_ * self.v_max + self.lambda_ / 4
        self.follow(q.argmax(axis=1))

    def values(self, actions):
        """Q and V of the agent's model, where it may take these actions."""
        return capped(self.rewards[actions], self.p_hat[actions], self.discount, self.v_max)

    def follow(self, pi):
        states = np.arange(self.n_states)
        self.pi = pi
        self.of_pi = evaluate_policy(self.world, self.pi, self.discount)
        self.b = error_terms(self.problem, self.visits, self.lambda_)[states, pi]
        self.p_pi = self.p[states, pi]
        self.cap = 1.2 * self.v_max
        self.j = fixed_point_of_j(self.b, self.p_pi, self.discount, self.cap)
