"""Intervals of what was measured, by hand: numbers in a row, pairs, successes."""

import math

import numpy as np

from eubrl_edu.experiments.intervals import (
    bootstrap_interval,
    paired_difference,
    rate_difference,
    wilson_interval,
)
from tests.bad_inputs.row import systematic
from tests.bad_inputs.values import NOT_POSITIVE_INTEGERS

NO_COLUMNS = (
    *(3.0, None, "12", np.ones((5, 1)), np.ones(10**6)),
    *([1.0, 1.0, 1.0, 1.0, x] for x in (math.nan, math.inf, 1.7e308, -1.7e308)),
)


def rows():
    five = [1.0, 2.0, 3.0, 4.0, 5.0]
    yield from systematic(
        "bootstrap_interval", bootstrap_interval, {"values": five}, {"values": [[], *NO_COLUMNS]}
    )
    yield from systematic(
        "paired_difference", paired_difference, {"ours": five, "theirs": five},
        {name: [[1.0], five[:4], *NO_COLUMNS] for name in ("ours", "theirs")},
    )  # fmt: skip
    numbers = {"successes": [-1, 11, 1.5, None, "1"], "n": NOT_POSITIVE_INTEGERS}
    yield from systematic(
        "wilson_interval", wilson_interval, {"successes": 5, "n": 10}, numbers
    )  # fmt: skip
    yield from systematic(
        "rate_difference", rate_difference,
        {"successes": 5, "n": 10, "other_successes": 5, "other_n": 10}, numbers,
    )  # fmt: skip
