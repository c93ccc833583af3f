"""Inequalities that the paper states as always true within its proofs, in random cases."""

from math import floor, log, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from mpmath import log as mp_log
from mpmath import mpf

from eubrl_edu import theory
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.mdp import MDP
from tests.theory import mp_paper as paper
from tests.theory.test_stopping import SEQUENCES, STAYS

SEEDS = st.integers(0, 10**6)
DISCOUNTS = st.floats(0, 0.99)
S = 4


@given(SEEDS, DISCOUNTS)
def test_both_operators_are_affine_and_so_monotone_contractions(seed, discount):
    """T₁, with the γ that its printed difference lacks, and T₂: an offset and γPV."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(S, 0.3), size=S)
    offset, below, more = rng.normal(size=S), rng.normal(size=S), rng.random(S)

    def operator(values):
        return offset + discount * rows @ values

    low, high = operator(below), operator(below + more)
    np.testing.assert_allclose(high, low + discount * rows @ more, atol=1e-12)
    assert (low <= high + 1e-12).all()
    assert np.abs(high - low).max() <= discount * more.max() + 1e-12


@given(SEEDS, DISCOUNTS, st.floats(-3, 1))
def test_conditions_1_to_3_give_the_bound_of_accuracy(seed, discount, scale):
    """ΔV ≤ T₂ΔV and ΔV ≤ D + 2V↑ give ΔV ≤ D + 2J ("Boundedness of Accuracy", discounted).

    The largest ΔV of all that meet both conditions is found by iterating the lesser of their right
    sides from above.
    """
    rng = np.random.default_rng(seed)
    rows, v_max = rng.dirichlet(np.full(S, 0.3), size=S), 1 / (1 - discount)
    d = v_max * rng.uniform(-6 / 7, 1, size=S)
    beta = v_max * 10**scale * rng.random(S)
    world = MDP.from_dense(rows[:, None], np.zeros((S, 1)))
    policy = np.zeros(S, dtype=int)
    j = theory.bellman_like(world, policy, beta[:, None], discount, v_max)
    g = beta + discount * rows @ j

    def operator(values):
        return d - discount * rows @ d + 2 * beta + discount * rows @ values

    np.testing.assert_allclose(operator(d + 2 * j), d + 2 * g, atol=1e-9 * v_max)  # Condition 2
    largest = d + 2 * v_max
    for _ in range(3000):
        largest = np.minimum(operator(largest), d + 2 * v_max)
    assert (largest <= d + 2 * j + 1e-9 * v_max).all()


@given(st.one_of(SEQUENCES, STAYS), SEEDS, DISCOUNTS)
def test_harmonic_sums_with_resistance(pairs, seed, discount):
    """The lemma on Σ γ^l ρ^t ("State-action Dependent λ"), each ρ with the 𝕽 of its own pair."""
    rng = np.random.default_rng(seed)
    n_pairs, end, l1 = max(pairs) + 1, len(pairs), 3.0
    chosen, best = rng.random((2, end, n_pairs)) ** rng.choice([0.1, 1.0, 10.0])
    offsets = theory.stopping_times(pairs).offsets
    total = 0.0
    for t in range(end):
        for ahead in range(offsets[t]):
            pair = pairs[t + ahead]
            resistance = theory.epistemic_resistance(chosen[t, pair], best[t, pair])
            visits = pairs[:t].count(pair)
            total += discount**ahead * sqrt(4.5 - resistance) * l1 / visits
    least = np.ones(n_pairs)
    for pair in range(n_pairs):
        visited = np.flatnonzero(np.array(pairs) == pair)
        if len(visited) >= 2:
            until = visited[-1] + 1
            least[pair] = np.minimum(chosen[:until, pair], best[:until, pair]).min()
    factor = theory.guidance_factor(least[:, None])
    bound = 3 * sqrt(2) * l1 / (1 - discount) * factor * log(1 + end / factor)
    assert total <= bound * (1 + 1e-12)


@given(
    n_states=st.integers(1, 200), n_actions=st.integers(1, 20), delta=st.floats(1e-12, 1),
    discount=st.floats(0, 0.9999), r_max=st.floats(0.01, 100), share=st.floats(1e-9, 1),
)  # fmt: skip
def test_steps_to_w_of_t0(n_states, n_actions, delta, discount, r_max, share):
    """The logarithms that the proof of W(T0) < T0 bounds on its way ("Sample Complexity")."""
    epsilon = share * r_max / (1 - discount) * (1 - 1e-12)
    sizes = n_states, n_actions, delta, discount, r_max
    t0 = paper.t0(*sizes, epsilon)
    of_t0 = paper.discounted_terms(*sizes, T=t0, eps=epsilon)
    b, pairs = of_t0["b"], n_states * n_actions
    per_pair = pairs / mpf(delta)
    horizons = mpf(r_max) / (mpf(epsilon) * (1 - mpf(discount)) ** 2)  # V↑ / (ε(1 − γ))
    assert 1 <= b <= 13 * n_states * per_pair * horizons**2
    assert 1 < of_t0["l5"] <= 5 * b
    assert 3670 * pairs <= t0 <= 3670 * b * pairs * of_t0["l5"]
    assert 1 <= of_t0["l2"] <= 2 * of_t0["l5"]
    assert of_t0["l1"] <= 4 * per_pair
    assert of_t0["l6"] <= horizons
    assert mp_log(t0) <= 15 * per_pair * (1 + mp_log(horizons))
    assert of_t0["l3"] <= 2 * of_t0["l1"] + of_t0["l6"]


@given(SEEDS, st.integers(1, 40), st.floats(0.01, 10), st.floats(0.1, 10), st.floats(-2, 2))
def test_bias_of_a_prior(seed, visits, alpha, tau0, mu0):
    """|(P_b − P)V*| and |r_b − r| by the frequentist error and the prior's, with C_g and C_s.

    ("From Frequentist to Bayesian", in the proof on prior-dependent bounds.)
    """
    rng = np.random.default_rng(seed)
    true, v_max, mean = rng.dirichlet(np.full(S, 0.05)), 5.0, rng.random()
    values = v_max * rng.integers(0, 2, size=S)  # tight at the corners
    reached = rng.choice(S, size=visits, p=true)
    paid = (rng.random(visits) < mean).astype(float)
    rewards = NormalRewards(S, 1, mu0=mu0, tau0=tau0, tau=2.0, on="action")
    belief = Belief(DirichletTransitions(S, 1, alpha), rewards)
    constants = theory.classify_prior(belief, r_max=1.0)
    belief.update_batch([0] * visits, [0] * visits, paid, reached)

    posterior = (alpha + np.bincount(reached, minlength=S)) / (alpha * S + visits)
    luck = abs((np.bincount(reached, minlength=S) / visits - true) @ values)
    bias = constants.transition_constant * np.abs(1 / S - true).sum() * v_max * S / visits
    assert abs((posterior - true) @ values) <= luck + bias + 1e-12
    average = (tau0 * mu0 + 2.0 * paid.sum()) / (tau0 + 2.0 * visits)
    bias = constants.reward_constant * abs(mu0 - mean) / visits
    assert abs(average - mean) <= abs(paid.mean() - mean) + bias + 1e-12


@given(SEEDS, st.floats(0.1, 10))
def test_variance_of_a_square(seed, largest):
    """Var(Y²) ≤ 4C² Var(Y) for Y in [0, C], which bounds Z_t in "Bounding I₂"."""
    rng = np.random.default_rng(seed)
    y = largest * rng.random(S) ** rng.choice([0.01, 1.0, 10.0])
    p = rng.dirichlet(np.full(S, 0.3))
    variance, of_square = (p @ x**2 - (p @ x) ** 2 for x in (y, y**2))
    assert of_square <= 4 * largest**2 * variance + 1e-9 * largest**4


@given(st.floats(0.01, 500), st.integers(1, 2000), st.floats(5 / 16, 1, exclude_min=True))
def test_averages_that_are_left(alpha, ahead, worse_mean):
    """s, g and the squared margin of "Bounding S₂" and "Bounding S₁", at n = ⌊α⌋ + ahead and n ≤ α.

    A_n with k = α/n, as the errata have it.
    """
    s = theory.sufficient_estimate(alpha)
    assert 1 / 16 < s < 5 / 16
    n = floor(alpha) + ahead
    k, g = alpha / n, theory.sufficient_average(alpha, n, s)
    assert 1 / 16 - 7 / 8 * k - 1e-12 <= g <= 5 / 16 - 3 / 8 * k + 1e-12
    assert -13 / 16 < g < 5 / 16
    assert (worse_mean - g) ** 2 >= (worse_mean - 5 / 16) ** 2
    early = max(1, min(ahead, floor(alpha)))
    exponent = 2 * early * (worse_mean - theory.sufficient_average(alpha, early, s)) ** 2
    assert exponent >= 9 / 32 / early * alpha**2 * (1 - 1e-12)
