"""The checks of notebook 02: right answers by another way, and a hint for the usual mistakes."""

import math

import numpy as np
import pytest
from scipy import stats

from eubrl_edu import exercises
from tests.test_exercises import refused


def mutual_information(dice):
    return stats.entropy(dice.mean(axis=0)) - stats.entropy(dice, axis=1).mean()


def test_right_answers():
    coin = stats.beta(4, 2)
    assert exercises.check_doubt_of_a_coin(2 * coin.var()).passed
    assert exercises.check_doubt_of_a_cloud(mutual_information).passed
    assert exercises.check_doubt_about_reward(0.208).passed
    shares = [math.sqrt(stats.dirichlet([1 + n / 3] * 3).var().sum() * 6) for n in (96, 396)]
    np.testing.assert_allclose(shares, [0.2, 0.1])
    assert exercises.check_throws_to_halve(396).passed
    assert exercises.check_throws_to_halve(4 * 96).passed


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("doubt_of_a_coin", 4 / 9, "the total"),
        ("doubt_of_a_coin", 8 / 21, "the dice"),
        ("doubt_of_a_coin", 0.075, "add α"),
        ("doubt_of_a_coin", 0.0317, "one entry"),
        ("doubt_of_a_coin", 0.252, "its root"),
        ("doubt_of_a_coin", 3, "here 4 and 2"),
        ("doubt_of_a_coin", "a lot", "one number"),
        ("doubt_of_a_coin", ..., "Nothing to check yet"),
        ("doubt_about_reward", 0.505, "not equally likely"),
        ("doubt_about_reward", 0.802, "swapped"),
        ("doubt_about_reward", 0.0464, "weighted sum"),
        ("doubt_about_reward", math.sqrt(0.208), "its root"),
        ("doubt_about_reward", 1.01, "Weight each"),
        ("throws_to_halve", 192, "the *variance*"),
        ("throws_to_halve", 136, "the factor is 2²"),
        ("throws_to_halve", 960, "0.06"),
        ("throws_to_halve", 288, "on top"),
        ("throws_to_halve", -1, "1/√n"),
        ("doubt_of_a_cloud", lambda dice: stats.entropy(dice.mean(axis=0)), "the total"),
        ("doubt_of_a_cloud", lambda dice: stats.entropy(dice, axis=1).mean(), "own chance"),
        ("doubt_of_a_cloud", lambda dice: -mutual_information(dice), "never negative"),
        ("doubt_of_a_cloud", lambda dice: dice.var(axis=0).sum(), "in nats"),
        ("doubt_of_a_cloud", lambda dice: mutual_information(dice) / np.log(2), "in bits"),
        ("doubt_of_a_cloud", lambda dice: 7, "axis=0"),
        (
            "doubt_of_a_cloud",
            lambda dice: stats.entropy(dice.mean(axis=0)) - stats.entropy(dice, axis=1).sum() / 50,
            "axis=0",
        ),
        ("doubt_of_a_cloud", lambda dice: dice, "one number"),
        ("doubt_of_a_cloud", lambda dice: 1 / 0, "ZeroDivisionError"),
        ("doubt_of_a_cloud", lambda dice: ..., "Nothing to check yet"),
        ("doubt_of_a_cloud", "entropy", "failed: TypeError"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)
