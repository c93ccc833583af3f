import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from tests.beliefs.dense import Case, cases

TABLES = ("weights", "background", "mean_reward", "transition_uncertainty", "reward_uncertainty")


def assert_same_bits(one, other):
    for table in TABLES:
        got, expected = getattr(one, table), getattr(other, table)
        np.testing.assert_array_equal(got, expected, err_msg=table, strict=True)


def assert_matches(case, predictive, exactly_measured):
    def close(got, expected):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-13)

    close(
        predictive.mean_mdp(predictive.mean_reward.copy()).transition_matrix(), case.transitions()
    )
    close(predictive.mean_reward, case.mean_reward())
    close(predictive.reward_uncertainty, case.reward_uncertainty())
    close(predictive.transition_uncertainty, exactly_measured)


@given(cases())
def test_tables_are_the_papers_formulas_on_dense_arrays(case):
    assert_matches(case, PosteriorPredictive(case.belief()), case.transition_variance())


@given(cases())
def test_mutual_information_changes_the_transition_uncertainty_only(case):
    predictive = PosteriorPredictive(case.belief(), mutual_information=True)
    assert_matches(case, predictive, case.mutual_information())


@given(cases())
def test_rows_sum_to_one_and_terminal_rows_stay_certain(case):
    predictive = PosteriorPredictive(case.belief())
    sums = predictive.weights.sum(axis=-1) + case.n_states * predictive.background
    np.testing.assert_allclose(sums, 1.0, rtol=1e-12)
    dense = predictive.mean_mdp(predictive.mean_reward.copy()).transition_matrix()
    for state in case.terminal_states:
        np.testing.assert_array_equal(dense[state], np.eye(case.n_states)[[state] * case.n_actions])
        for table in TABLES[1:]:
            np.testing.assert_array_equal(getattr(predictive, table)[state], 0.0, err_msg=table)


@settings(max_examples=200)
@given(cases(max_steps=40), st.randoms(use_true_random=False), st.booleans())
def test_refreshing_rows_equals_refreshing_all_bit_for_bit(case, random, mutual_information):
    """Whoever updates the belief, by one or by many, and whenever the tables are refreshed."""
    belief = case.prior()
    followed = PosteriorPredictive(belief, mutual_information)
    left = list(case.history)
    while left:
        size = random.choice([1, 1, 1, 2, 5, 20])
        chunk, left = left[:size], left[size:]
        if random.random() < 0.3:
            belief.update_batch(*zip(*chunk, strict=True))
        else:
            for transition in chunk:
                belief.update(*transition)
        if random.random() < 0.8:
            followed.refresh()
            assert_same_bits(followed, PosteriorPredictive(belief.copy(), mutual_information))
    followed.refresh()
    assert_same_bits(followed, PosteriorPredictive(belief.copy(), mutual_information))


def test_one_observation_touches_one_row_only():
    """Tables set to nonsense elsewhere stay so: the refresh does not recompute what is current."""
    case = Case(20, 2, 0.1, "normal-gamma", "outcome", ())
    belief = case.prior()
    predictive = PosteriorPredictive(belief)
    predictive.mean_reward[:] = np.nan
    belief.update(3, 1, 2.0, 4)
    predictive.refresh()
    assert np.flatnonzero(np.isfinite(predictive.mean_reward)).tolist() == [3 * 2 + 1]


def test_a_tied_prior_refreshes_every_row():
    belief = eu.Belief(eu.TiedDirichletTransitions(9, 2), eu.NormalGammaRewards(9, 2), (0, 8))
    predictive = PosteriorPredictive(belief)
    belief.update(4, 1, 0.0, 5)
    predictive.refresh()
    assert_same_bits(predictive, PosteriorPredictive(belief.copy()))
    dense = predictive.mean_mdp(predictive.mean_reward.copy()).transition_matrix()
    np.testing.assert_allclose(dense[2, 1, 1:4], [0.25, 0.25, 0.5])
    np.testing.assert_array_equal(dense[[0, 8], 1], np.eye(9)[[0, 8]])


def test_beliefs_of_ones_own_are_asked_themselves():
    """Compiled rows know only this package's formulas: here all rows come from the classes."""

    class Sure(eu.NormalGammaRewards):
        def posterior_of(self, n, mean, beta):
            return mean + 1.0, 0.0 * beta

    class Sticky(eu.DirichletTransitions):
        def all_parameters(self):
            return super().all_parameters()._replace(alpha=0.0)

    class Careful(eu.Belief):
        def predict(self):
            row, weights, background, mean, uncertainty = super().predict()
            return row, weights, background, mean - uncertainty, uncertainty

    usual = eu.DirichletTransitions(9, 2), eu.NormalGammaRewards(9, 2)
    for belief in [
        eu.Belief(usual[0].copy(), Sure(9, 2)),
        eu.Belief(Sticky(9, 2), usual[1].copy()),
        Careful(*usual),
    ]:
        predictive = PosteriorPredictive(belief)
        belief.update(4, 1, 0.5, 5)
        predictive.refresh()
        assert_same_bits(predictive, PosteriorPredictive(belief.copy()))
        assert predictive.mean_reward[4, 1] != predictive.mean_reward[3, 1]


@given(cases(min_steps=1))
def test_the_mean_mdp_does_not_change_when_the_belief_does(case):
    belief = case.prior()
    predictive = PosteriorPredictive(belief)
    before = predictive.mean_mdp(predictive.mean_reward.copy())
    dense, rewards = before.transition_matrix(), before.rewards.copy()
    for transition in case.history:
        belief.update(*transition)
        predictive.refresh()
    np.testing.assert_array_equal(before.transition_matrix(), dense)
    np.testing.assert_array_equal(before.rewards, rewards)


def test_known_rewards_of_impossible_outcomes_are_nothing():
    """Two outcomes pay, the other two states are impossible: r_b = Σ P_b r counts them as 0."""
    rewards = np.zeros((4, 1, 2))
    successors = np.zeros((4, 1, 2), dtype=int)
    rewards[1, 0], successors[1, 0] = [6.0, 2.0], [2, 3]
    belief = eu.Belief(eu.DirichletTransitions(4, 1, 0.5), eu.KnownRewards(rewards, successors))
    predictive = PosteriorPredictive(belief)
    assert predictive.mean_reward[1, 0] == pytest.approx((6 + 2) / 4)
    belief.update(1, 0, 6.0, 2)
    predictive.refresh()
    assert predictive.mean_reward[1, 0] == pytest.approx((1.5 * 6 + 0.5 * 2) / 3)
    np.testing.assert_array_equal(predictive.reward_uncertainty, 0.0)


def test_reward_tables_are_what_sampling_says():
    """r_b and E_R by Monte Carlo over the posterior, at 5 standard errors.

    E_R(s,a) is the expectation of E_R(s,a,s') over P_b, so it is sampled in two stages.
    """
    case = Case(3, 1, 0.5, "normal-gamma", "outcome", ())
    case.history = [(0, 0, 1.0, 1), (0, 0, 3.0, 1), (0, 0, -2.0, 2), (0, 0, 1.5, 1)]
    predictive = PosteriorPredictive(case.belief())
    rng = np.random.default_rng(5)
    next_states = rng.choice(3, size=400_000, p=case.transitions()[0, 0])
    deviations = np.empty(len(next_states))
    means = np.empty(len(next_states))
    for next_state in range(3):
        rewards = np.array([r for _, _, r, s2 in case.history if s2 == next_state])
        n = len(rewards)
        scale, shape = case.lambda0 + n, case.alpha0 + n / 2
        centre = (case.lambda0 * case.mu0 + rewards.sum()) / scale
        # β by its other form: β0 + ½ (Σr² + λ0 μ0² − λ μ²)
        squares = (rewards**2).sum() + case.lambda0 * case.mu0**2 - scale * centre**2
        rate = case.beta0 + squares / 2
        here = next_states == next_state
        precision = rng.gamma(shape, 1 / rate, size=here.sum())
        means[here] = centre + rng.normal(size=here.sum()) / np.sqrt(scale * precision)
        # Given the precision, the mean's variance is 1 / (scale · precision): less noise.
        deviations[here] = 1 / (scale * precision)
    assert abs(means.mean() - predictive.mean_reward[0, 0]) < 5 * stats.sem(means)
    assert abs(deviations.mean() - predictive.reward_uncertainty[0, 0]) < 5 * stats.sem(deviations)


@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize(
    "tell",
    [
        lambda belief: belief.transitions.update(1, 1, 2),
        lambda belief: belief.rewards.update(1, 1, 0, 5.0),
        lambda belief: belief.rewards.update_batch(1, 1, 0, [5.0, 4.0]),
        lambda belief: [belief.transitions.prepare(0, 0, state) for state in range(8)],
    ],
)
def test_what_is_told_past_the_belief_is_seen(tell, learns):
    belief = eu.Belief(eu.DirichletTransitions(9, 2), eu.NormalGammaRewards(9, 2))
    predictive = PosteriorPredictive(belief)
    tell(belief)
    if learns:
        belief.update(4, 1, 0.5, 5)
    predictive.refresh()
    assert_same_bits(predictive, PosteriorPredictive(belief.copy()))
