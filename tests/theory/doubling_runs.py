"""Runs of the agent of ``theory/DOUBLING.md``, and what its steps 8 to 11 say of them.

The agent of the package lives them, compiled. Its plans are made once more from the counts, with
dense arrays; J, ξ and ζ of every step are theirs.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from scipy.signal import lfilter

import eubrl_edu as eu
from eubrl_edu import engine, theory
from eubrl_edu.planning import evaluate_policy, solve

DELTA = 0.1


def capped(rewards, transitions, discount, cap):
    """Q and V = min{max Q, cap}, by plain value iteration."""
    values = np.full(len(rewards), cap)
    for _ in range(1 + int(60 / (1 - discount))):
        q = rewards + discount * transitions @ values
        values = np.minimum(q.max(axis=1), cap)
    return q, values


def error_terms(problem, visits, lambda_):
    """b(s, a), what is still to be learned about a pair (step 5); infinite without a visit."""
    l1 = log(24 * problem.n_pairs / problem.delta)
    l3 = np.log(12 * problem.n_pairs * (1 + np.log(np.maximum(visits, 1))) / problem.delta)
    scale = 55 / 4 * l1 / lambda_ + 124 / 3 * problem.n_states * l3
    with np.errstate(divide="ignore"):
        return problem.v_max * scale / visits


def fixed_point_of_j(b, transitions, discount, cap):
    """J(s) = min{b(s) + γPJ(s), cap}, given the rows of the policy's actions."""
    j = np.full(len(b), cap)
    for _ in range(1 + int(60 / (1 - discount))):
        j = np.minimum(b + discount * transitions @ j, cap)
    return j


def weights_within_plans(chosen, starts, discount):
    """w of every step: Σ γ^(τ−t) over the steps t ≤ τ of its plan that are in Γ."""
    found = np.zeros(len(chosen))
    ends = np.append(starts[1:] - 1, len(chosen))
    for start, end in zip(starts - 1, ends, strict=True):
        if start < end:
            found[start:end] = lfilter([1.0], [1.0, -discount], chosen[start:end].astype(float))
    return found


@dataclass
class DoublingRun:
    """T steps; all arrays but ``starts`` have an entry a step.

    Attributes
    ----------
    plan_of, last, starts
        Its plan, whether it is the plan's last step, and the first step of each plan, from 1.
    lost, j, b, xi, zeta, spread
        Δ; J(s), b(s, a); PJ − J(s'), PJ² − J(s')² and Var(J) at (s, a).
    """

    problem: theory.Problem
    lambda_: float
    best: np.ndarray
    world: object
    lived: object
    pairs: np.ndarray
    starts: np.ndarray
    plan_of: np.ndarray
    last: np.ndarray
    lost: np.ndarray
    j: np.ndarray
    b: np.ndarray
    xi: np.ndarray
    zeta: np.ndarray
    spread: np.ndarray

    @property
    def cap(self):
        """U, and 1/(1 − γ) is W."""
        return 1.2 * self.problem.v_max

    def weights(self, chosen):
        return weights_within_plans(chosen, self.starts, self.problem.discount)


def live_by_doubling(world, discount, steps, lambda_, seed) -> DoublingRun:
    """Live T steps with the η of λ; every action that was taken is greedy in the dense plan."""
    sizes = world.n_states, world.n_actions
    problem = theory.Problem(*sizes, 1.0, DELTA, discount=discount)
    eta = theory.schedule(problem, lambda_).eta
    agent = eu.FrequentistEUBRL(*sizes, eta, discount=discount, plan_every="doubling")
    lived = engine.simulate(agent, world, steps, seed)
    table, best = world.model.transition_matrix(), solve(world.model, discount).v
    pairs = lived.states * sizes[1] + lived.actions
    starts = theory.plan_starts(pairs)
    starts = starts[starts <= steps]
    bounds = np.append(starts - 1, steps)
    run = DoublingRun(
        problem, lambda_, best, world, lived, pairs, starts,
        np.repeat(np.arange(len(starts)), np.diff(bounds)),
        np.zeros(steps, dtype=bool), *(np.empty(steps) for _ in range(6)),
    )  # fmt: skip
    run.last[starts[1:] - 2] = True
    paid, counts = np.zeros(sizes), np.zeros((*sizes, sizes[0]))
    for begin, end in zip(bounds, bounds[1:], strict=False):
        ours, visits = slice(begin, end), counts.sum(axis=-1)
        at = lived.states[ours], lived.actions[ours]
        n = np.maximum(visits, 1)
        rewards = (1 - 1 / np.sqrt(n)) * paid / n + eta / n
        model = np.where(visits[..., None] > 0, counts / n[..., None], np.eye(sizes[0])[:, None])
        q, _ = capped(rewards, model, discount, problem.v_max)
        assert (q[at] >= (1 - 1e-8) * q.max(axis=1)[at[0]]).all()
        policy, states = q.argmax(axis=1), np.arange(sizes[0])
        errors = error_terms(problem, visits, lambda_)
        # Where other actions are as good, J is the same whichever of them is followed.
        tied = policy[at[0]] != at[1]
        both = errors[at][tied], errors[states, policy][at[0][tied]]
        assert (np.minimum(*both) >= run.cap).all()
        j = fixed_point_of_j(errors[states, policy], table[states, policy], discount, run.cap)
        run.lost[ours] = (best - evaluate_policy(world.model, policy, discount))[at[0]]
        run.j[ours], run.b[ours] = j[at[0]], errors[at]
        expected, following = table @ j, j[lived.next_states[ours]]
        of_squares = table @ j**2
        run.xi[ours] = expected[at] - following
        run.zeta[ours] = of_squares[at] - following**2
        run.spread[ours] = (of_squares - expected**2)[at]
        np.add.at(paid, at, lived.rewards[ours])
        np.add.at(counts, (*at, lived.next_states[ours]), 1)
    return run


def shares_of_luck(run, chosen):
    """B1 and B2 (step 9): the largest share of its bound that each ever was, and all its sums.

    Raises ``AssertionError`` unless what steps 8 to 10 derive from them holds at every moment.
    """
    problem, discount, cap = run.problem, run.problem.discount, run.cap
    widest, doubt = 1 / (1 - discount), log(6 / problem.delta)
    w, inner = run.weights(chosen), ~run.last

    def summed(values):
        return np.cumsum(np.where(inner, w * np.where(inner, values, 0), 0))

    left, learned = np.cumsum(np.where(chosen, run.j, 0)), summed(run.b)
    luck, squares = discount * summed(run.xi), discount * summed(run.zeta)
    spread = discount * summed(run.spread)
    plans = run.plan_of + 1.0
    ends = plans * widest * cap
    small = 1e-6 * (1 + left)
    assert (left <= learned + luck + ends + small).all()  # step 8
    assert (spread <= squares + ends * cap + 2 * cap * learned + small).all()  # step 9
    of_luck = luck / (spread / (4 * cap) + 3 * widest * cap * doubt)
    of_squares = squares / (spread / 2 + 6 * widest * cap**2 * doubt)
    if max(of_luck.max(), of_squares.max()) <= 1:
        assert (left <= 2 * learned + 1.5 * ends + 6 * widest * cap * doubt + small).all()
    return of_luck.max(), of_squares.max(), left, learned


def shares_of_model_events(run):
    """A1 to A4 (step 1): the largest share of its bound that each ever was, for any pair."""
    problem, lambda_ = run.problem, run.lambda_
    v_max, l1 = problem.v_max, log(24 * problem.n_pairs / problem.delta)
    table, best = run.world.model.transition_matrix(), run.best
    shares = np.zeros(4)
    for pair in np.unique(run.pairs):
        at = divmod(pair, problem.n_actions)
        mine = run.pairs == pair
        following, paid = run.lived.next_states[mine], run.lived.rewards[mine]
        n = np.arange(1, len(following) + 1)
        p, r = table[at], run.world.model.rewards[at]
        spread = p @ best**2 - (p @ best) ** 2
        a1 = np.abs(np.cumsum(best[following]) / n - p @ best) / (
            lambda_ / (4 * v_max) * spread + 3 * v_max * l1 / (lambda_ * n)
        )
        a2 = (p @ best**2 - np.cumsum(best[following] ** 2) / n) / (
            spread / 2 + 6 * v_max**2 * l1 / n
        )
        l3 = np.log(12 * problem.n_pairs * (1 + np.log(n)) / problem.delta)
        a3 = [
            np.abs(np.cumsum(following == state) / n - p[state])
            / (2 * np.sqrt(2 * p[state] * l3 / n) + 2 * l3 / (3 * n))
            for state in range(problem.n_states)
        ]
        a4 = np.abs(np.cumsum(paid) / n - r) / (lambda_ * r + l1 / (lambda_ * n))
        shares = np.maximum(shares, [a1.max(), a2.max(), np.max(a3), a4.max()])
    return shares
