"""DeepSea: one treasure behind N right turns, each of which costs a little."""

from collections.abc import Iterator

import numpy as np

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import require_bool, require_index, require_positive_int, require_size


class DeepSea(TabularEnvironment):
    """An N x N sea; Osband et al. (2019), and "Environments" in the paper's Experimental Setup.

    ::

        start
          v    column 0 ... N-1
        [ o . . . ]    each step: one row down, and one column left or right (walls clip);
        [ . . . . ]    ``right`` costs 0.01/N;
        [ . . . . ]    which of the two actions means ``right`` differs from cell to cell
        [ . . . T ]    ``right`` in the last column pays +1 (only T can be reached there)

    - **States** row * N + column for the cells, and N*N, the terminal state below the last
      row. An episode starts in cell (0, 0) and lasts exactly N steps.
    - **Actions** 0 and 1. ``right_action[row, column]`` is the one that means ``right``: a fair
      coin per cell, fixed for the life of the world, unknown to the agent.
    - **Stochastic variant**: a ``right`` succeeds with probability 1 - 1/N, else the column
      stays (the cost is still due). In the last row, columns 0 and N - 1 add N(0, 1)
      noise to the reward, whatever the action.
    - **What it tests**: deep exploration. Every ``right`` on the way looks like a loss, and
      an agent that dithers finds the treasure with probability 2^-N per episode.
    - **Best behaviour**: ``right`` along the diagonal. It returns 0.99 in an episode of the
      deterministic sea, and (1 - 1/N)^(N-1) - 0.01 on average if kept up in the stochastic one.

    Parameters
    ----------
    size : int
        Side length N, at least 1.
    stochastic : bool
        Whether to build the stochastic variant.
    seed : int
        Seed of the action mapping, ``numpy.random.default_rng(seed)``.

    Raises
    ------
    ValueError
        If ``size`` or ``seed`` is out of range.
    """

    move_cost = 0.01

    def __init__(self, size: int = 10, stochastic: bool = False, seed: int = 0):
        self.size = require_size(size, lambda rows: 2 * (rows**2 + 1))
        self.stochastic = require_bool("stochastic", stochastic)
        seed = require_positive_int("seed", seed, at_least=0)
        self.right_action = np.random.default_rng(seed).integers(2, size=(self.size, self.size))
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        below = ((self.size - 1) / 2, -self.size)
        super().__init__(
            n_states=self.size**2 + 1,
            n_actions=2,
            terminal_states=(self.size**2,),
            state_names=[*map(str, cells), "end"],
            state_positions=[*((column, -row) for row, column in cells), below],
        )

    def cell(self, row: int, column: int) -> int:
        """The state of a cell; every cell of the row below the last is the terminal state.

        Raises
        ------
        ValueError
            If ``row`` is not from 0 to the sea's size, or ``column`` not below it.
        """
        row = require_index("row", row, self.size + 1)
        column = require_index("column", column, self.size)
        return row * self.size + column if row < self.size else self.size**2

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """For ``right``: it succeeds, it fails; for ``left``: the one certain outcome."""
        row, column = divmod(state, self.size)
        last = self.size - 1
        noise = 1.0 if self.stochastic and row == last and column in (0, last) else 0.0
        if action != self.right_action[row, column]:
            yield Outcome(1.0, self.cell(row + 1, max(column - 1, 0)), 0.0, noise)
            return
        reward = (1.0 if column == last else 0.0) - self.move_cost / self.size
        failure = 1 / self.size if self.stochastic else 0.0
        yield Outcome(1 - failure, self.cell(row + 1, min(column + 1, last)), reward, noise)
        yield Outcome(failure, self.cell(row + 1, column), reward, noise)
