"""What the picture of a race shows."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class Estimate(Protocol):
    """A number and the ends of its interval."""

    value: float
    low: float
    high: float


class Watched(Protocol):
    """One run: arrays over the times 0 .. T, and when it was solved."""

    returns: np.ndarray
    coverage: np.ndarray
    mean_uncertainty: np.ndarray | None
    solved_at: int | None


class RacerView(Protocol):
    """All runs of one agent."""

    name: str
    bands: np.ndarray
    final_returns: np.ndarray
    mean: Estimate
    solved_times: np.ndarray
    watched: Watched


class RaceView(Protocol):
    """A race.

    ``times`` are those of the bands, ``optimum`` covers the times 0 .. T; ``until`` is the step up
    to which the one run is watched.
    """

    env: object
    times: np.ndarray
    optimum: np.ndarray
    until: int
    racers: Sequence[RacerView]
    has_rule: bool
    params: object

    def shown(self, returns: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Returns, or what they lack of the optimum."""
