"""UCBVI-γ: values that only fall, by one backup at a time, with a bonus for their spread."""

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.agents.plan import Plan
from eubrl_edu.planning import NotFinite
from eubrl_edu.validation import require_above, require_at_least


def bernstein_bonus(variance, next_unknown, visits, eta):
    """η (√(Var / N) + 1 / N + √(unknown / N)); variance and unknown in units of V↑²."""
    return eta * (np.sqrt(variance / visits) + 1.0 / visits + np.sqrt(next_unknown / visits))


def unknown_share(visits):
    """B = 1 / max(N, 1) of a state."""
    return 1.0 / np.maximum(visits, 1.0)


def backed_up(reward, weights, successors, v, unknown, visits, v_max, discount, eta):
    """r̂ + γ(P̂V + b): of one pair in floats, or of all in (S, A) arrays."""
    expected = 0.0
    for weight, successor in zip(weights, successors):
        expected = expected + weight * v[successor]
    variance = next_unknown = 0.0
    for weight, successor in zip(weights, successors):
        spread = (v[successor] - expected) / v_max
        variance = variance + weight * (spread * spread)
        next_unknown = next_unknown + weight * unknown[successor]
    return reward + discount * (expected + bernstein_bonus(variance, next_unknown, visits, eta))


class UCBVIGamma(EmpiricalAgent):
    r"""Upper confidence bound value iteration for discounted problems.

    .. math:: Q(s,a) \leftarrow \min\left\{Q(s,a),\;
              \hat r(s,a) + \gamma\hat PV(s,a) + \gamma b(s,a)\right\}, \qquad Q = V^\uparrow
              \text{ at first}
    .. math:: b = \eta\left(\sqrt{\frac{\mathrm{Var}_{\hat P}(V/V^\uparrow)}{N}} + \frac1N +
              \sqrt{\frac{\hat P B}{N}}\right), \qquad B(s') = \frac1{\max(N(s'), 1)}

    He, Zhou and Gu (2021), "Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs",
    where rewards are known; here they are averages. One plan is one such step for all pairs, as
    theirs, so that news travels one state a plan, and V = max Q never rises again.

    The three parts of the bonus are theirs, their constants are not: those (logarithms, and S²A² in
    B) keep Q at V↑ = R_max / (1 − γ) in all worlds of this package. What is left is the one scale
    η, in units of reward, to be tuned as that of other agents is. In terminal states B is 0.

    Parameters
    ----------
    n_states, n_actions, discount, plan_every, terminal_states
        See `EmpiricalAgent`.
    eta : float
        Scale η of the bonus, at least 0, in units of reward.
    r_max : float
        R_max, the largest reward there can be, above 0.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        eta: float = 1.0,
        r_max: float = 1.0,
        discount: float = 0.99,
        plan_every: int | str = 1,
        terminal_states=(),
    ):
        r_max = require_above("r_max, the largest reward there can be,", r_max, 0)
        super().__init__(n_states, n_actions, r_max, discount, None, plan_every, terminal_states)
        self.eta = require_at_least("eta", eta, 0)
        self.q = np.full(self.visits.shape, self.value_cap)
        self.q[list(self.terminal_states)] = 0.0

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Back up every visited pair once, from the values of the last plan."""
        model, known = self.optimistic_model(), self.known
        unknown = unknown_share(self.visits.sum(axis=1))
        unknown[list(self.terminal_states)] = 0.0

        outcomes = (np.moveaxis(table, -1, 0) for table in (model.weights, model.successors))
        v, visits = self.q.max(axis=1), np.maximum(self.visits, 1.0)
        own = self.value_cap, self.discount, self.eta
        once = backed_up(model.rewards, *outcomes, v, unknown, visits, *own)
        self.q = np.where(known, np.minimum(self.q, once), self.q)
        if not np.isfinite(self.q).all():
            raise NotFinite.of(model, self.discount)
        self.current_plan = Plan(model, self.mean_reward(), self.q.copy(), self.q.max(axis=1))
        return self.current_plan
