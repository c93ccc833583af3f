"""The checks of notebook 13: right answers by another way, and a hint for the usual mistakes."""

import itertools

import numpy as np
import pytest
from scipy import stats

from eubrl_edu import exercises
from eubrl_edu.labs.bayes_optimal.scene import Params, compute
from tests.test_exercises import refused


def test_right_answers():
    # The larger of two uniform numbers is Beta(2, 1).
    assert exercises.check_better_of_two(stats.beta(2, 1).mean()).passed
    # Every plan for the second try, over a fine grid of both arms' chances.
    p, q = np.meshgrid(*[(np.arange(500) + 0.5) / 500] * 2)
    plans = itertools.product((p, q), repeat=2)  # what to try after a one, and after a zero
    best = max((p + p * after_one + (1 - p) * after_zero).mean() for after_one, after_zero in plans)
    assert exercises.check_two_tries(best).passed
    # Two actions for ever: one looks 0.5 too good, the other 0.5 too poor, in each Q.
    worst = sum(0.9**step * 2 * 0.9 * 0.5 for step in range(1000))
    assert exercises.check_loss_of_a_rough_plan(worst).passed


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("better_of_two", 0.5, "either arm"),
        ("better_of_two", 0.75, "too high"),
        ("better_of_two", 1, "perfect"),
        ("better_of_two", 1 / 3, "the worse"),
        ("better_of_two", 9, "probability x²"),
        ("two_tries", 1, "without learning"),
        ("two_tries", 1 / 2 + 2 / 3, "see a zero"),
        ("two_tries", 4 / 3, "oracle"),
        ("two_tries", 0, "for the first try"),
        ("two_tries", ..., "Nothing to check yet"),
        ("loss_of_a_rough_plan", 0.5, "error of the values"),
        ("loss_of_a_rough_plan", 4.5, "factor 2"),
        ("loss_of_a_rough_plan", 10, "above the line"),
        ("loss_of_a_rough_plan", 0.9, "every step"),
        ("loss_of_a_rough_plan", -1, "Put γ"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)


def test_when_the_best_explorer_leaves_an_arm_that_has_paid():
    nodes = {node.counts: node for level in compute(Params(levels=4)).levels for node in level}
    assert nodes[1, 1, 0, 0].share == 0
    assert nodes[2, 1, 0, 0].share == 0 and nodes[2, 1, 0, 0].chances == pytest.approx((0.6, 0.5))
    assert nodes[3, 1, 0, 0].share == 1
