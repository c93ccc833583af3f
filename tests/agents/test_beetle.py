import itertools
from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu.agents import BEETLE, UnknownDynamics, plan_offline
from eubrl_edu.agents.beetle import _plan_offline
from eubrl_edu.agents.beetle_planning import iterate_values, sample_histories
from eubrl_edu.agents.beetle_polynomials import Monomials
from eubrl_edu.planning import evaluate_policy, solve

CHAIN = eu.make_env("chain")
CHAIN_FULL = UnknownDynamics.independent(CHAIN.model.successors, CHAIN.successor_rewards)
CHAIN_TIED = UnknownDynamics.shared(CHAIN.outcome_states, CHAIN.outcome_rewards)

# Two states, two actions, every transition with a reward of its own.
FOUR_ROWS = UnknownDynamics.independent(
    np.broadcast_to([0, 1], (2, 2, 2)), np.array([[[0, 1], [3, 0]], [[2, 0], [0, 5]]])
)
# The same with two unknown probabilities: an action has its effect or the other's.
SLIPPERY = UnknownDynamics.shared([[[0, 1], [1, 0]]] * 2, [[[0, 1], [3, 0]], [[2, 0], [0, 5]]])


def all_exponents(n_unknown, degree):
    """The exponents of all monomials up to a degree; the constant first."""
    every = itertools.product(range(degree + 1), repeat=n_unknown)
    return np.array(sorted((m for m in every if sum(m) <= degree), key=sum), dtype=float)


def chance_of_history(dynamics, dirichlet, exponents):
    """E_b[Π θ^m] as the chance of drawing that history, one observation after the other."""
    dirichlet, chance = dirichlet.copy(), 1.0
    for j, times in enumerate(exponents):
        for _ in range(int(times)):
            of_simplex = dirichlet[dynamics.simplex == dynamics.simplex[j]]
            chance *= dirichlet[j] / of_simplex.sum()
            dirichlet[j] += 1
    return chance


@given(st.data())
def test_expectations_are_chances_of_histories(data):
    exponents = np.array(data.draw(st.lists(st.integers(0, 4), min_size=8, max_size=8)))
    positive = st.floats(0.05, 20)
    prior, dirichlet = (
        np.array(data.draw(st.lists(positive, min_size=8, max_size=8))) for _ in range(2)
    )
    monomials = Monomials(FOUR_ROWS, exponents[None].astype(float), prior)
    expected = chance_of_history(FOUR_ROWS, dirichlet, exponents)
    scale = chance_of_history(FOUR_ROWS, prior, exponents)
    np.testing.assert_allclose(monomials.expectations(dirichlet), expected / scale, rtol=1e-9)
    one_more = exponents + np.eye(8, dtype=int)
    expected = [chance_of_history(FOUR_ROWS, dirichlet, more) / scale for more in one_more]
    np.testing.assert_allclose(monomials.products(dirichlet)[:, 0], expected, rtol=1e-9)


def test_expectations_against_monte_carlo():
    """Within four standard errors of a million draws, with a fixed seed."""
    rng = np.random.default_rng(0)
    dirichlet = np.array([0.5, 1.0, 2.0, 3.0, 1.0, 4.0, 2.5, 0.7])
    exponents = np.array([[0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 2, 1, 0, 3, 0, 1]], dtype=float)
    theta = np.hstack([rng.dirichlet(dirichlet[row : row + 2], 10**6) for row in (0, 2, 4, 6)])
    monomials = Monomials(FOUR_ROWS, exponents, np.ones(8))
    scale = [chance_of_history(FOUR_ROWS, np.ones(8), m) for m in exponents]
    drawn = np.prod(theta[:, None] ** exponents, axis=-1) / scale
    error = 4 * drawn.std(axis=0) / 1000 + 1e-12
    assert (np.abs(drawn.mean(axis=0) - monomials.expectations(dirichlet)) < error).all()
    products = theta[:, 3, None] * drawn
    error = 4 * products.std(axis=0) / 1000
    assert (np.abs(products.mean(axis=0) - monomials.products(dirichlet)[3]) < error).all()


def test_expectations_at_posteriors_are_scalar_products_under_the_prior():
    """E_{b_i}[φ_j] = E_prior[φ_i φ_j], which makes the projection that of the 2006 paper."""
    exponents, prior = all_exponents(8, 2), np.full(8, 0.7)
    monomials = Monomials(FOUR_ROWS, exponents, prior)
    scale = np.array([chance_of_history(FOUR_ROWS, prior, m) for m in exponents])
    at_posteriors = np.array([monomials.expectations(prior + m) for m in exponents])
    for i, j in [(3, 7), (10, 10), (44, 20), (0, 5)]:
        together = chance_of_history(FOUR_ROWS, prior, exponents[i] + exponents[j])
        assert at_posteriors[i, j] == pytest.approx(together / scale[i] / scale[j])


def bayes_adaptive_q(dynamics, prior, discount, horizon, ends=()):
    """Q(s, a) of a learner with so many steps to go, by trying everything that can happen."""
    n_states, n_actions, n_outcomes = dynamics.rewards.shape
    simplexes = [np.flatnonzero(dynamics.simplex == g).tolist() for g in dynamics.simplex]

    @cache
    def q(state, action, belief, left):
        worth = 0.0
        for k in range(n_outcomes):
            j = int(dynamics.unknown[state, action, k])
            likely = belief[j] / sum(belief[i] for i in simplexes[j])
            following = int(dynamics.next_states[state, action, k])
            after = (*belief[:j], belief[j] + 1, *belief[j + 1 :])
            later = 0.0
            if left > 1 and following not in ends:
                later = max(q(following, a, after, left - 1) for a in range(n_actions))
            worth += likely * (dynamics.rewards[state, action, k] + discount * later)
        return worth

    return np.array([[q(s, a, tuple(prior), horizon) for a in range(2)] for s in range(n_states)])


@pytest.mark.parametrize(
    ("dynamics", "horizon"),
    [(FOUR_ROWS, 1), (FOUR_ROWS, 2), (FOUR_ROWS, 3), (SLIPPERY, 1), (SLIPPERY, 4), (SLIPPERY, 6)],
)
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_values_are_those_of_bayes_adaptive_dynamic_programming(dynamics, horizon, alpha):
    """With every monomial that back-ups can make, nothing is lost in the projection."""
    prior = np.full(dynamics.n_unknown, alpha)
    exponents = all_exponents(dynamics.n_unknown, horizon)
    monomials = Monomials(dynamics, exponents, prior)
    # The last of the steps is the look ahead; with rewards from 0 on, values start from 0.
    values = iterate_values(monomials, prior + exponents, 0.9, max(horizon - 1, 0))
    expected = bayes_adaptive_q(dynamics, prior, 0.9, horizon)
    np.testing.assert_allclose(values.action_values(prior), expected, rtol=1e-5)


def test_nothing_follows_a_terminal_state():
    ended = UnknownDynamics(
        SLIPPERY.next_states, SLIPPERY.rewards, SLIPPERY.unknown, SLIPPERY.simplex, (1,)
    )
    exponents = all_exponents(2, 5)
    values = iterate_values(Monomials(ended, exponents, np.ones(2)), 1 + exponents, 0.9, 4)
    expected = bayes_adaptive_q(ended, np.ones(2), 0.9, 5, ends=(1,))
    q = values.action_values(np.ones(2))
    np.testing.assert_allclose(q[0], expected[0], rtol=1e-5)
    assert not q[1].any()


def test_learning_is_worth_something():
    """A learner in the brute-force oracle earns more than who plans in the mean MDP."""
    exponents = all_exponents(8, 3)
    values = iterate_values(Monomials(FOUR_ROWS, exponents, np.ones(8)), 1 + exponents, 0.9, 2)
    mean_mdp = FOUR_ROWS.mean_mdp(np.ones(8))
    certain = eu.backward_induction(mean_mdp, 3, 0.9).q[0]
    assert (values.action_values(np.ones(8)) > certain + 0.01).any()
    assert (values.action_values(np.ones(8)) > certain - 1e-6).all()


@pytest.fixture(scope="module")
def tied_chain():
    return plan_offline(CHAIN_TIED)


def chain_with_slip(slip):
    return CHAIN_TIED.mean_mdp(np.array([1 - slip, slip]))


@pytest.mark.long
def test_the_tied_plan_lies_between_what_is_certainly_possible_and_impossible(tied_chain):
    """Above one policy for all worlds, below knowing the world; 1% is left to the projection."""
    slips = (np.arange(50) + 0.5) / 50
    value = tied_chain.action_values(np.ones(2)).max(axis=1)
    knowing = np.mean([solve(chain_with_slip(slip), 0.95).v for slip in slips], axis=0)
    policies = [np.array(policy) for policy in itertools.product((0, 1), repeat=5)]
    fixed = [
        np.mean([evaluate_policy(chain_with_slip(slip), policy, 0.95) for slip in slips], axis=0)
        for policy in policies
    ]
    assert (value < 1.01 * knowing).all()
    assert (value > 0.99 * np.max(fixed, axis=0)).all()
    assert value[0] > 1.2 * np.max(fixed, axis=0)[0]


@pytest.mark.parametrize("slip", [0.1, 0.2, 0.5, 0.8, 0.95])
def test_who_has_seen_much_values_the_tied_chain_as_it_is(tied_chain, slip):
    value = tied_chain.action_values(1 + 120 * np.array([1 - slip, slip])).max(axis=1)
    np.testing.assert_allclose(value, solve(chain_with_slip(slip), 0.95).v, rtol=0.05)


@pytest.mark.long
def test_with_one_unknown_it_earns_nearly_the_most_there_is(tied_chain):
    """The optimum is 3664 in 1000 steps; a run deviates by about 230 (14 runs: 60 on average)."""
    returns = [eu.simulate(BEETLE(tied_chain), CHAIN, 1000, s).rewards.sum() for s in range(14)]
    assert 3664 - 300 < np.mean(returns) < 3664 + 300


def test_the_full_plan_of_chain_is_of_a_sound_size():
    """A rough plan: below knowing the world, above what a learner gets who never looks."""
    values = _plan_offline(CHAIN_FULL, 1.0, 0.95, n_histories=8, n_monomials=40)
    q = values.action_values(np.ones(50))
    rng = np.random.default_rng(0)
    worlds = rng.dirichlet(np.ones(5), size=(300, 5, 2))
    rewards = (worlds * CHAIN_FULL.rewards).sum(axis=-1)
    knowing = np.mean(
        [solve(eu.MDP.from_dense(p, r), 0.95).v for p, r in zip(worlds, rewards, strict=True)],
        axis=0,
    )
    certain = solve(CHAIN_FULL.mean_mdp(np.ones(50)), 0.95).v
    assert (q.max(axis=1) < knowing).all()
    assert (q.max(axis=1) > 0.9 * certain).all()


@pytest.mark.long
@pytest.mark.parametrize("dynamics", [CHAIN_TIED, FOUR_ROWS])
def test_another_rounding_gives_the_same_plan(monkeypatch, dynamics):
    """As of another processor, or of more of its cores: they add up in another order."""
    prior = np.ones(dynamics.n_unknown)
    histories = sample_histories(dynamics, prior, 0.95, 24, np.random.default_rng(0))
    monomials = Monomials(dynamics, histories[:100], prior)
    plan = iterate_values(monomials, prior + histories, 0.95, 100)
    rng, exact = np.random.default_rng(0), np.linalg.pinv

    def rounded_otherwise(*arguments, **options):
        found = exact(*arguments, **options)
        return found * (1 + 1e-14 * rng.standard_normal(found.shape))

    monkeypatch.setattr(np.linalg, "pinv", rounded_otherwise)
    again = iterate_values(monomials, prior + histories, 0.95, 100)
    assert [len(each) for each in again.coefficients] == [len(each) for each in plan.coefficients]
    np.testing.assert_allclose(again.action_values(prior), plan.action_values(prior), rtol=1e-8)


def test_histories_are_counts_of_what_can_happen_the_shortest_first():
    rng, prior = np.random.default_rng(0), np.ones(2)
    histories = sample_histories(CHAIN_TIED, prior, 0.95, 3, rng)
    lengths = histories.sum(axis=1)
    assert not histories[0].any()
    assert (np.diff(lengths) >= 0).all()
    assert set(lengths) == {0, 1, 2, 4, 8, 16, 32, 64, 128}
    assert len(np.unique(histories, axis=0)) == len(histories)


def test_a_step_updates_the_belief_and_looks_ahead(tied_chain):
    agent = BEETLE(tied_chain)
    agent.observe(0, 1, 0.0, 1, False)  # right went right
    agent.observe(1, 1, 2.0, 0, False)  # right slipped
    agent.observe(0, 0, 0.0, 1, False)  # left slipped
    np.testing.assert_array_equal(agent.dirichlet, [2, 3])
    np.testing.assert_array_equal(
        agent.current_plan.q, tied_chain.action_values(np.array([2.0, 3.0]))
    )
    dense = agent.current_plan.model.transition_matrix()
    np.testing.assert_allclose(dense[0, 1], [0.6, 0.4, 0, 0, 0])
    np.testing.assert_allclose(agent.current_plan.mean_reward[4], [0.4 * 2 + 0.6 * 10, 0.6 * 2 + 4])
    np.testing.assert_array_equal(BEETLE(tied_chain).dirichlet, [1, 1])


def test_a_plan_is_made_once_and_not_copied(tied_chain):
    again = UnknownDynamics.shared(CHAIN.outcome_states.copy(), CHAIN.outcome_rewards.copy())
    assert plan_offline(again) is tied_chain
    assert again != CHAIN_FULL
    assert deepcopy(BEETLE(tied_chain)).values is tied_chain


def test_impossible_transitions_and_terminal_states_are_refused(tied_chain):
    agent = BEETLE(tied_chain)
    with pytest.raises(ValueError, match=r"next_state must be one of \[0, 1\] after state 0"):
        agent.observe(0, 0, 0.0, 3, False)
    with pytest.raises(ValueError, match="state must be an integer from 0 to 4, got 9"):
        agent.observe(9, 0, 0.0, 3, False)
    np.testing.assert_array_equal(agent.dirichlet, [1, 1])
    ended = UnknownDynamics.shared([[[0, 1]], [[0, 1]]], np.ones((2, 1, 2)), terminal_states=[1])
    agent = BEETLE(plan_offline(ended))
    with pytest.raises(ValueError, match=r"must not be one of the terminal states \(1,\), got 1"):
        agent.observe(1, 0, 0.0, 0, False)


@pytest.mark.parametrize(
    ("next_states", "rewards", "message"),
    [
        ([[[0, 0]]], [[[1, 1]]], "next_states must differ among the outcomes of a pair"),
        ([[[0, 1]]], [[[1, 1]]], "next_states must be integers from 0 to 0, got"),
        ([[[0]]], [[[np.inf]]], "rewards must be an array of finite numbers, got"),
        ([[[0]]], [[[1, 1]]], r"must have the same shape \(S, A, K\), got"),
        (np.zeros((300, 2, 1), int), np.zeros((300, 2, 1)), "at most 500 .* got 300 · 2 · 1 = 600"),
    ],
)
def test_bad_dynamics(next_states, rewards, message):
    with pytest.raises(ValueError, match=message):
        UnknownDynamics.shared(next_states, rewards)


def test_a_world_too_large_is_refused_before_any_array_is_made():
    sea = eu.make_env("deepsea", size=50)
    with pytest.raises(ValueError, match=r"at most 500 .* got 2501 · 2 · 2501"):
        UnknownDynamics.independent(sea.model.successors, sea.successor_rewards)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0}, "alpha must be a finite number greater than 0, got 0"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\)"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        plan_offline(CHAIN_TIED, **settings)
