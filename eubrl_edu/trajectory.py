"""What happened in a run, step by step."""

import html
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas


class Step(NamedTuple):
    """One transition, as the agent has just observed it."""

    state: int
    action: int
    reward: float
    next_state: int
    terminated: bool
    episode_end: bool


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What happened in a run of T steps.

    Attributes
    ----------
    states, actions, next_states : (T,) integer arrays
        State before each step, action taken, state reached.
    rewards : (T,) array
        Reward of each step.
    terminated : (T,) boolean array
        Whether the step reached a terminal state.
    episode_ends : (T,) boolean array
        Whether the world was reset after the step, at a terminal state or a limit of steps.
    plans : tuple of T plans, or None
        What the agent acted on at each step, if it was recorded; one object where it stayed.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    terminated: np.ndarray
    episode_ends: np.ndarray
    plans: tuple | None = None

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, number: int) -> Step:
        """The step with this number, from 0, as the plain numbers that the agent observed."""
        if isinstance(number, slice):
            raise TypeError("a trajectory has no slices: slice its arrays, such as states")
        return Step(*(getattr(self, name)[number].item() for name in COLUMNS))

    def __repr__(self) -> str:
        episodes = int(self.episode_ends.sum())
        plans = "" if self.plans is None else ", plans recorded"
        return (
            f"Trajectory({len(self):,} steps, {episodes:,} episodes ended, "
            f"return {self.rewards.sum():g}{plans})"
        )

    @property
    def episode_returns(self) -> np.ndarray:
        """The sum of the rewards of each episode; the last may have been cut short."""
        starts = np.flatnonzero(np.concatenate([[True], self.episode_ends[:-1]]))
        return np.add.reduceat(self.rewards, starts) if len(self) else np.empty(0)

    def to_frame(self) -> "pandas.DataFrame":
        """The steps as a table.

        Returns
        -------
        pandas.DataFrame
            A row for each step: ``episode`` (from 0), ``state action reward next_state terminated
            episode_end``.
        """
        import pandas

        columns = [getattr(self, name) for name in COLUMNS]
        frame = pandas.DataFrame(dict(zip(Step._fields, columns, strict=True)))
        before = frame.episode_end.cumsum() - frame.episode_end
        frame.insert(0, "episode", before.astype(np.int64))
        return frame

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.to_frame()._repr_html_()}"

    @classmethod
    def from_steps(cls, steps: Iterable[Step], plans: list | None = None) -> "Trajectory":
        """Gather steps into arrays, and the plans behind them if they were recorded."""
        table = np.fromiter(steps, dtype=list(COLUMNS.items()))  # a list takes six times as much
        arrays = (table[name].copy() for name in COLUMNS)
        return cls(*arrays, plans=None if plans is None else tuple(plans))


# The first arrays of a `Trajectory`, each with its type: one for each field of a `Step`.
COLUMNS = {
    column.name: {int: np.int64, float: np.float64, bool: np.bool_}[kind]
    for column, kind in zip(fields(Trajectory), Step.__annotations__.values(), strict=False)
}
