"""What the pictures of all worlds share: the agent's next step, and how visits look."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import as_written, world_title
from eubrl_edu.plotting.picture import Moving
from eubrl_edu.plotting.style import VERMILLION

VISITS_MAP = "Blues"


@dataclass(frozen=True)
class Moment:
    """An agent in a world.

    Attributes
    ----------
    state : int
        Where it is.
    action : int or None
        What it is about to do; None where nothing follows.
    visits : (S,) integer array
        How often it acted in each state.
    steps : int
        How many steps the whole run has: so many visits there can be.
    """

    state: int
    action: int | None
    visits: np.ndarray
    steps: int


class World(Moving):
    """What the pictures of all worlds share: the agent, and an arrow to where it will get.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    env : TabularEnvironment
        The world.
    """

    def __init__(self, axes: Axes, env: TabularEnvironment):
        self.axes = axes
        self.env = env
        axes.set_title(as_written(world_title(env)), loc="left")
        style = "simple,head_length=9,head_width=10,tail_width=3"
        look = {"color": VERMILLION, "shrinkA": 0, "shrinkB": 0, "zorder": 6}
        self.arrow = FancyArrowPatch((0, 0), (1, 0), arrowstyle=style, **look)
        axes.add_patch(self.arrow)

    def draw(self, moment: Moment) -> None:
        """Put everything where ``moment`` wants it."""
        target = None if moment.action is None else self.likely_next(moment.state, moment.action)
        self.arrow.set_visible(target is not None and target != moment.state)
        if self.arrow.get_visible():
            self.point(np.array(self.place(moment.state)), np.array(self.place(target)))

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
