"""BeliefLab without a browser: its numbers against scipy, its controls over all their range."""

import io
import re

import ipywidgets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from scipy import stats

from eubrl_edu.labs import BeliefLab
from eubrl_edu.labs.belief.scene import (
    TRUE_DEVIATION,
    TRUE_MEAN_REWARD,
    TRUE_PROBABILITIES,
    Params,
    compute,
)

MODELS = ("Normal-Gamma", "Normal", "Beta-Bernoulli")
ANY_PARAMS = st.builds(
    Params,
    alpha=st.floats(-6, 2).map(lambda power: 10**power),
    reward_model=st.sampled_from(MODELS),
    mu0=st.floats(-2, 2),
    lambda0=st.floats(-2, 2).map(lambda power: 10**power),
    alpha0=st.floats(1.01, 100),
    beta0=st.floats(-4, 2).map(lambda power: 10**power),
    draws=st.integers(0, 300),
    seed=st.integers(0, 99),
    seen_a=st.integers(0, 5),
    seen_c=st.integers(0, 5),
    low_rewards=st.integers(0, 5),
    high_rewards=st.integers(0, 5),
)


@pytest.fixture
def lab():
    return BeliefLab(draws=10)


def pixels(lab) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def distribution_of_mean(params, rewards):
    """The posterior of the mean reward, from textbook formulas over all rewards at once."""
    n = len(rewards)
    total = float(np.sum(rewards))
    if params.reward_model == "Beta-Bernoulli":
        return stats.beta(params.alpha0 + total, params.beta0 + n - total)
    precision = params.lambda0 + n
    mean = (params.lambda0 * params.mu0 + total) / precision
    if params.reward_model == "Normal":
        return stats.norm(mean, TRUE_DEVIATION / np.sqrt(precision))
    shape = params.alpha0 + n / 2
    rate = (
        params.beta0
        + (np.sum(np.square(rewards)) + params.lambda0 * params.mu0**2 - precision * mean**2) / 2
    )
    return stats.t(2 * shape, mean, np.sqrt(rate / (shape * precision)))


@given(ANY_PARAMS)
def test_the_error_of_a_mean_is_the_sum_of_its_two_parts(params):
    state = compute(params)
    for error, mean, truth in (
        (state.transition_error, state.transition_means, TRUE_PROBABILITIES),
        (state.reward_error, state.reward_mean, TRUE_MEAN_REWARD),
    ):
        assert error.frequentist + error.prior_bias == pytest.approx(mean - truth, abs=1e-9)
        assert error.data_weight + error.prior_weight == pytest.approx(1)
        assert 0 <= error.data_weight <= 1
    assert state.transition_means.sum() == pytest.approx(1)


@given(ANY_PARAMS)
def test_uncertainty_is_the_variance_of_the_posterior(params):
    state = compute(params)
    of_mean = distribution_of_mean(params, state.rewards_seen)
    assert state.reward_mean == pytest.approx(of_mean.mean(), abs=1e-9)
    assert state.reward_uncertainty == pytest.approx(of_mean.var(), rel=1e-6)
    dirichlet = stats.dirichlet(params.alpha + state.counts)
    assert state.transition_uncertainty == pytest.approx(dirichlet.var().sum(), rel=1e-6)


@given(ANY_PARAMS)
def test_curves_have_the_shape_of_the_densities(params):
    state = compute(params)
    of_mean = distribution_of_mean(params, state.rewards_seen)
    pairs = [(state.reward_posterior, of_mean)]
    total = 3 * params.alpha + state.counts.sum()
    for count, curve in zip(state.counts, state.transition_posteriors, strict=True):
        own = params.alpha + count
        pairs.append((curve, stats.beta(own, total - own)))
    for curve, distribution in pairs:
        log_density = distribution.logpdf(curve.values)
        with np.errstate(divide="ignore"):
            log_height = np.log(curve.heights)
        visible = curve.heights > 1e-9
        difference = (log_density - log_height)[visible]
        assert curve.heights.max() == 1
        assert np.ptp(difference) == pytest.approx(0, abs=1e-5)


def test_the_world_is_the_one_that_the_picture_calls_true():
    state = compute(Params(draws=1000, seed=1))
    # Five standard errors each.
    errors = state.counts / 1000 - TRUE_PROBABILITIES
    assert (abs(errors) < 5 * np.sqrt(0.25 / 1000)).all()
    assert state.rewards_seen.mean() == pytest.approx(
        TRUE_MEAN_REWARD, abs=5 * TRUE_DEVIATION / np.sqrt(1000)
    )
    ones = compute(Params(draws=1000, reward_model="Beta-Bernoulli"))
    assert set(ones.rewards_seen) == {0.0, 1.0}
    assert ones.rewards_seen.mean() == pytest.approx(TRUE_MEAN_REWARD, abs=0.08)


def test_more_draws_go_on_where_fewer_ended():
    few = compute(Params(draws=7, seed=3))
    more = compute(Params(draws=50, seed=3))
    other = compute(Params(draws=50, seed=4))
    assert (more.rewards_seen[:7] == few.rewards_seen).all()
    assert (more.counts >= few.counts).all()
    assert (other.rewards_seen != more.rewards_seen).any()


def test_all_extremes_together():
    lab = BeliefLab()
    for model in MODELS:
        for low in (True, False):
            ends = {
                name: 10.0 ** (control.min if low else control.max)
                for name, control in lab.controls.items()
                if isinstance(control, ipywidgets.FloatLogSlider)
            }
            if model == "Normal-Gamma" and low:
                ends["alpha0"] = 1.1
            for draws in (0, 1, 1000):
                lab.set(reward_model=model, draws=draws, mu0=-2.0 if low else 2.0, **ends)
                assert "⚠" not in lab.readout.value and "nan" not in lab.readout.value
                assert np.isfinite(lab.panels.posteriors[0].get_ydata()).all()


def test_a_prior_without_variance_is_answered_in_words(lab):
    before = lab.picture.value
    lab.controls["alpha0"].value = 0.5
    assert re.search("alpha0 must be .*greater than 1, got 0.5", lab.readout.value)
    assert lab.picture.value == before and lab.controls["alpha0"].value == 2.0
    lab.set(reward_model="Beta-Bernoulli", alpha0=0.5)
    before = lab.picture.value
    assert "⚠" not in lab.readout.value
    lab.controls["reward_model"].value = "Normal-Gamma"
    assert "Back to rewards = Beta-Bernoulli" in lab.readout.value and lab.picture.value == before
    assert lab.controls["mu0"].disabled


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"alpha": 0.0}, "alpha must be from 1e-06 to 100"),
        ({"alpha0": 1.0}, "alpha0 must be .*greater than 1"),
        ({"reward_model": "Gauss"}, "reward_model"),
        ({"draws": -1}, "draws must be an integer of at least 0"),
        ({"alfa": 1.0}, "Did you mean 'alpha'"),
    ],
)
def test_bad_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        BeliefLab(**settings)


def test_buttons_observe_and_reset_forgets(lab):
    empty = BeliefLab()
    for button, total in zip(lab.draw_buttons, (11, 21, 121), strict=True):
        button.click()
        assert lab.state.counts.sum() == len(lab.state.rewards_seen) == total
    before = lab.state
    for button in lab.hand_buttons:
        button.click()
    assert (lab.state.counts - before.counts == 1).all()
    assert lab.state.rewards_seen[-2:] == pytest.approx([-0.3, 1.7])
    lab.reset_button.click()
    assert lab.state.counts.sum() == len(lab.state.rewards_seen) == 0
    assert (pixels(lab) == pixels(empty)).all()
    for button in [*lab.draw_buttons, *lab.hand_buttons, lab.reset_button]:
        assert button.tooltip


def test_only_the_priors_own_controls_are_shown(lab):
    def shown():
        names = ("mu0", "lambda0", "alpha0", "beta0")
        return [name for name in names if not lab.controls[name].disabled]

    assert shown() == ["mu0", "lambda0", "alpha0", "beta0"]
    lab.controls["reward_model"].value = "Normal"
    assert shown() == ["mu0", "lambda0"]
    lab.set(reward_model="Beta-Bernoulli")
    assert shown() == ["alpha0", "beta0"]
    lab.controls["reward_model"].value = "Normal-Gamma"
    assert shown() == ["mu0", "lambda0", "alpha0", "beta0"]


def test_the_readout_says_what_the_picture_shows(lab):
    state, words = lab.state, repr(lab)
    assert f"Transitions seen: 10 (A {state.counts[0]}," in words
    assert f"A {state.transition_means[0]:.3f} (truth 0.6)" in words
    assert f"r_b: {state.reward_mean:.3f} (truth 0.7)" in words
    picture = lab.panels
    assert picture.transition_weights.data.get_width() == state.transition_error.data_weight
    (bar,) = picture.reward_errors.prior.get_paths()
    assert bar.vertices[:, 0].sum() == pytest.approx(2 * state.reward_error.prior_bias)
