"""MisspecificationLab without a browser: agents against exact shares and the bound; controls."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution
from scipy.stats import binomtest

from eubrl_edu.labs import MisspecificationLab
from eubrl_edu.labs.misspecification.scene import (
    ALPHAS,
    BETTER,
    EXACT_ALPHAS,
    STUCK,
    WORSE_AGAIN,
    Params,
    compute,
)
from tests.plotting.words import require_apart

CONFIDENCE = 0.9999

ANY_PARAMS = st.builds(
    Params,
    better=st.floats(0.5, 0.95),
    worse=st.floats(0.05, 0.49),
    alpha=st.floats(-1.3, 3).map(lambda power: 10**power),
    uncertainty=st.sampled_from(["variance", "its root"]),
    n_agents=st.sampled_from([50, 100]),
    steps=st.sampled_from([10, 40]),
    confidence=st.floats(0.05, 0.95),
    seed=st.integers(0, 99),
)


@pytest.fixture
def lab():
    return MisspecificationLab()


@settings(max_examples=30, deadline=None)
@given(ANY_PARAMS)
def test_who_is_stuck_has_pulled_one_arm_only(params):
    state = compute(params)
    assert state.pulls.shape == (params.n_agents, params.steps)
    stuck_for = []
    for row in state.pulls.tolist():
        tried_better = row.index(BETTER) if BETTER in row else params.steps
        assert row[:tried_better] == [STUCK] * tried_better
        assert set(row[tried_better:]) <= {WORSE_AGAIN, BETTER}
        stuck_for.append(tried_better)
    assert stuck_for == sorted(stuck_for, reverse=True)  # so that the block is in one piece
    assert state.stuck.value == np.mean(np.array(stuck_for) == params.steps)
    assert state.on_worse_arm == np.mean(state.pulls[:, -1] != BETTER)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("uncertainty", ["variance", "its root"])
def test_agents_are_stuck_as_often_as_the_exact_probability_says(alpha, uncertainty):
    params = Params(0.9, 0.5, alpha, uncertainty, n_agents=800, seed=5)
    state = compute(params)
    for step in (0, 5, params.steps - 1):
        stuck = int((state.pulls[:, step] == STUCK).sum())
        interval = binomtest(stuck, params.n_agents).proportion_ci(CONFIDENCE)
        assert interval.low <= state.exact[step] <= interval.high


def test_the_interval_of_the_share_is_wilsons(lab):
    n = lab.params.n_agents
    expected = binomtest(round(lab.state.stuck.value * n), n).proportion_ci(method="wilson")
    assert (lab.state.stuck.low, lab.state.stuck.high) == pytest.approx(tuple(expected))


@pytest.mark.parametrize("worse", [0.4, 0.6, 0.8])
def test_the_bound_is_below_the_exact_share_for_every_prior(worse):
    state = compute(Params(0.9, worse))
    exact = np.interp(np.log(ALPHAS), np.log(EXACT_ALPHAS), state.exact_by_alpha)
    assert (state.bound_by_alpha <= exact + 1e-9).all()
    assert state.bound_by_alpha.max() > 0.49


@pytest.mark.parametrize("confidence", [0.05, 0.1, 0.5])
def test_beyond_both_thresholds_the_bound_keeps_the_guarantee(confidence):
    state = compute(Params(confidence=confidence))
    beyond = ALPHAS >= state.required.alpha
    assert (state.bound_by_alpha[beyond] >= state.guaranteed - 1e-12).all()
    assert state.guaranteed == (1 - confidence) / 2


def test_the_untried_arm_is_worth_the_priors_uncertainty():
    for alpha in (0.3, 30.0):
        prior = beta_distribution(alpha, alpha)
        state = compute(Params(alpha=alpha))
        assert state.untried == pytest.approx(prior.var())
        assert state.enough == pytest.approx(1 / 16 + prior.var())
        state = compute(Params(alpha=alpha, uncertainty="its root"))
        assert state.untried == pytest.approx(prior.std())


@pytest.mark.parametrize(
    ("params", "why"),
    [(Params(worse=0.3), "above 5/16"), (Params(uncertainty="its root"), "variance only")],
)
def test_where_the_proof_is_silent_no_bound_is_shown(params, why):
    state = compute(params)
    assert why in state.no_bound
    assert state.bound is None and state.required is None
    assert np.isnan([state.least_stuck, state.guaranteed, *state.bound_by_alpha]).all()
    words = repr(MisspecificationLab(**vars(params)))
    assert f"No bound here: {state.no_bound}." in words and "nan" not in words


def test_situations_show_what_they_promise():
    states = {name: compute(params) for name, (_, params) in MisspecificationLab.situations.items()}
    strong, silent = states["Sure and wrong"], states["Bound says nothing"]
    assert 0.45 < strong.least_stuck < strong.exact[-1] < 0.5 + 1e-9
    assert strong.stuck.low < strong.exact[-1] < strong.stuck.high
    assert silent.least_stuck == 0 and silent.exact[-1] > 0.49
    assert states["Open-minded"].exact[-1] < 0.2
    assert states["Both poor"].bound is None and 0 < states["Both poor"].exact[-1] < 0.25
    rooted = MisspecificationLab.situations["With the root"][1]
    plain = compute(Params(rooted.better, rooted.worse, rooted.alpha))
    assert states["With the root"].exact[-1] < plain.exact[-1] / 10


def test_a_worse_arm_that_is_better_is_answered_in_words(lab):
    before = lab.picture.value
    lab.controls["worse"].value = 0.95
    assert "⚠ worse must be below better, which is 0.9, got 0.95" in lab.readout.value
    assert lab.picture.value == before and lab.params.worse == 0.7
    lab.controls["worse"].value = 0.5
    assert "⚠" not in lab.readout.value and lab.picture.value != before


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"alpha": 0.0}, "alpha must be from"),
        ({"better": 1.0}, "better must be from 0.05 to 0.95"),
        ({"worse": 0.95}, "worse must be below better"),
        ({"steps": 1000}, "steps must be from 10 to 100"),
        ({"confidence": 0.0}, "confidence must be from 0.05 to 0.95"),
        ({"uncertainty": "root"}, "Did you mean 'its root'"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"alpa": 1.0}, "Did you mean 'alpha'"),
    ],
)
def test_bad_settings_are_named(bad, words):
    with pytest.raises(ValueError, match=words):
        MisspecificationLab(**bad)


def test_the_picture_shows_what_the_words_say(lab):
    for _, params in MisspecificationLab.situations.values():
        lab.set(**vars(params))
        state, picture, words = lab.state, lab.panels, repr(lab)
        assert f"{state.stuck.value:.1%} [{state.stuck.low:.1%}, {state.stuck.high:.1%}]" in words
        assert picture.dot.get_ydata() == [state.stuck.value]
        assert picture.dot.get_xdata() == [params.alpha]
        assert picture.exact.get_ydata()[-1] == state.exact[-1]
        paid = np.where(state.pulls[:, -1] == BETTER, params.better, params.worse).mean()
        lost = float(re.search(r"that costs ([\d.]+)\.", words)[1])
        assert lost == pytest.approx(params.better - paid, abs=6e-3)
        assert len(picture.loss.get_paths()) == 1
        assert picture.missing.get_text() == (
            f"no bound:\n{state.no_bound}" if state.no_bound else ""
        )
        names = [text.get_text() for text in picture.threshold_names.values()]
        assert names == (["a₁", "a₂"] if state.required else ["", ""])
        if state.bound and state.bound.total < 1:
            assert f"at least {state.least_stuck:.1%} never try the better arm" in words


def test_the_names_of_the_thresholds_stand_apart(lab):
    """a1 may be left or right of a2, or beyond the picture."""
    for worse in (0.35, 0.5, 0.65, 0.85):
        lab.set(worse=worse)
        shown = {
            name: (text.get_position()[0], text.get_horizontalalignment())
            for name, text in lab.panels.threshold_names.items()
            if text.get_text()
        }
        assert "a₂" in shown
        if len(shown) == 2:
            (_, left), (_, right) = sorted(shown.values())
            assert (left, right) == ("right", "left")


@pytest.mark.parametrize("presentation", [False, True])
def test_no_words_of_the_two_panels_meet(lab, presentation):
    lab.presentation.value = presentation
    picture = lab.panels
    stuck = round(lab.state.stuck.value * 400)
    assert picture.headline.texts == [f"{stuck} of 400 never pull the better arm"]
    require_apart(
        lab.figure,
        lab.canvas.drawing.agg.get_renderer(),
        [picture.headline, picture.prior_axes.title],
    )
    panels = []
    for axes in (picture.agent_axes, picture.prior_axes):
        legend = axes.get_legend().get_window_extent()
        assert not axes.title.get_window_extent().overlaps(legend)
        assert legend.x1 < lab.figure.bbox.x1
        panels.append(legend)
    assert panels[0].x1 < panels[1].x0
    for name in MisspecificationLab.situations:
        lab.set(**vars(MisspecificationLab.situations[name][1]))
        missing = picture.missing.get_window_extent()
        assert missing.x0 > picture.prior_axes.bbox.x0 or not picture.missing.get_text()
