"""The theorem of ``theory/DOUBLING.md``: its steps on random instances, its constants, a run."""

from fractions import Fraction
from itertools import product
from math import log, sqrt

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import evaluate_policy, solve

SIZES = {"n_states": 5, "n_actions": 2, "delta": 0.1, "discount": 0.95}
SEEDS = st.integers(0, 2**32 - 1)


def delta_gamma(values, transitions, discount):
    """Δ_γ(V)(s, a) of every pair."""
    return values[:, None] - discount * transitions @ values


def variance(values, transitions):
    return transitions @ values**2 - (transitions @ values) ** 2


def capped(rewards, transitions, unvisited, discount, cap):
    """Q and V of the agent, by plain value iteration."""
    values = np.full(len(rewards), cap)
    for _ in range(1 + int(60 / (1 - discount))):
        q = np.where(unvisited, cap, rewards + discount * transitions @ values)
        values = np.minimum(q.max(axis=1), cap)
    return q, values


class Instance:
    """A random world, random counts, and estimates as wrong as the events let them be."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        shape = self.n_states, self.n_actions = int(rng.integers(2, 4)), int(rng.integers(1, 3))
        self.discount, self.lambda_ = float(rng.uniform(0, 0.9)), float(rng.uniform(0.01, 1 / 3))
        self.problem = theory.Problem(*shape, 1.0, 1.0, discount=self.discount)
        self.v_max, self.l1 = self.problem.v_max, log(24 * shape[0] * shape[1])
        self.p = rng.dirichlet(np.full(shape[0], 0.5), size=shape)
        self.r = rng.random(shape)
        self.world = MDP.from_dense(self.p, self.r)
        self.best = solve(self.world, self.discount).v
        self.visits = np.floor(10 ** rng.uniform(0, 12, shape)) * (rng.random(shape) < 0.9)
        self.l3 = np.log(12 * self.problem.n_pairs * (1 + np.log(np.maximum(self.visits, 1))))
        towards_p, towards_r = rng.dirichlet(np.full(shape[0], 0.5), size=shape), rng.random(shape)
        self.estimates(0.0, towards_p, towards_r)
        share = 1.0  # how far towards something else the events let the estimates go
        while share > 1e-15 and not self.events_hold_at(share, towards_p, towards_r):
            share *= 0.7
        self.plan()

    def events_hold_at(self, share, towards_p, towards_r):
        self.estimates(share, towards_p, towards_r)
        return self.events_hold()

    def estimates(self, share, towards_p, towards_r):
        self.p_hat = (1 - share) * self.p + share * towards_p
        self.r_hat = (1 - share) * self.r + share * towards_r

    def events_hold(self):
        n, known = np.maximum(self.visits, 1), self.visits > 0
        spread, error = variance(self.best, self.p), self.p_hat - self.p
        allowed = self.lambda_ / (4 * self.v_max) * spread + 3 * self.v_max * self.l1 / (
            self.lambda_ * n
        )
        held = np.abs(error @ self.best) <= allowed
        held &= -error @ self.best**2 <= spread / 2 + 6 * self.v_max**2 * self.l1 / n
        each = 2 * np.sqrt(2 * self.p * (self.l3 / n)[..., None])
        held &= (np.abs(error) <= each + (2 * self.l3 / (3 * n))[..., None]).all(axis=-1)
        held &= np.abs(self.r_hat - self.r) <= self.lambda_ * self.r + self.l1 / (self.lambda_ * n)
        return bool((held | ~known).all())

    def plan(self):
        n = np.maximum(self.visits, 1)
        p_u = 1 / np.sqrt(n)
        eta = theory.schedule(self.problem, self.lambda_).eta
        self.rewards = (1 - p_u) * self.r_hat + eta / n
        q, self.v = self.values(slice(None))
        self.psi = 1.5 * self.lambda_ * self.v_max + self.lambda_ / 4
        self.follow(q.argmax(axis=1))

    def values(self, actions):
        """Q and V of the agent's model, where it may take these actions."""
        return capped(
            self.rewards[actions], self.p_hat[actions], self.visits[actions] == 0,
            self.discount, self.v_max,
        )  # fmt: skip

    def follow(self, pi):
        self.pi = pi
        self.of_pi = evaluate_policy(self.world, self.pi, self.discount)
        b = theory.doubling_error_terms(self.problem, self.visits, self.lambda_)
        self.b = b[np.arange(self.n_states), self.pi]
        self.p_pi = self.p[np.arange(self.n_states), self.pi]
        self.cap = 1.2 * self.v_max
        self.j = np.full(self.n_states, self.cap)
        for _ in range(1 + int(60 / (1 - self.discount))):
            self.j = np.minimum(self.b + self.discount * self.p_pi @ self.j, self.cap)


@given(st.floats(1, 1e9), st.floats(1, 1e6))
def test_step_2_what_the_bonus_lacks(m, ratio):
    n = m * ratio
    assert (sqrt(n) - sqrt(m)) / n <= 1 / (4 * sqrt(m)) * (1 + 1e-12)


@given(SEEDS)
def test_step_3_the_lemma_on_variances(seed):
    rng = np.random.default_rng(seed)
    discount, cap, n = rng.random(), rng.uniform(0.1, 10), int(rng.integers(1, 6))
    p, x = rng.dirichlet(np.full(n, 0.3), size=(n, 2)), cap * rng.random(n)
    drop = delta_gamma(x, p, discount)
    bound = -delta_gamma(x**2, p, discount) + (1 + discount) * cap * np.maximum(drop, 0)
    assert (discount * variance(x, p) <= bound + 1e-9).all()


@settings(max_examples=60)
@given(SEEDS)
def test_steps_4_to_6_the_regret_of_a_plan(seed):
    at = Instance(seed)
    assert at.events_hold()
    assert (at.best - at.v <= at.psi + 1e-9).all()  # step 4
    assert at.psi <= 0.6 * at.v_max
    check_steps_5_and_6(at, at.v)


def check_steps_5_and_6(at, v, error=0.0):
    """For the policy's own values ``v`` in the agent's model, by ``error`` below those planned."""
    known = at.visits[np.arange(at.n_states), at.pi] > 0
    psi = at.psi + error
    x = v - at.best + psi
    f = at.lambda_ * (1.5 * at.best - at.best**2 / (4 * at.v_max))
    d = 1.25 * f + psi / 4 - 5 / (64 * at.v_max) * x**2
    h = v - at.of_pi

    def drop(values):
        return values - at.discount * at.p_pi @ values

    y = at.discount * ((at.p_hat - at.p) @ x)[np.arange(at.n_states), at.pi]
    n = np.maximum(at.visits, 1)[np.arange(at.n_states), at.pi]
    l3 = at.l3[np.arange(at.n_states), at.pi]
    spread = at.p_pi @ x**2 - (at.p_pi @ x) ** 2
    e = (32 + 16 / 15) * at.v_max * at.n_states * l3 / n
    first = y <= at.discount * spread / (16 * at.v_max) + e + 1e-9  # step 5.1
    assert (first | ~known).all()
    assert ((drop(h) <= drop(d) + at.b + 1e-9) | ~known).all()  # step 5.6
    assert (h - d <= at.cap + 1e-9).all()  # step 5.7
    assert (h <= d + at.j + 1e-9).all()
    bound = 3.75 * at.lambda_ * at.v_max + 1.25 * error + at.j
    assert (at.best - at.of_pi <= bound + 1e-9).all()  # step 6


@settings(max_examples=60)
@given(SEEDS)
def test_an_approximate_solver_adds_five_quarters_of_its_error(seed):
    """What survives of the paper's remark on solvers: any policy, and J that follows it.

    Its values in the agent's model are short of those planned by ε, so that they are short of V*
    by ψ + ε. Steps 5 and 6 then hold with that for ψ, as long as it is within 3/5 V↑.
    """
    at = Instance(seed)
    states = np.arange(at.n_states)
    for actions in product(range(at.n_actions), repeat=at.n_states):
        pi = np.array(actions)
        _, v = at.values((states[:, None], pi[:, None]))
        error = (at.v - v).max()
        if at.psi + error <= 0.6 * at.v_max:
            at.follow(pi)
            check_steps_5_and_6(at, v, error)


def test_the_constants_of_steps_5_and_6():
    c = Fraction(1, 16)  # in units of V↑, as all that follows
    largest = Fraction(8, 5)
    assert Fraction(7, 4) * Fraction(1, 3) <= largest - 1  # ψ at λ = 1/3
    assert 2 * largest * c == Fraction(1, 5)
    tilt = 1 / (1 - Fraction(1, 5))
    assert 1 + tilt * c * largest**2 == Fraction(6, 5)
    assert tilt * 11 == Fraction(55, 4)
    assert tilt * (2 / c + Fraction(2, 3) * largest) == Fraction(124, 3)
    assert tilt * (Fraction(3, 2) + Fraction(5, 4)) + Fraction(5, 16) == Fraction(15, 4)
    assert 4 * Fraction(55, 4) == 55 and 4 * Fraction(124, 3) == Fraction(496, 3)
    assert Fraction(15, 4) * 3 + Fraction(55, 3) < 30


@given(st.lists(st.integers(0, 4), min_size=1, max_size=300))
def test_step_7_how_many_plans(pairs):
    starts = theory.plan_starts(np.array(pairs))
    problem = theory.Problem(5, 1, 1.0, 1.0, discount=0.5)
    assert (starts <= len(pairs)).sum() <= theory.most_plans(problem, len(pairs)) + 1e-9
    for start, end in zip(starts, [*starts[1:], len(pairs) + 1], strict=True):
        planned_with = np.bincount(pairs[: start - 1], minlength=5)
        for step in range(start, min(end, len(pairs) + 1)):
            now = np.bincount(pairs[:step], minlength=5)[pairs[step - 1]]
            last = step == end - 1 and end in starts
            assert (now > 2 * planned_with[pairs[step - 1]]) == last


class RandomWorld(TabularEnvironment):
    """Three states, two actions, Bernoulli rewards."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.p, self.r = rng.dirichlet(np.full(3, 0.4), size=(3, 2)), rng.random((3, 2))
        super().__init__(n_states=3, n_actions=2)

    def outcomes(self, state, action):
        for next_state in range(3):
            for reward, chance in ((1.0, self.r[state, action]), (0.0, 1 - self.r[state, action])):
                yield Outcome(self.p[state, action, next_state] * chance, next_state, reward)


@pytest.fixture(scope="module")
def run():
    """A run of the agent of the theorem, with J, ξ and ζ of every step; γ = 1/2, λ = 1/3."""
    steps, discount, lambda_ = 40_000, 0.5, 1 / 3
    world, problem = RandomWorld(3), theory.Problem(3, 2, 1.0, 0.1, discount=discount)
    eta = theory.schedule(problem, lambda_).eta
    agent = eu.FrequentistEUBRL(3, 2, lambda t: eta, discount=discount, plan_every="doubling")
    lived = eu.simulate(agent, world, steps, seed=0)
    pairs = lived.states * 2 + lived.actions
    starts = theory.plan_starts(pairs)
    plan_of = np.searchsorted(starts, np.arange(1, steps + 1), side="right") - 1
    last = np.isin(np.arange(2, steps + 2), starts)
    b, j = np.empty(steps), np.empty((len(starts), 3))
    counts = np.zeros(6)
    policies = np.zeros((len(starts), 3), dtype=int)
    for k in range(len(starts)):
        ours = plan_of == k
        errors = theory.doubling_error_terms(problem, counts.reshape(3, 2), lambda_)
        for state in range(3):
            taken = lived.actions[ours & (lived.states == state)]
            assert len(set(taken.tolist())) <= 1 or (errors[state] == np.inf).any()
            policies[k, state] = taken[0] if len(taken) else 0
        j[k] = theory.bellman_like(world.model, policies[k], errors, discount, 1.2 * problem.v_max)
        b[ours] = errors.ravel()[pairs[ours]]
        counts += np.bincount(pairs[ours], minlength=6)
    of_step, p = j[plan_of], world.p[lived.states, lived.actions]
    following = lived.next_states
    rows = np.arange(steps)
    return {
        "problem": problem, "lambda": lambda_, "last": last, "b": b, "starts": starts,
        "j": of_step[rows, lived.states],
        "xi": (p * of_step).sum(axis=1) - of_step[rows, following],
        "zeta": (p * of_step**2).sum(axis=1) - of_step[rows, following] ** 2,
        "spread": (p * of_step**2).sum(axis=1) - (p * of_step).sum(axis=1) ** 2,
        "plan_of": plan_of,
    }  # fmt: skip


def weights_of(run, chosen):
    weights, current, discount = np.zeros(len(chosen)), 0.0, run["problem"].discount
    for step, inside in enumerate(chosen):
        if step and run["last"][step - 1]:
            current = 0.0
        weights[step] = current = discount * current + inside
    return weights


@pytest.mark.parametrize("bad_above", [None, 0.6, 1.0])
def test_steps_8_to_10_on_a_run_at_every_moment(run, bad_above):
    """All T at once; Γ is every step, or those at which J is above a number."""
    problem, discount = run["problem"], 0.5
    chosen = np.ones(len(run["j"]), dtype=bool) if bad_above is None else run["j"] > bad_above
    w, inner = weights_of(run, chosen), ~run["last"]
    widest, cap, doubt = 1 / (1 - discount), 1.2 * problem.v_max, log(6 / problem.delta)
    left = np.cumsum(np.where(chosen, run["j"], 0))
    learned = np.cumsum(np.where(inner, w * np.where(inner, run["b"], 0), 0))
    luck = np.cumsum(np.where(inner, discount * w * run["xi"], 0))
    spread = np.cumsum(np.where(inner, discount * w * run["spread"], 0))
    squares = np.cumsum(np.where(inner, discount * w * run["zeta"], 0))
    plans = run["plan_of"] + 1.0
    ends = plans * widest * cap
    assert (left <= learned + luck + ends + 1e-6).all()  # step 8
    assert (spread <= squares + ends * cap + 2 * cap * learned + 1e-6).all()  # step 9
    assert (luck <= spread / (4 * cap) + 3 * widest * cap * doubt).all()  # B1 held
    assert (squares <= spread / 2 + 6 * widest * cap**2 * doubt).all()  # B2 held
    assert (left <= 2 * learned + 1.5 * ends + 6 * widest * cap * doubt).all()
    for step in (100, 5000, len(left)):  # step 10
        bound = theory.doubling_error_sum(problem, chosen[:step].sum(), step, run["lambda"])
        of_learning = bound["learning"] + bound["states"]
        assert 2 * learned[step - 1] <= of_learning
        assert left[step - 1] <= sum(bound.values())


def test_step_11_the_ends_of_plans_at_which_j_is_small(run):
    """All T at once: E in place of M W U, and which ends cost how much."""
    problem, discount, theta = run["problem"], 0.5, 0.9
    chosen, more = run["j"] > theta, run["j"] > theta / 3
    assert more.sum() > chosen.sum() > 0
    w, inner = weights_of(run, chosen), ~run["last"]
    widest, cap, doubt = 1 / (1 - discount), 1.2 * problem.v_max, log(6 / problem.delta)
    left = np.cumsum(np.where(chosen, run["j"], 0))
    learned = np.cumsum(np.where(inner, w * np.where(inner, run["b"], 0), 0))
    luck = np.cumsum(np.where(inner, discount * w * run["xi"], 0))
    past = np.cumsum(np.where(run["last"], w * run["j"], 0))
    # At a moment within a plan, that moment ends it, and the step itself is not unrolled.
    unfinished = np.where(inner, w * run["j"] - w * np.where(inner, run["b"], 0), 0)
    unfinished -= np.where(inner, discount * w * run["xi"], 0)
    ends = past + unfinished
    assert (left <= learned + luck + ends + 1e-6).all()
    harmless = np.cumsum(np.where(run["last"] & ~more, w * run["j"], 0))
    assert (harmless <= theta / 3 * np.cumsum(chosen) + 1e-9).all()
    others = 1 + 6 * np.log2(1 + np.cumsum(more) / 6)
    assert (1 + np.cumsum(run["last"] & more) <= others + 1e-9).all()
    of_all = 2 * learned + 1.5 * widest * cap * others + 6 * widest * cap * doubt
    assert (theta / 2 * np.cumsum(chosen) <= of_all).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=300), SEEDS)
def test_step_11_how_often_a_bad_pair_ends_a_plan(pairs, seed):
    """Which pairs are bad, J > θ, is drawn anew for each plan."""
    pairs, rng = np.array(pairs), np.random.default_rng(seed)
    starts = theory.plan_starts(pairs)
    is_bad = rng.random((len(starts), 5)) < rng.random()
    steps = np.arange(1, len(pairs) + 1)
    bad = is_bad[np.searchsorted(starts, steps, side="right") - 1, pairs]
    is_last = np.isin(steps + 1, starts)
    for pair in range(5):
        here = (pairs == pair) & bad
        assert (here & is_last).sum() <= np.log2(1 + here.sum()) + 1e-9
    assert (bad & is_last).sum() <= 5 * np.log2(1 + bad.sum() / 5) + 1e-9


def test_the_run_says_something(run):
    """J is well below its cap in the end, so that the sums above are not those of the cap."""
    assert run["j"][-1] < 0.9 * 1.2 * run["problem"].v_max
    assert len(run["starts"]) <= theory.most_plans(run["problem"], len(run["j"])) + 1


PROBLEMS = st.fixed_dictionaries(
    {
        "n_states": st.integers(1, 50),
        "n_actions": st.integers(1, 10),
        "delta": st.floats(1e-6, 1),
        "discount": st.floats(0, 0.999),
        "r_max": st.floats(0.1, 100),
    }
)


def mp_error_sum(sizes, count, steps, lambda_):
    s, a, delta = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "delta"))
    spread = 1 / (1 - mp.mpf(sizes["discount"]))
    v_max = sizes["r_max"] * spread
    l1, l2 = mp.log(24 * s * a / delta), mp.log(1 + mp.mpf(count) / (s * a))
    l3 = mp.log(12 * s * a * (1 + mp.log(1 + mp.mpf(count))) / delta)
    plans = 1 + s * a * mp.log(1 + mp.mpf(steps) / (s * a), 2)
    inner = s * a * l2 * (55 * l1 / lambda_ + mp.mpf(496) / 3 * s * l3)
    return v_max * spread * (inner + mp.mpf(9) / 5 * plans + mp.mpf(36) / 5 * mp.log(6 / delta))


@given(PROBLEMS, st.floats(1, 1e18))
def test_regret_agrees_with_mpmath_to_twelve_digits(sizes, steps):
    found = theory.regret_bound(**sizes, steps=steps, replanning="doubling")
    with mp.workdps(40):
        s, a, discount = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "discount"))
        l1, l2 = mp.log(24 * s * a / mp.mpf(sizes["delta"])), mp.log(1 + mp.mpf(steps) / (s * a))
        lambda_ = min(1, 3 * mp.sqrt(s * a * l1 * l2 / (mp.mpf(steps) * (1 - discount))))
        v_max = sizes["r_max"] / (1 - discount)
        expected = mp.mpf(15) / 4 * lambda_ * v_max * steps
        expected += mp_error_sum(sizes, steps, steps, lambda_)
        assert float(abs(found.total / expected - 1)) < 1e-12


@settings(max_examples=30)
@given(PROBLEMS, st.floats(0.001, 1), st.floats(0, 40))
def test_sample_complexity_agrees_with_mpmath(sizes, share, power):
    epsilon, steps = share * sizes["r_max"] / (1 - sizes["discount"]), 10**power
    found = theory.sample_complexity_bound(
        **sizes, epsilon=epsilon, replanning="doubling", steps=steps
    )
    with mp.workdps(40):
        lambda_ = 2 * mp.mpf(epsilon) * (1 - mp.mpf(sizes["discount"])) / (15 * sizes["r_max"])

        def excess(count):
            return 2 / mp.mpf(epsilon) * mp_error_sum(sizes, count, steps, lambda_) - count

        high = mp.mpf(2)
        while excess(high) >= 0:
            high *= 2
        low = high / 2
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) >= 0 else (low, middle)
        if low < steps:
            assert float(abs((found.total + 0.5) / low - 1)) < 1e-11 + 1 / float(low)


def mp_lasting(sizes, epsilon, k, count, more):
    """F_k(count, more)."""
    s, a, delta = (mp.mpf(sizes[name]) for name in ("n_states", "n_actions", "delta"))
    spread = 1 / (1 - mp.mpf(sizes["discount"]))
    v_max = sizes["r_max"] * spread
    l1, l2 = mp.log(24 * s * a / delta), mp.log(1 + count / (s * a))
    l3 = mp.log(12 * s * a * (1 + mp.log(1 + count)) / delta)
    inner = s * a * l2 * (55 * l1 * 15 * v_max / (2 * epsilon) + mp.mpf(496) / 3 * s * l3)
    inner += mp.mpf(9) / 5 * (1 + s * a * mp.log(1 + more / (s * a), 2))
    inner += mp.mpf(36) / 5 * (mp.log(12 / delta) + k * mp.log(2))
    return 3**k * 4 * v_max * spread / epsilon * inner


def mp_largest(bound):
    high = mp.mpf(2)
    while bound(high) >= high:
        high *= 2
    low = high / 2
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if bound(middle) >= middle else (low, middle)
    return low


@settings(max_examples=25, deadline=None)
@given(PROBLEMS, st.floats(1e-6, 1))
def test_what_holds_for_ever_agrees_with_mpmath_and_with_its_induction(sizes, share):
    epsilon = share * sizes["r_max"] / (1 - sizes["discount"])
    found = theory.sample_complexity_bound(**sizes, epsilon=epsilon, replanning="doubling")
    with mp.workdps(40):
        epsilon, pairs = mp.mpf(epsilon), sizes["n_states"] * sizes["n_actions"]
        most = mp_largest(lambda n: mp_lasting(sizes, epsilon, 0, n, 9 * n))
        assert most >= 20 * pairs
        expected = mp_largest(lambda n: mp_lasting(sizes, epsilon, 0, n, 9 * most))
        assert float(abs((found.total + 0.5) / expected - 1)) < 1e-11 + 1 / float(expected)
        assert expected <= most
        for k in (1, 2, 3, 10, 40):  # step 11.3
            assert mp_lasting(sizes, epsilon, k, 9**k * most, 9 ** (k + 1) * most) <= 9**k * most
        shares = [mp_lasting(sizes, epsilon, 0, n * pairs, 9 * most) / n for n in (20, 30, 99, 9e9)]
        assert shares == sorted(shares, reverse=True)


@given(PROBLEMS, st.floats(0.001, 0.999))
def test_with_t_the_bound_grows_and_without_it_no_moment_is_late(sizes, share):
    epsilon = share * sizes["r_max"] / (1 - sizes["discount"])
    bound = {"epsilon": epsilon, "replanning": "doubling"} | sizes
    early, late = (theory.sample_complexity_bound(**bound, steps=t).total for t in (1e30, 1e50))
    assert late > early
    assert theory.sample_complexity_bound(**bound).total < 3 * early


@given(PROBLEMS, st.floats(1, 1e18))
def test_the_proved_bound_is_not_above_what_the_paper_prints(sizes, steps):
    """Without resistance, and where the printed bound says something at all."""
    proved = theory.regret_bound(**sizes, steps=steps, replanning="doubling")
    printed = theory.regret_bound(**sizes, steps=steps)
    if proved.lambda_ < 1:
        assert proved.guided + proved.learning <= printed.guided + printed.learning
        assert proved.total <= printed.total
    assert proved.lower_order <= printed.lower_order


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"replanning": "weekly"}, "unknown replanning 'weekly'; choose one of"),
        ({"replanning": "doubling", "resistance_share": 0.1}, "must be 0, got 0.1"),
        (
            {"replanning": "doubling", "horizon": 5, "discount": None, "steps": None}
            | {"episodes": 9},
            "needs a discounted problem; .* got horizon=5",
        ),
    ],
)
def test_a_bound_for_a_plan_that_it_does_not_cover_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        theory.regret_bound(**SIZES | {"steps": 100} | settings)


def test_sample_complexity_says_which_theorem_takes_steps():
    with pytest.raises(ValueError, match="replanning='doubling' only, got steps=9"):
        theory.sample_complexity_bound(**SIZES, epsilon=1.0, steps=9)
