"""What the pictures of all worlds share: the agent's next step, and how visits look."""

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from eubrl_edu.experiments.explored_run import ExplorationState, ExploredRun
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import world_title
from eubrl_edu.plotting.style import VERMILLION

VISITS_MAP = "Blues"


class World:
    """What the pictures of all worlds share: the agent, and an arrow to where it will get.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    run : ExploredRun
        The run whose world it is.
    """

    def __init__(self, axes: Axes, run: ExploredRun):
        self.axes = axes
        self.env = run.env
        axes.set_title(world_title(run.env), loc="left")
        self.arrow = FancyArrowPatch(
            (0, 0),
            (1, 0),
            arrowstyle="simple,head_length=9,head_width=10,tail_width=3",
            color=VERMILLION,
            shrinkA=0,
            shrinkB=0,
            zorder=6,
        )
        axes.add_patch(self.arrow)

    @property
    def artists(self) -> Sequence[Artist]:
        """Everything that moves."""
        return [self.arrow]

    def move(self, state: ExplorationState) -> None:
        """Put everything where ``state`` wants it."""
        target = None if state.action is None else self.likely_next(state.state, state.action)
        self.arrow.set_visible(target is not None and target != state.state)
        if self.arrow.get_visible():
            self.point(np.array(self.place(state.state)), np.array(self.place(target)))

    def likely_next(self, state: int, action: int) -> int:
        """The most likely next state."""
        row = state, action, self.env.model.weights[state, action].argmax()
        return int(self.env.model.successors[row])

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        return tuple(self.env.state_positions[state])

    def point(self, here: np.ndarray, there: np.ndarray) -> None:
        """Draw the arrow from one place most of the way to another."""
        self.arrow.set_positions(here + 0.3 * (there - here), here + 0.85 * (there - here))


def visit_shade(visits: np.ndarray, steps: int) -> np.ndarray:
    """How dark to paint a number of visits, from 0 to 0.85, on a logarithmic scale."""
    return 0.85 * np.log10(1 + visits) / np.log10(1 + steps)


def write_counts(numbers: Lettering | None, visits: np.ndarray, shade: np.ndarray) -> None:
    """Write the visits, in letters that stand out against their ground; nothing for none."""
    if numbers:
        numbers.write(
            [str(count) if count else "" for count in visits],
            ["white" if dark > 0.55 else "black" for dark in shade],
        )
