import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import eubrl_edu as eu

KINDS = {
    "normal-gamma": lambda **more: eu.NormalGammaRewards(3, 2, 0.5, 0.2, 1.8, 0.3, **more),
    "normal": lambda **more: eu.NormalRewards(3, 2, 0.5, 0.2, 3.0, **more),
    "bernoulli": lambda **more: eu.BetaBernoulliRewards(3, 2, 0.7, 1.5, **more),
}
REWARDS = [1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
AT = (1, 1, 0)


def learned(kind, rewards=tuple(REWARDS), **more):
    belief = KINDS[kind](**more)
    for reward in rewards:
        belief.update(*AT, reward)
    return belief


def marginal(kind, rewards=tuple(REWARDS)):
    """The posterior of the mean reward as scipy has it, from all rewards at once."""
    rewards = np.array(rewards)
    n = len(rewards)
    if kind == "normal":
        precision = 0.2 + 3.0 * n
        return stats.norm((0.2 * 0.5 + 3.0 * rewards.sum()) / precision, precision**-0.5)
    if kind == "bernoulli":
        return stats.beta(0.7 + rewards.sum(), 1.5 + n - rewards.sum())
    scale, shape = 0.2 + n, 1.8 + n / 2
    centre = (0.2 * 0.5 + rewards.sum()) / scale
    rate = 0.3 + ((rewards**2).sum() + 0.2 * 0.5**2 - scale * centre**2) / 2
    return stats.t(df=2 * shape, loc=centre, scale=np.sqrt(rate / (shape * scale)))


def likelihood(kind, mean, precision, rewards):
    """Log-likelihood of the rewards for a mean (and a precision) on a grid."""
    total = np.zeros(np.broadcast_shapes(np.shape(mean), np.shape(precision)))
    for reward in rewards:
        if kind == "bernoulli":
            total = total + np.log(mean if reward else 1 - mean)
        else:
            total = total + np.log(precision) / 2 - precision * (reward - mean) ** 2 / 2
    return total


@pytest.mark.parametrize("rewards", [[], [1.0], REWARDS])
@pytest.mark.parametrize("kind", KINDS)
def test_posterior_is_prior_times_likelihood(kind, rewards):
    """Integrated on a grid over the mean, and over the precision where it is unknown."""
    if kind == "bernoulli":
        # With p = x²(3 − 2x) the density's singular ends are mild.
        x = (np.arange(200_000) + 0.5) / 200_000
        mean = x**2 * (3 - 2 * x)
        log_prior = stats.beta(0.7, 1.5).logpdf(mean) + np.log(6 * x * (1 - x))
        log_posterior = log_prior + likelihood(kind, mean, None, rewards)
    elif kind == "normal":
        mean = np.linspace(-25, 25, 200_001)
        log_prior = stats.norm(0.5, 0.2**-0.5).logpdf(mean)
        log_posterior = log_prior + likelihood(kind, mean, 3.0, rewards)
    else:
        # mean = μ0 + z / √(λ0 τ), so that one grid of z serves every precision τ.
        log_precision = np.linspace(-14, 8, 500)[:, None]
        precision = np.exp(log_precision)
        z = np.linspace(-9, 9, 3001)
        mean = 0.5 + z / np.sqrt(0.2 * precision)
        log_prior = stats.norm.logpdf(z) + stats.gamma(1.8, scale=1 / 0.3).logpdf(precision)
        log_posterior = log_prior + log_precision + likelihood(kind, mean, precision, rewards)
    weight = np.exp(log_posterior - log_posterior.max())
    weight /= weight.sum()
    expected = (weight * mean).sum()
    variance = (weight * (mean - expected) ** 2).sum()

    got_mean, got_variance = learned(kind, rewards).posterior(AT)
    assert got_mean == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert got_variance == pytest.approx(variance, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_mean_and_variance_are_scipys(kind):
    mean, variance = learned(kind).posterior(AT)
    assert mean == pytest.approx(marginal(kind).mean(), rel=1e-12)
    assert variance == pytest.approx(marginal(kind).var(), rel=1e-12)
    prior_mean, prior_variance = KINDS[kind]().prior()
    assert prior_mean == pytest.approx(marginal(kind, []).mean(), rel=1e-12)
    assert prior_variance == pytest.approx(marginal(kind, []).var(), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_follow_the_posterior(kind):
    """Kolmogorov-Smirnov at 99.9%; the seed is fixed, so it is the same verdict each time."""
    belief, rng = learned(kind), np.random.default_rng(11)
    draws = np.stack(
        [belief.sample(rng, np.ones(belief.n.shape, dtype=bool)) for _ in range(20_000)]
    )
    assert draws.shape == (20_000, 3, 2, 1)
    assert stats.kstest(draws[:, *AT], marginal(kind).cdf).pvalue > 1e-3
    assert stats.kstest(draws[:, 0, 0, 0], marginal(kind, []).cdf).pvalue > 1e-3
    prior_draws = belief.sample_prior(rng, 20_000)
    assert stats.kstest(prior_draws, marginal(kind, []).cdf).pvalue > 1e-3
    # Draws for different outcomes are independent.
    correlation = np.corrcoef(draws.reshape(20_000, -1).T)
    assert np.abs(correlation - np.eye(6)).max() < 5 / np.sqrt(20_000)


REAL = st.floats(-100, 100)


@given(st.data(), st.sampled_from(sorted(KINDS)))
def test_one_by_one_and_in_batches_agree(data, kind):
    value = st.sampled_from([0.0, 1.0]) if kind == "bernoulli" else REAL
    batches = data.draw(st.lists(st.lists(value, min_size=1, max_size=8), max_size=6))
    one_by_one = learned(kind, [reward for batch in batches for reward in batch])
    batched = KINDS[kind]()
    for batch in batches:
        batched.update_batch(*AT, batch)
    np.testing.assert_array_equal(batched.n, one_by_one.n)
    for got, expected in zip(batched.posterior(), one_by_one.posterior(), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@given(st.permutations([3.0, -1.0, 0.0, 0.0, 7.5]))
def test_the_order_of_rewards_does_not_matter(rewards):
    for kind in ("normal-gamma", "normal"):
        for got, expected in zip(
            learned(kind, rewards).posterior(AT),
            learned(kind, sorted(rewards)).posterior(AT),
            strict=True,
        ):
            assert got == pytest.approx(expected, rel=1e-12)


def test_a_constant_reward_far_from_zero_keeps_its_spread_exact():
    """The textbook Σr² − n r̄² would lose everything here."""
    belief = eu.NormalGammaRewards(1, 1, mu0=1e8, lambda0=1.0, alpha0=2.0, beta0=1.0)
    for _ in range(50):
        belief.update(0, 0, 0, 1e8)
    mean, variance = belief.posterior((0, 0, 0))
    assert mean == 1e8
    assert variance == pytest.approx(1.0 / (51 * (2 + 25 - 1)), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_outcomes_are_separate_and_actions_are_pooled(kind):
    outcome, action = KINDS[kind](), KINDS[kind](on="action")
    for k, reward in enumerate([1.0, 0.0, 1.0]):
        outcome.update(0, 0, k, reward)
        action.update(0, 0, k, reward)
    for k, reward in enumerate([1.0, 0.0, 1.0]):
        assert outcome.posterior((0, 0, k))[0] == pytest.approx(marginal(kind, [reward]).mean())
    pooled = marginal(kind, [1.0, 0.0, 1.0])
    assert action.posterior((0, 0, 0))[0] == pytest.approx(pooled.mean())
    assert action.posterior((0, 0, 0))[1] == pytest.approx(pooled.var())
    assert action.posterior()[0].shape == (3, 2, 1)
    # Room that growing made holds the prior.
    assert outcome.posterior()[0][0, 0, 3] == outcome.prior()[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_independent_and_complete(kind):
    original = learned(kind, on="action")
    twin = original.copy()
    assert twin.on == "action"
    assert twin.prior() == original.prior()
    before = np.stack(original.posterior())
    np.testing.assert_array_equal(np.stack(twin.posterior()), before)
    twin.update(*AT, 1.0)
    np.testing.assert_array_equal(np.stack(original.posterior()), before)
    assert original.n.sum() == len(REWARDS)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("kind", "argument", "values", "message"),
    [
        (eu.NormalGammaRewards, "alpha0", (1, 0.5, NAN, INF), "finite number greater than 1"),
        (eu.NormalGammaRewards, "lambda0", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.NormalGammaRewards, "beta0", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.NormalGammaRewards, "mu0", (NAN, INF, "1"), "finite number"),
        (eu.NormalRewards, "tau0", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.NormalRewards, "tau", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.NormalRewards, "mu0", (NAN, INF), "finite number"),
        (eu.BetaBernoulliRewards, "alpha0", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.BetaBernoulliRewards, "beta0", (0, -1, NAN, INF), "finite number greater than 0"),
        (eu.NormalRewards, "n_states", (0, -1, 1.5), "integer of at least 1"),
        (eu.NormalGammaRewards, "n_actions", (0, -1, 1.5), "integer of at least 1"),
    ],
)
def test_bad_settings(kind, argument, values, message):
    for value in values:
        with pytest.raises(ValueError, match=f"{argument} must be an? {message}, got {value!r}"):
            kind(**{"n_states": 3, "n_actions": 2} | {argument: value})


@pytest.mark.parametrize("kind", [*KINDS.values()])
def test_an_unknown_place_for_rewards_is_answered_with_the_closest(kind):
    with pytest.raises(ValueError, match="unknown on 'actions'.*Did you mean 'action'"):
        kind(on="actions")


@pytest.mark.parametrize(
    ("kind", "reward", "message"),
    [
        ("normal-gamma", NAN, "reward must be a finite number, got nan"),
        ("normal", INF, "reward must be a finite number, got inf"),
        ("bernoulli", 0.5, "reward must be 0 or 1 .* got 0.5"),
        ("bernoulli", NAN, "reward must be 0 or 1 .* got nan"),
    ],
)
def test_a_reward_it_cannot_learn_from_changes_nothing(kind, reward, message):
    belief, untouched = learned(kind), learned(kind)
    for attempt in (
        lambda: belief.update(*AT, reward),
        lambda: belief.update_batch(*AT, [1.0, reward]),
    ):
        with pytest.raises(ValueError, match=message):
            attempt()
        np.testing.assert_array_equal(belief.n, untouched.n)
        np.testing.assert_array_equal(belief.posterior(), untouched.posterior())
