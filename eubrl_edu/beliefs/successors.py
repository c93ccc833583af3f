"""Which next states each pair has shown so far: the index that beliefs keep their counts by."""

import numpy as np

from eubrl_edu.validation import require_index, require_sizes


class SuccessorTable:
    """For every pair (s, a), the next states listed so far, in order of first sight.

    The place k of a next state in its row is called its *outcome*. Arrays that hold something
    for each outcome, such as counts, have the shape (S, A, K) of ``successors`` and are widened
    with `widen` when a row outgrows K.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    """

    def __init__(self, n_states: int, n_actions: int):
        self.n_states, self.n_actions = require_sizes(n_states, n_actions)
        self.successors = np.zeros((self.n_states, self.n_actions, 1), dtype=np.int64)
        self.listed = np.zeros((self.n_states, self.n_actions), dtype=np.int64)

    @property
    def width(self) -> int:
        """Places per row, K."""
        return self.successors.shape[-1]

    def check(self, state: int, action: int, next_state: int) -> tuple[int, int, int]:
        """Return a transition as ints, or raise ``ValueError`` if one of them is out of range."""
        return (
            *self.check_pair(state, action),
            require_index("next_state", next_state, self.n_states),
        )

    def check_pair(self, state: int, action: int) -> tuple[int, int]:
        """Return a state and an action as ints, or raise ``ValueError``."""
        return (
            require_index("state", state, self.n_states),
            require_index("action", action, self.n_actions),
        )

    def outcome(self, state: int, action: int, next_state: int) -> int:
        """Return the outcome k of ``next_state`` in its row; list it first where it is new."""
        known = self.listed.item(state, action)
        row = self.successors[state, action].tolist()[:known]
        if next_state in row:
            return row.index(next_state)
        if known == self.width:
            self.successors = widen(self.successors, 2 * known, 0)
        self.successors[state, action, known] = next_state
        self.listed[state, action] = known + 1
        return known


def widen(array: np.ndarray, width: int, fill: float) -> np.ndarray:
    """Return ``array`` with its last axis grown to ``width``, the new places set to ``fill``."""
    missing = width - array.shape[-1]
    if missing <= 0:
        return array
    padding = [(0, 0)] * (array.ndim - 1) + [(0, missing)]
    return np.pad(array, padding, constant_values=fill)
