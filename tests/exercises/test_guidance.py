"""The checks of notebook 04: right answers by another way, and a hint for the usual mistakes."""

from dataclasses import replace

import pytest

from eubrl_edu import exercises
from eubrl_edu.labs import GuidanceLab
from eubrl_edu.labs.guidance.scene import compute
from tests.test_exercises import refused


def test_right_answers():
    assert exercises.check_bonus_and_guidance([-0.8, -0.08]).passed
    assert exercises.check_lowest_point([0.3, 0.51]).passed
    assert exercises.check_where_doubt_deters(1).passed
    assert exercises.check_eta_to_stay(2.7).passed


def test_eta_of_the_exercise_is_the_one_at_which_the_lab_stays():
    _, params = GuidanceLab.situations["Hasty EUBRL"]
    guided = {eta: compute(replace(params, eta=eta)).values["EUBRL"][15] for eta in (2.6, 2.8)}
    assert guided[2.6] < params.known_reward < guided[2.8]
    # "With η = 3 it tries the arm once more, and then stops."
    assert compute(replace(params, eta=3.0)).verdicts[-1].tries == 16


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("bonus_and_guidance", [-0.08, -0.8], "wrong order"),
        ("bonus_and_guidance", [-0.8, -0.72], "weight 1 − P_U"),
        ("bonus_and_guidance", [-0.8, -1.28], "takes weight from"),
        ("bonus_and_guidance", [-3.2, -0.08], "adds"),
        ("bonus_and_guidance", [-0.8, 5], "Guidance is"),
        ("bonus_and_guidance", "both", "two numbers"),
        ("bonus_and_guidance", ..., "Nothing to check yet"),
        ("lowest_point", [0.6, 0.6], "half way"),
        ("lowest_point", [0.5, 0.55], "Only if"),
        ("lowest_point", [0.3, 0.42], "place is right"),
        ("lowest_point", [0.1, 0.1], "lowest point is at"),
        ("where_doubt_deters", 2, "That is E_max"),
        ("where_doubt_deters", 4, "curve only falls"),
        ("where_doubt_deters", 0.5, "That is P_U"),
        ("where_doubt_deters", -3, "means"),
        ("eta_to_stay", 2, "it stops"),
        ("eta_to_stay", 1, "first try"),
        ("eta_to_stay", 0.381, "squared"),
        ("eta_to_stay", 30.2, "still has a say"),
        ("eta_to_stay", 9, "Solve"),
        ("eta_to_stay", 2.6, "Solve"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)
