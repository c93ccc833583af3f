"""The checks of notebook 00: right answers by another way, and a hint for the usual mistakes."""

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import exercises
from tests.test_exercises import refused


def test_right_answers():
    # The mean of what she listens to, one time in four her doubt.
    assert exercises.check_guided_cup(np.mean([2, 2, 2, 0.5])).passed
    env = eu.make_env("loop", size=2)
    run = eu.simulate(eu.make_agent("Mean-MDP", env), env, steps=1000, seed=0)
    assert exercises.check_best_guess_alone(run.rewards.sum()).passed


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("guided_cup", 2.5, "second visitor"),
        ("guided_cup", 0.875, "swapped"),
        ("guided_cup", 1.5, "has a say too"),
        ("guided_cup", 2.125, "r_b has a weight"),
        ("guided_cup", 7, "Put the numbers"),
        ("guided_cup", ..., "Nothing to check yet"),
        ("best_guess_alone", 394, "That is EUBRL"),
        ("best_guess_alone", 400, "knows the world"),
        ("best_guess_alone", 200, "Nearly"),
        ("best_guess_alone", 397, "another seed"),
        ("best_guess_alone", 0, "Simulate"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)
