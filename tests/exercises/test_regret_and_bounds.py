"""The checks of notebook 09, each right answer found by another way."""

import math

import pytest

from eubrl_edu import exercises


def refused(feedback, hint):
    assert not feedback.passed
    assert hint in feedback.words


def test_regret_and_bad_steps():
    losses = [3 - 1, 3 - 2.5, 5 - 5, 5 - 4.9]
    answer = [sum(losses), sum(loss > 0.5 for loss in losses)]
    assert exercises.check_regret_and_bad_steps(answer).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([2.6, 2], "bad ones lose more"),
        ([2.6, 3], "is forgiven"),
        ([2.6, 0], "A step is bad where"),
        ([2.1, 1], "step by step"),
        ([2.6], "two numbers"),
        ("2.6", "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_regret_and_bad_steps(answer, hint):
    refused(exercises.check_regret_and_bad_steps(answer), hint)


def test_resistance():
    resistance = 2 * 1 + 9 / 7 * 0.35
    assert exercises.check_resistance([resistance, (4.5 - resistance) / 4.5]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([2 * 0.35 + 9 / 7, 0.5], "belongs to the action taken"),
        ([1.35, 0.5], "Put P_U of both"),
        ([2.45, 2.05], "What share of 9/2"),
        ([2.45, 0.5444], "taken off. What share is left"),
        ([2.45, 0.9], "divide by 9/2"),
        (2.45, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_resistances(answer, hint):
    refused(exercises.check_resistance(answer), hint)


def bound(steps):
    """The proof's inequality for the Chain, in R_max."""
    pairs, near = 10, 20.0
    l1, l2 = math.log(24 * pairs / 0.1), math.log(1 + steps / pairs)
    l1_prime = l1 + math.log(1 + math.log(steps))
    phi = min(1, 3 * math.sqrt(pairs * l1 * l2 * near / steps))
    lower = 168 * 5 * pairs * near**2 * (1 + l1_prime) * (1 + l2)
    rate = near**1.5 * math.sqrt(pairs * steps * l1 * l2)
    return lower + 30 * rate + steps * phi * (1 + 3 * phi + phi / near), lower > 16 * rate


def first(is_past):
    steps = 1.0
    while not is_past(steps):
        steps *= 1.01
    return steps


def test_first_telling_step():
    right = first(lambda steps: bound(steps)[0] < 20 * steps)
    assert exercises.check_first_telling_step(right).passed
    assert exercises.check_first_telling_step(1.09 * right).passed
    refused(exercises.check_first_telling_step(1.2 * right), "Come within a tenth")
    refused(exercises.check_first_telling_step(10 * right), "go back")
    refused(exercises.check_first_telling_step(right / 10), "the bound says nothing")
    changes = first(lambda steps: not bound(steps)[1])
    refused(exercises.check_first_telling_step(changes), "largest term changes")


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (5**3 * 2 / 0.05, "without its constants"),
        (0, "a number of steps"),
        ("soon", "a number of steps"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_first_telling_steps(answer, hint):
    refused(exercises.check_first_telling_step(answer), hint)


def test_steps_for_a_tenth():
    factor = 1.0
    while math.sqrt(factor) / factor > 0.1 + 1e-9:
        factor += 1
    assert exercises.check_steps_for_a_tenth(factor).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (10, "√10 times the regret"),
        (math.sqrt(10), "other way round"),
        (1000, "When is that a tenth"),
        (None, "one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_steps_for_a_tenth(answer, hint):
    refused(exercises.check_steps_for_a_tenth(answer), hint)
