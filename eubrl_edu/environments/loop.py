"""Loop: many ways round pay 1, a single one that forgives no mistake pays 2."""

from collections.abc import Iterator

import numpy as np

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import require_size

START = 0
LENGTH = 4
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Loop(TabularEnvironment):
    """L loops that meet in one start state; Experimental Setup, "Environments", in the paper.

    ::

              action k          any action     (the optimal loop: action L-1 only)
        [0] ----------> [4k+1] ------------> [4k+2] ---> [4k+3] ---> [4k+4]
         ^                                                              |
         +--------------- any action: pays 1 (the optimal loop: 2) -----+

    Strens' original (2000) has two loops; the paper generalizes it to any number.

    - **States** 0, the start, and four for each loop: loop k holds 4k+1 to 4k+4; S = 4L + 1.
      It never ends (studies run it for 1000 steps).
    - **Actions** A = L. In the start state, action k enters loop k. In a suboptimal loop every
      action moves on, and leaving its last state pays 1. In the optimal loop, the last one
      (k = L - 1), only its own action moves on, any other falls back to the start and pays
      nothing; from its last state every action leads to the start and pays 2.
    - **What it tests**: structured exploration. All is deterministic, yet the better reward
      needs the same action four times in a row while an easy reward waits on every other way.
    - **Best behaviour**: action L - 1 always, which earns 2 every 5 steps.

    Parameters
    ----------
    size : int
        Number of loops L, at least 1.
    """

    def __init__(self, size: int = 2):
        self.size = require_size(size, lambda loops: loops * (LENGTH * loops + 1))
        super().__init__(
            n_states=LENGTH * self.size + 1,
            n_actions=self.size,
            action_names=[f"a{k}".translate(SUBSCRIPTS) for k in range(self.size)],
            state_names=["start", *(f"loop {k}, {i}" for k in range(self.size) for i in range(4))],
            state_positions=_petals(self.size),
        )

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """One certain outcome."""
        optimal = self.size - 1
        if state == START:
            yield Outcome(1.0, LENGTH * action + 1, 0.0)
            return
        loop, place = divmod(state - 1, LENGTH)
        if place == LENGTH - 1:
            yield Outcome(1.0, START, 2.0 if loop == optimal else 1.0)
        elif loop == optimal and action != optimal:
            yield Outcome(1.0, START, 0.0)
        else:
            yield Outcome(1.0, state + 1, 0.0)


def _petals(size: int) -> np.ndarray:
    """Drawing coordinates (S, 2): the start in the middle, each loop a square petal around it."""
    angles = 2 * np.pi * np.arange(size)[:, None] / size
    inner = max(1.0, size / np.pi)  # far enough out that neighbouring petals stay apart
    outward = inner + np.array([0.0, 1.0, 1.0, 0.0])
    sideways = np.array([-0.5, -0.5, 0.5, 0.5])
    x = outward * np.cos(angles) - sideways * np.sin(angles)
    y = outward * np.sin(angles) + sideways * np.cos(angles)
    # The first loop stands on the left, as it comes first in every list.
    return np.vstack([[0.0, 0.0], np.column_stack([-x.ravel(), y.ravel()])])
