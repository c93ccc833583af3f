"""The checks of notebook 06_race."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import (
    Feedback,
    asks_for_number,
    call_failed,
    check_number,
    has_dots,
    nothing_yet,
    numbers_in,
    returned_by,
)
from eubrl_edu.experiments import make_agent
from eubrl_edu.simulation import simulate
from eubrl_edu.validation import LARGEST_INTEGER, shown


def check_runs_needed(answer: Any) -> Feedback:
    """Check how many runs make the interval of a mean four times narrower than 100 runs do."""
    runs, half_width, wanted = 100, 60.0, 15.0
    spread = half_width * math.sqrt(runs)
    needed, upside_down = (spread / wanted) ** 2, runs * math.sqrt(half_width / wanted)
    return check_number(
        answer,
        (needed, "Right: four times as narrow takes sixteen times the runs."),
        (needed - runs, "That is how many more it takes. How many is that in all?"),
        (runs * half_width / wanted, "With n runs the width goes like 1/√n, not like 1/n."),
        (upside_down, "The other way round: the square of 4, not its root."),
        otherwise="The width is 2 · 1.96 · s / √n. What n makes it four times smaller?",
        tolerance=1e-9,
    )


def check_interval_of_mean(function: Callable[[Any], Any]) -> Feedback:
    """Check a function (returns) that gives both ends of the 95% interval of the mean."""
    trials = [
        np.random.default_rng(seed).normal(300.0, 40.0, size=n) for seed, n in ((0, 25), (1, 100))
    ]
    try:
        answers = [returned_by(function, trial.copy()) for trial in trials]  # it may work in place
    except (Exception, SystemExit) as error:
        return call_failed(error, ())
    if answers[0] is None or has_dots(answers[0]):
        return nothing_yet("put the two ends in place of the dots.")
    numbers = [numbers_in(answer, 2) for answer in answers]
    for answer, ends in zip(answers, numbers, strict=True):
        if ends is None:
            text = f"Your function should return two numbers, not {shown(answer)}."
            return Feedback(False, text)

    def agrees(*ways: Callable[[np.ndarray], Any], rounding: float = 0.0) -> bool:
        # To a fiftieth of the standard error: they may be rounded to one decimal place.
        most = [[max(stats.sem(x) / 50, rounding)] for x in trials]
        off = (np.abs(np.subtract(numbers, [way(x) for x in trials])) for way in ways)
        return any((each < most).all() for each in off)

    def around(factor: float, power: float) -> list[Callable[[np.ndarray], Any]]:
        # With n or n − 1 below the line: both are in use.
        return [
            lambda x, lost=lost: (
                x.mean() + factor * x.std(ddof=lost) / len(x) ** power * np.array([-1, 1])
            )
            for lost in (0, 1)
        ]

    # With 1.96, or 2, or Student's for so many runs: all are in use, too.
    right = [*around(1.96, 1 / 2), *around(2.0, 1 / 2), _by_student]
    if agrees(*right):
        return Feedback(True, "Right: the mean, give or take two standard errors.")
    if agrees(*around(1.96, 0), *around(2.0, 0), lambda x: np.quantile(x, [0.025, 0.975])):
        return Feedback(
            False, "That interval holds most runs. The mean is known more precisely: divide by √n."
        )
    if agrees(*around(1.0, 1 / 2)):
        return Feedback(False, "That is one standard error each way. 95% takes 1.96 of them.")
    if agrees(*around(1.96, 1)):
        return Feedback(False, "Almost: divide by the square root of n.")
    if agrees(*(lambda x, way=way: way(x)[::-1] for way in right)):
        return Feedback(False, "Almost: the lower end comes first.")
    if agrees(*(lambda x, way=way: (x.mean(), way(x)[1] - x.mean()) for way in right)):
        return Feedback(
            False, "Almost: return the two ends, not the mean and how far off they are."
        )
    if np.array_equal(numbers, np.round(numbers)) and agrees(*right, rounding=0.51):
        return Feedback(False, "Almost: give the ends to at least one decimal place.")
    return Feedback(False, "Begin with the mean; then subtract and add 1.96 · s / √n.")


def _by_student(x: np.ndarray) -> tuple[float, float]:
    return stats.t.interval(0.95, len(x) - 1, loc=x.mean(), scale=stats.sem(x))


@asks_for_number("A seed is a whole number, 0 or above", lambda n: n >= 0 and n == int(n))
def check_lucky_seed(number: float) -> Feedback:
    """Check that ε-greedy Q-learning finds the better of two loops with this seed."""
    if number > LARGEST_INTEGER:
        return Feedback(False, f"Seeds end at {LARGEST_INTEGER:,}. Try smaller ones.")
    env = make_env("loop", size=2)
    rewards = simulate(make_agent("Q-learning", env), env, steps=1000, seed=int(number)).rewards
    words = f"With seed {int(number)} it earns {rewards.sum():g}"
    if (rewards == 2).sum() >= 11:
        return Feedback(
            True, f"Right: {words[0].lower()}{words[1:]}. It is one lucky run among many."
        )
    return Feedback(False, f"{words}, with fewer than 11 rounds of loop 1. Try other seeds.")
