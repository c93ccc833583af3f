"""The checks of notebook 06_race."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import (
    Feedback,
    asks_for_number,
    call_failed,
    check_number,
    nothing_yet,
    numbers_in,
)
from eubrl_edu.experiments import make_agent
from eubrl_edu.simulation import simulate
from eubrl_edu.validation import LARGEST_INTEGER, shown


def check_runs_needed(answer: Any) -> Feedback:
    """Check how many runs make the interval of a mean four times narrower than 100 runs do."""
    runs, half_width, wanted = 100, 60.0, 15.0
    spread = half_width * math.sqrt(runs)
    needed = (spread / wanted) ** 2
    return check_number(
        answer,
        needed,
        "Right: four times as narrow takes sixteen times the runs.",
        [
            (needed - runs, "That is how many more it takes. How many is that in all?"),
            (runs * half_width / wanted, "With n runs the width goes like 1/√n, not like 1/n."),
            (
                runs * math.sqrt(half_width / wanted),
                "The other way round: the square of 4, not its root.",
            ),
        ],
        "The width is 2 · 1.96 · s / √n. What n makes it four times smaller?",
        tolerance=1e-9,
    )


def check_interval_of_mean(function: Callable[[Any], Any]) -> Feedback:
    """Check a function (returns) that gives both ends of the 95 % interval of the mean."""
    trials = [
        np.random.default_rng(seed).normal(300.0, 40.0, size=n) for seed, n in ((0, 25), (1, 100))
    ]
    try:
        answers = [function(trial.copy()) for trial in trials]  # it may work in place
    except Exception as error:
        return call_failed(error, ())
    first = answers[0]
    if first is ... or first is None or (isinstance(first, tuple) and ... in first):
        return nothing_yet("put the two ends in place of the dots.")
    numbers = [numbers_in(answer, 2) for answer in answers]
    if any(ends is None for ends in numbers):
        return Feedback(False, f"Your function should return two numbers, not {shown(first)}.")

    def agrees(half_width: Callable[[np.ndarray], float]) -> bool:
        right = [trial.mean() + half_width(trial) * np.array([-1, 1]) for trial in trials]
        return np.allclose(numbers, right, rtol=1e-3)

    # With 1.96 or 2, and n or n − 1 below the line: all are in use, and here they agree.
    for factor in (1.96, 2.0):
        for lost in (0, 1):
            if agrees(lambda x, f=factor, d=lost: f * x.std(ddof=d) / math.sqrt(len(x))):
                return Feedback(True, "Right: the mean, give or take two standard errors.")
    if agrees(lambda x: 1.96 * x.std(ddof=1)) or agrees(lambda x: 1.96 * x.std()):
        return Feedback(False, "That holds most of the runs. The mean is surer: divide by √n.")
    if agrees(lambda x: x.std(ddof=1) / math.sqrt(len(x))) or agrees(
        lambda x: x.std() / math.sqrt(len(x))
    ):
        return Feedback(False, "That is one standard error each way. 95 % takes 1.96 of them.")
    if agrees(lambda x: 1.96 * x.std(ddof=1) / len(x)) or agrees(lambda x: 1.96 * x.std() / len(x)):
        return Feedback(False, "Almost: divide by the square root of n.")
    return Feedback(False, "Begin with the mean; then take away, and add, 1.96 · s / √n.")


@asks_for_number("A seed is a whole number from 0 on", lambda n: n >= 0 and n == int(n))
def check_lucky_seed(number: float) -> Feedback:
    """Check that ε-greedy Q-learning finds the better of two loops with this seed."""
    if number > LARGEST_INTEGER:
        return Feedback(False, f"Seeds end at {LARGEST_INTEGER:,}. Try smaller ones.")
    env = make_env("loop", size=2)
    rewards = simulate(make_agent("Q-learning", env), env, steps=1000, seed=int(number)).rewards
    words = f"With seed {int(number)} it earns {rewards.sum():g}"
    if (rewards == 2).sum() >= 11:
        return Feedback(True, f"Right: {words[0].lower()}{words[1:]}. One lucky run, and many not.")
    return Feedback(False, f"{words}: it goes round in the loop that pays 1. Try other seeds.")
