"""GuidanceLab without a browser: its numbers against plain formulas, situations, controls."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu.labs import GuidanceLab
from eubrl_edu.labs.guidance.scene import MOST_TRIES, Params, Verdict, compute

ANY_PARAMS = st.builds(
    Params,
    eta=st.floats(-1, 1).map(lambda power: 10**power),
    mu0=st.floats(-2, 2),
    lambda0=st.floats(-2, 2).map(lambda power: 10**power),
    beta0=st.floats(-4, 2).map(lambda power: 10**power),
    known_reward=st.floats(-1, 2),
    true_mean=st.floats(-1, 2),
    noise=st.floats(0, 2),
    first_reward=st.floats(-3, 3),
    seed=st.integers(0, 99),
)


@pytest.fixture
def lab():
    return GuidanceLab()


def rewards_of(params):
    rewards = np.random.default_rng(params.seed).normal(params.true_mean, params.noise, MOST_TRIES)
    return np.append(params.first_reward, rewards[1:])


def believed_after(n, params):
    """r_b and E_R after n rewards, by the textbook's formulas in one go."""
    seen = rewards_of(params)[:n]
    precision, shape = params.lambda0 + n, 2.0 + n / 2
    mean = (params.lambda0 * params.mu0 + seen.sum()) / precision
    spread = ((seen - seen.mean()) ** 2).sum() if n else 0.0
    shift = params.lambda0 * n * (seen.mean() - params.mu0) ** 2 / precision if n else 0.0
    return mean, (params.beta0 + (spread + shift) / 2) / (precision * (shape - 1))


@settings(max_examples=30)
@given(ANY_PARAMS)
def test_curves_are_the_papers_formulas(params):
    state = compute(params)
    believed = np.array([believed_after(n, params) for n in (0, 1, 2, 7, 100, MOST_TRIES)])
    places = np.array([0, 1, 2, 7, 100, MOST_TRIES])
    np.testing.assert_allclose(state.mean_reward[places], believed[:, 0], atol=1e-9)
    np.testing.assert_allclose(state.reward_uncertainty[places], believed[:, 1], rtol=1e-7)

    epistemic = params.eta * np.sqrt(state.reward_uncertainty)
    highest = [epistemic[: n + 1].max() for n in range(MOST_TRIES + 1)]
    share = epistemic / highest
    np.testing.assert_allclose(state.epistemic_uncertainty, epistemic)
    np.testing.assert_allclose(state.probability_of_uncertainty, share)
    np.testing.assert_allclose(
        state.values["EUBRL"], (1 - share) * state.mean_reward + share * epistemic, atol=1e-12
    )
    np.testing.assert_allclose(state.values["r_b + E_b"], state.mean_reward + epistemic)


@settings(max_examples=30)
@given(ANY_PARAMS)
def test_a_rule_stops_where_the_known_arm_is_worth_more(params):
    state = compute(params)
    for verdict in state.verdicts:
        tries = 0
        enough = params.known_reward - 1e-10  # what rounding leaves of a tie
        while tries < MOST_TRIES and state.values[verdict.rule][tries] >= enough:
            tries += 1
        assert verdict.tries == tries
        if verdict.goes_on:
            assert state.values[verdict.rule][-1] >= enough


def test_a_rule_for_which_both_arms_are_worth_the_same_never_stops():
    same = {"true_mean": 0.3, "mu0": 0.3, "known_reward": 0.3, "first_reward": 0.3}
    plain = compute(Params(**same, noise=0.0)).verdicts[0]
    assert plain.rule == "r_b alone" and plain.goes_on


@settings(max_examples=30)
@given(ANY_PARAMS)
def test_eubrl_is_hopeful_exactly_while_uncertainty_exceeds_the_mean(params):
    state = compute(params)
    gap = state.values["EUBRL"] - state.mean_reward
    expected = state.probability_of_uncertainty * (state.epistemic_uncertainty - state.mean_reward)
    np.testing.assert_allclose(gap, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("tries", "goes_on", "advantage", "is_right", "words"),
    [
        (3, False, -0.5, True, "stops after 3 tries of an arm 0.5 worse on average"),
        (1, False, 0.5, False, "stops after 1 try, and loses 0.5 a step from then on"),
        (0, False, 0.5, False, "never tries, and loses 0.5 a step"),
        (0, False, -0.5, True, "never tries, and loses nothing"),
        (1000, True, 0.5, True, "still trying after 1000 tries"),
        (1000, True, -0.5, False, "still trying after 1000 tries of an arm 0.5 worse on average"),
        (1000, True, 0.0, True, "still trying after 1000 tries"),
        (2, False, 0.0, True, "stops after 2 tries"),
    ],
)
def test_verdicts(tries, goes_on, advantage, is_right, words):
    verdict = Verdict("EUBRL", tries, goes_on, advantage)
    assert verdict.is_right is is_right
    assert verdict.words == words


def verdicts_of(situation):
    _, params = GuidanceLab.situations[situation]
    return {verdict.rule: verdict for verdict in compute(params).verdicts}


def test_situations_show_what_they_promise():
    lucky = verdicts_of("Lucky start")
    assert 0 < lucky["EUBRL"].tries < lucky["r_b + E_b"].tries / 2
    costly = verdicts_of("Costly start")
    assert costly["EUBRL"].goes_on and not costly["r_b + E_b"].goes_on
    hasty = verdicts_of("Hasty EUBRL")
    assert not hasty["EUBRL"].is_right and hasty["r_b + E_b"].is_right
    for name in ("η too small", "Sure and wrong"):
        assert [verdict.tries for verdict in verdicts_of(name).values()] == [0, 0, 0]
        assert not any(verdict.is_right for verdict in verdicts_of(name).values())


def test_every_curve_stays_inside_the_picture_at_the_extremes():
    lab = GuidanceLab()
    for eta in (0.1, 10.0):
        for beta0, lambda0 in ((1e-4, 1e-2), (100.0, 1e-2), (1e-4, 100.0)):
            for first_reward, mu0 in ((-3.0, 2.0), (3.0, -2.0)):
                lab.set(
                    eta=eta,
                    beta0=beta0,
                    lambda0=lambda0,
                    first_reward=first_reward,
                    mu0=mu0,
                    noise=2.0,
                )
                assert "⚠" not in lab.readout.value
                low, high = lab.panels.value_axes.get_ylim()
                for line in lab.panels.lines.values():
                    assert low <= line.get_ydata().min() and line.get_ydata().max() <= high


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"eta": -1.0}, "eta must be from 0.1 to 10"),
        ({"noise": 3.0}, "noise must be from 0 to 2"),
        ({"n": 1001}, "n must be from 0 to 1000"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"ets": 1.0}, "Did you mean 'eta'"),
    ],
)
def test_bad_settings_are_named(settings_, words):
    with pytest.raises(ValueError, match=words):
        GuidanceLab(**settings_)


def test_the_readout_says_what_the_picture_shows(lab):
    lab.controls["n"].value = 4
    state, words = lab.state, repr(lab)
    assert "After 4 tries of the new arm" in words
    assert f"= {state.values['EUBRL'][4]:.3f}. The known arm pays 0.50" in words
    for verdict in state.verdicts:
        assert f"{verdict.rule}: {verdict.words}." in words
        assert any(verdict.words in text for text in lab.panels.words.texts)
        assert lab.panels.bars[verdict.rule].get_width() == verdict.tries
        assert lab.panels.dots[verdict.rule].get_xdata() == [4]


def test_what_is_small_keeps_two_digits_in_words():
    lab = GuidanceLab(eta=0.2, mu0=0.0, lambda0=100.0, beta0=0.08, noise=0.0, n=700)
    epistemic = lab.state.epistemic_uncertainty[700]
    assert 0 < epistemic < 1e-3 and f"E_b = {epistemic:.2g}," in repr(lab)
