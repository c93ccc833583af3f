"""PriorLab without a browser: verdicts, constants and rates against plain formulas; controls."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from eubrl_edu.labs import PriorLab
from eubrl_edu.labs.prior.picture import LABELS
from eubrl_edu.labs.prior.scene import (
    CHANCE,
    RANDOM,
    REWARD_PRIORS,
    REWARDS_ON,
    RUNS,
    TRANSITION_PRIORS,
    VISITS,
    WEIGHT_VISITS,
    Params,
    compute,
)
from eubrl_edu.theory.priors import dirichlet_error, normal_gamma_error
from eubrl_edu.uncertainty import MEASURES
from tests.plotting.words import boxes_of

ANY_PARAMS = st.builds(
    Params,
    reward_prior=st.sampled_from(REWARD_PRIORS),
    rewards_on=st.sampled_from(list(REWARDS_ON)),
    mu0=st.floats(0.05, 0.95),
    strength=st.floats(-3, 3).map(lambda power: 10**power),
    alpha0=st.floats(1.1, 10.0),
    beta0=st.floats(-3, 3).map(lambda power: 10**power),
    transition_prior=st.sampled_from(TRANSITION_PRIORS),
    alpha=st.floats(-6, 2).map(lambda power: 10**power),
    n_states=st.integers(3, 20),
    measure=st.sampled_from(MEASURES),
    random=st.sampled_from(RANDOM),
    seed=st.integers(0, 99),
)


@pytest.fixture
def lab():
    return PriorLab()


@pytest.fixture(scope="module")
def used_lab():
    """One that may be left at any settings."""
    return PriorLab()


def believed_by_scipy(params, pays, stays):
    """√E_T and √E_R of a Dirichlet and Normal-Gamma belief on pairs, from scipy's variances."""
    n = len(pays)
    counts = np.full(params.n_states, params.alpha)
    counts[1] += stays.sum()
    counts[2] += n - stays.sum()
    transition = stats.dirichlet(counts).var().sum()
    spread = ((pays - pays.mean()) ** 2).sum()
    shift = params.strength * n * (pays.mean() - params.mu0) ** 2 / (params.strength + n)
    rate, shape = params.beta0 + (spread + shift) / 2, params.alpha0 + n / 2
    mean = stats.t(2 * shape, scale=np.sqrt(rate / (shape * (params.strength + n))))
    return np.sqrt(transition), mean.std()


@pytest.mark.parametrize("random", RANDOM)
def test_curves_are_the_standard_deviations_of_the_belief(random):
    params = Params(random=random, mu0=0.3, strength=2.0, alpha0=3.0, beta0=0.4, alpha=0.7, seed=3)
    state = compute(params)
    draws = np.random.default_rng(3).random((2, RUNS, VISITS[-1])) < CHANCE
    pays = draws[0] if params.rewards_vary else np.ones_like(draws[0])
    stays = draws[1] if params.transitions_vary else np.ones_like(draws[1])
    for place in (0, 5, len(VISITS) - 1):
        n = VISITS[place]
        expected = np.array(
            [believed_by_scipy(params, pays[run, :n], stays[run, :n]) for run in range(RUNS)]
        )
        np.testing.assert_allclose(state.epistemic[:, place], expected.sum(axis=1), rtol=1e-9)
        np.testing.assert_allclose(state.transition_part[place], expected[:, 0].mean(), rtol=1e-9)
        np.testing.assert_allclose(state.reward_part[place], expected[:, 1].mean(), rtol=1e-9)


@settings(max_examples=40, deadline=None)
@given(ANY_PARAMS)
def test_verdicts_follow_the_definition_of_the_class(params):
    state = compute(params)
    verdicts, prior = state.verdicts, state.prior
    assert verdicts["class"] == (
        verdicts["rate"] and (verdicts["decomposable"] or verdicts["weakly informative"])
    )
    assert verdicts["minimax"] == (
        verdicts["class"] and verdicts["uniform"] and prior.bounded.holds
    )
    if prior.rate.holds:  # in every world, so in this one too
        assert state.rate_here.holds
    assert (state.epistemic >= 0).all() and np.isfinite(state.epistemic).all()
    if params.measure != "count":
        parts = state.transition_part + state.reward_part
        np.testing.assert_allclose(state.mean_epistemic, parts, rtol=1e-9)


@pytest.mark.parametrize("reward_prior", REWARD_PRIORS)
def test_a_rate_that_holds_here_is_measured(reward_prior):
    """Where the prior is weak, a thousand visits are enough to see the power of n."""
    for random in RANDOM:
        params = Params(reward_prior, mu0=0.5, strength=1.0, alpha=0.5, random=random)
        state = compute(params)
        expected = -0.5 if state.rate_here.holds else -1.0
        assert state.measured.slope == pytest.approx(expected, abs=0.1), (reward_prior, random)


@settings(max_examples=30, deadline=None)
@given(ANY_PARAMS.filter(lambda params: params.transition_prior == "Dirichlet"))
def test_weights_are_those_of_the_lemmas_and_below_their_bounds(params):
    state = compute(params)
    for place in (0, 40, 80):
        n = round(WEIGHT_VISITS[place])
        split = dirichlet_error([n] + [0] * (params.n_states - 1), params.alpha, one_of(params))
        assert state.weights["transitions"][place] == pytest.approx(split.prior_weight, rel=0.25)
    for name, weight in state.weights.items():
        if state.verdicts["decomposable"]:
            assert (weight <= state.weight_bounds[name] * (1 + 1e-12)).all()
    assert state.verdicts["decomposable"] != np.isnan(state.weights["rewards"]).all()


def one_of(params):
    return np.eye(params.n_states)[0]


def test_the_prior_weighs_half_where_the_constants_say():
    state = compute(Params(alpha=2.5, n_states=8, strength=40.0))
    assert state.balance == {"transitions": 20.0, "rewards": 40.0}
    for name, weight in (
        ("transitions", dirichlet_error([20.0] + [0.0] * 7, 2.5, np.eye(8)[0]).prior_weight),
        ("rewards", normal_gamma_error([1.0] * 40, 1.0, 0.0, 40.0).prior_weight),
    ):
        assert weight == 0.5
        n = state.balance[name]
        assert np.interp(n, WEIGHT_VISITS, state.weights[name]) == pytest.approx(0.5, abs=1e-3)


def test_situations_show_what_they_promise():
    state = {name: compute(params) for name, (_, params) in PriorLab.situations.items()}
    assert not state["Normal-Gamma"].verdicts["class"]
    assert state["Normal-Gamma"].measured.slope == pytest.approx(-1, abs=0.05)
    assert state["Normal"].verdicts["minimax"]
    assert state["Normal"].measured.slope == pytest.approx(-0.5, abs=0.05)
    assert state["Mutual information"].verdicts["minimax"]
    experiments = state["Experiments"]
    assert experiments.verdicts["weakly informative"] and not experiments.verdicts["rate"]
    assert experiments.rate_here.holds  # with a constant of this world
    assert experiments.measured.slope < -0.9  # what would fall like 1/√n is tiny
    tied = state["Tied"]
    assert np.isnan([*tied.weights.values(), *tied.weight_bounds.values()]).all()
    assert not tied.verdicts["weakly informative"]
    assert state["Stubborn"].verdicts["minimax"]
    assert state["Stubborn"].prior.reward_penalty == 300.0


@settings(max_examples=25, deadline=None)
@given(params=ANY_PARAMS)
def test_the_uncertainty_stays_inside_the_picture(used_lab, params):
    lab = used_lab
    lab.set(**{field.name: getattr(params, field.name) for field in fields(Params)})
    assert "⚠" not in lab.readout.value
    low, high = lab.panels.rate_axes.get_ylim()
    seen = lab.state.mean_epistemic[lab.state.mean_epistemic > 0]
    assert (low <= seen * (1 + 1e-9)).all() and (seen <= high * (1 + 1e-9)).all()


def test_a_mean_that_no_coin_has_is_answered_in_words_and_taken_back(lab):
    lab.set(reward_prior="Beta", mu0=0.3)
    before = lab.picture.value
    lab.controls["mu0"].value = 1.5
    assert "⚠ mu0 must be above 0 and below 1 under a Beta prior, got 1.5" in lab.readout.value
    assert lab.picture.value == before and lab.params.mu0 == 0.3


def test_who_chooses_beta_gets_the_mean_of_a_coin(lab):
    lab.controls["reward_prior"].value = "Beta"
    assert "⚠" not in lab.readout.value
    assert lab.params == Params(reward_prior="Beta", mu0=0.5)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"alpha": 0.0}, "alpha must be from 1e-06 to 100"),
        ({"strength": 1e6}, "strength must be from 0.001 to 1000"),
        ({"n_states": 2}, "n_states must be from 3 to 20"),
        ({"reward_prior": "Norml"}, "Did you mean 'Normal'"),
        ({"measure": "variances"}, "Did you mean 'variance'"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"alpa": 1.0}, "Did you mean 'alpha'"),
    ],
)
def test_bad_settings_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        PriorLab(**bad)


def test_what_plays_no_part_is_hidden(lab):
    def hidden():
        return {name for name, control in lab.controls.items() if control.disabled}

    assert hidden() == set()
    lab.set(reward_prior="known")
    assert hidden() == {"rewards_on", "mu0", "strength", "alpha0", "beta0"}
    lab.controls["reward_prior"].value = "Normal"
    assert hidden() == {"alpha0", "beta0"}
    assert PriorLab(reward_prior="known").controls["mu0"].disabled


def test_words_and_boxes_say_the_same(lab):
    for _, params in PriorLab.situations.values():
        lab.set(**vars(params))
        words = repr(lab)
        picture = lab.panels
        for name, text in zip(picture.boxes, picture.names.texts, strict=True):
            mark = "✓" if lab.state.verdicts[name] else "✗"
            assert text.startswith(mark) and (name in text or name in LABELS)
            if name in ("decomposable", "weakly informative", "uniform", "bounded"):
                assert f"{mark} {name}: " in words
        assert words.startswith("✓" if lab.state.verdicts["class"] else "✗")


@pytest.mark.long
@pytest.mark.parametrize("presentation", [False, True])
def test_every_word_fits_in_its_box_and_no_words_meet(lab, presentation):
    lab.presentation.value = presentation
    for _, params in PriorLab.situations.values():
        lab.set(**vars(params))
        picture = lab.panels
        extents = boxes_of(picture.names, lab.canvas.drawing.agg.get_renderer())
        for (name, box), extent in zip(picture.boxes.items(), extents, strict=True):
            around = box.get_window_extent()
            assert around.x0 < extent.x0 and extent.x1 < around.x1, name
            assert around.y0 < extent.y0 and extent.y1 < around.y1, name
        legend = picture.rate_axes.get_legend().get_window_extent()
        for words in (*picture.constants.values(), picture.weight_axes.yaxis.label):
            assert not words.get_window_extent().overlaps(legend)
        for words in picture.guide_names.values():
            assert not words.get_window_extent().overlaps(
                picture.weight_axes.yaxis.label.get_window_extent()
            )
