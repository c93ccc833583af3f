"""GuidedRewardLab without a browser: line, parabola and map against plain arithmetic."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from eubrl_edu.labs import GuidanceLab, GuidedRewardLab
from eubrl_edu.labs.guidance import scene as guidance
from eubrl_edu.labs.guided_reward.scene import (
    HIGHEST_REWARD,
    LARGEST_MAX,
    LOWEST_REWARD,
    VERDICTS,
    Params,
    compute,
    judge,
    worths,
)

ANY_PARAMS = st.builds(
    Params,
    probability=st.floats(0, 1),
    mean_reward=st.floats(LOWEST_REWARD, HIGHEST_REWARD),
    max_uncertainty=st.floats(0.1, LARGEST_MAX),
    known=st.floats(-1, 1.5),
    truth=st.sampled_from(["better", "worse"]),
)


@given(ANY_PARAMS)
def test_a_bonus_is_a_line_and_guidance_a_parabola(params):
    state, p = compute(params), np.linspace(0, 1, 201)
    np.testing.assert_allclose(state.with_bonus, params.mean_reward + p * params.max_uncertainty)
    parabola = (1 - p) * params.mean_reward + p**2 * params.max_uncertainty
    np.testing.assert_allclose(state.guided, parabola, atol=1e-12)


@given(ANY_PARAMS)
def test_the_lowest_point_is_where_a_search_finds_it(params):
    state = compute(params)
    found = minimize_scalar(
        lambda p: worths(params.mean_reward, params.max_uncertainty, p)[1], (0, 1), (0, 1)
    )
    assert state.lowest_worth <= found.fun + 1e-9 or not 0 <= found.x <= 1
    assert state.lowest_worth <= state.guided.min() + 1e-12


@given(ANY_PARAMS)
def test_doubt_lowers_the_worth_exactly_where_e_b_is_below_r_b(params):
    state, epistemic = compute(params), params.probability * params.max_uncertainty
    gain = state.guided_here - params.mean_reward
    assert gain == pytest.approx(
        params.probability * (epistemic - params.mean_reward), rel=1e-9, abs=1e-12
    )


def test_a_tie_is_judged_as_one_wherever_rounding_puts_it():
    # With half a weight, r_b + E_max / 2 is what the bonus makes of it.
    for tenths in itertools.product(range(-10, 11), range(1, 16)):
        mean, largest = (place / 10 for place in tenths)
        known = (2 * tenths[0] + tenths[1]) / 20
        at_rest = {"probability": 0.5, "mean_reward": mean, "max_uncertainty": largest}
        bonus, guided = worths(mean, largest, 0.5)
        verdict = judge(bonus, guided, Params(**at_rest, known=known, truth="worse"))
        assert "both" in VERDICTS[verdict] or "bonus" in VERDICTS[verdict]  # which leaves the arm


@given(ANY_PARAMS)
def test_the_map_says_at_each_place_what_the_verdict_there_is(params):
    state = compute(params)
    rewards = np.linspace(LOWEST_REWARD, HIGHEST_REWARD, state.verdicts.shape[1])
    largests = np.linspace(0, LARGEST_MAX, state.verdicts.shape[0])
    for row, column in [(5, 7), (60, 60), (120, 3)]:
        bonus = rewards[column] + params.probability * largests[row]
        guided = (1 - params.probability) * rewards[column]
        guided += params.probability**2 * largests[row]
        if min(abs(bonus - params.known), abs(guided - params.known)) < 1e-9:
            continue  # a tie is for rounding to decide
        right = [(worth > params.known) == (params.truth == "better") for worth in (bonus, guided)]
        words = VERDICTS[state.verdicts[row, column]]
        assert ("both" in words or "bonus" in words) == right[0]
        assert ("both" in words or "EUBRL" in words) == right[1]


@pytest.mark.parametrize(("button", "eta", "tries"), [(1, 1.0, 1), (2, 2.0, 15)])
def test_the_hasty_situations_are_those_of_the_first_page(button, eta, tries):
    lab = GuidedRewardLab()
    lab.situation_buttons[button].click()
    start = vars(GuidanceLab.situations["Hasty EUBRL"][1])
    state = guidance.compute(type(GuidanceLab.situations["Hasty EUBRL"][1])(**start | {"eta": eta}))
    assert state.verdicts[-1].tries == tries
    params = lab.params
    assert params.mean_reward == pytest.approx(state.mean_reward[tries], abs=0.005)
    assert params.probability == pytest.approx(state.probability_of_uncertainty[tries], abs=0.005)
    assert params.max_uncertainty == pytest.approx(state.max_uncertainty[tries], abs=0.05)
    assert "only the bonus is right" in repr(lab)


@pytest.mark.parametrize("button", [3, 4])
def test_bad_and_good_luck_are_judged_rightly_by_guidance_only(button):
    lab = GuidedRewardLab()
    lab.situation_buttons[button].click()
    assert "only EUBRL is right" in repr(lab)


@pytest.mark.parametrize(
    "bad",
    [{"probability": 1.5}, {"mean_reward": 9.0}, {"max_uncertainty": 0.0}, {"truth": "unknown"}],
)
def test_bad_settings_are_refused_by_name(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        GuidedRewardLab(**bad)
