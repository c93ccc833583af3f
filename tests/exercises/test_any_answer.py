"""Whatever is assigned, a check answers in words, at once."""

import inspect
import sys

import numpy as np
import pytest

from eubrl_edu import exercises
from eubrl_edu.exercises.checks import CHECKS
from eubrl_edu.exercises.feedback import Feedback
from tests.bad_inputs.values import Endless


def leaves(*given):
    sys.exit()


ANSWERS = {
    "a long range": range(10**9),
    "a function that returns one": lambda *given: range(10**9),
    "a sequence without end": Endless(),
    "a function that returns one without end": lambda *given: Endless(),
    "an array of no dimension": np.array(3.0),
    "what is hidden": np.ma.masked,
    "a complex number of NumPy": np.complex128(1 + 2j),
    "a time of NumPy": np.timedelta64(1, "s"),
    "far beyond floats": 10**400,
    "a huge number": 1e60,
    "all but 1": 1 - 1e-13,
    "not a number": float("nan"),
    "nothing": None,
    "a class": int,
    "bytes": b"12",
    "a function that leaves": leaves,
    "arrays": (np.arange(3.0), np.arange(3.0)),
    "a function that returns arrays": lambda *given: (np.arange(3.0), np.arange(3.0)),
}


@pytest.mark.parametrize("name", CHECKS)
def test_any_answer_is_met_with_words(name):
    check = CHECKS[name]
    for what, answer in ANSWERS.items():
        feedback = check(*[answer] * len(inspect.signature(check).parameters))
        assert isinstance(feedback, Feedback) and len(feedback.words) > 10, what
        assert not feedback.passed or what == "all but 1", what  # to one exercise it is an answer


def test_an_interval_without_the_mean_is_met_with_words():
    given = exercises.check_interval_of_mean(lambda r: (r - 1.96 * r.std(), r + 1.96 * r.std()))
    assert not given.passed and "should return two numbers" in given.words
    given = exercises.check_interval_of_mean(lambda r: (1.0, 2.0) if len(r) == 25 else None)
    assert not given.passed and given.words.endswith("two numbers, not None.")


def test_complex_numbers_are_none_that_were_asked_for():
    given = exercises.check_guided_reward(lambda mean, now, largest: mean + 3j)
    assert not given.passed and "an array of numbers" in given.words


def test_a_function_may_return_one_array_again_and_again():
    ends, one = np.empty(2), np.empty(())

    def interval(returns):
        half = 1.96 * returns.std(ddof=1) / len(returns) ** 0.5
        ends[:] = returns.mean() - half, returns.mean() + half
        return ends

    def variance(n, beta, lambda0, alpha0):
        return np.divide(beta, (lambda0 + n) * (alpha0 + n / 2 - 1), out=one)

    assert exercises.check_interval_of_mean(interval).passed
    assert exercises.check_reward_uncertainty(variance).passed
