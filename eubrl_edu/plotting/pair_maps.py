"""A number for each pair (s, a), as colours: on a strip of states, or in the cells of a grid.

The artists of a map are made once and moved from then on.
"""

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from eubrl_edu.environments import DeepSea
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.plotting.lettering import Lettering, short
from eubrl_edu.plotting.names import as_written, state_ticks
from eubrl_edu.plotting.picture import Moving, new_line
from eubrl_edu.plotting.style import VERMILLION

MOST_NUMBERS = 20  # pairs whose numbers still fit into the cells
STRIP_WIDTH = 380.0  # points from the first state to the last
LONGEST_NUMBER = 3.6  # ems that a number in a cell may take, with a little room
NARROW_FROM = 30  # columns of a strip that leave no room for wide lines
LIGHT_FROM = 0.55  # from here up, both colour maps are light enough for black letters
UNREACHABLE = "#E4E4E4"


def draw_pair_map(axes: Axes, env: TabularEnvironment, colour_map: str) -> "PairMap":
    """Return the map that suits the world: halved cells for the sea, a strip for all others."""
    kind = SeaMap if isinstance(env, DeepSea) else StripMap
    return kind(axes, env, colour_map)


class PairMap(Moving):
    """What both kinds of map share: cells, marks on pairs, and the outline of a state.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    env : TabularEnvironment
        The world, for its names and its shape.
    colour_map : str
        Name of a Matplotlib colour map.

    Attributes
    ----------
    reading, marks_look_like : str
        For titles: how to read the map, and how it marks a pair.
    """

    reading: str
    marks_look_like: str

    def __init__(self, axes: Axes, env: TabularEnvironment, colour_map: str):
        self.axes = axes
        self.colour_map = colour_map
        self.shown = reachable_states(env)
        rows, columns = self.pixels(np.zeros((env.n_states, env.n_actions))).shape
        left, right, bottom, top = self.extent(rows, columns)
        self.cells = draw_cells(axes, colour_map, rows, columns, (left, right, bottom, top))
        narrow = columns > NARROW_FROM
        look = {"fill": False, "ec": VERMILLION, "lw": 2 if narrow else 3.5, "clip_on": False}
        self.outline = Rectangle((0, 0), 1, 1, **look, zorder=4)
        if not narrow:
            self.outline.set_path_effects([withStroke(linewidth=7, foreground="white")])
        axes.add_patch(self.outline)
        self.lines = self.separate(rows, columns)
        axes.set(xlim=(left, right), ylim=(bottom, top), anchor="N")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)

    def separate(self, rows: int, columns: int) -> LineCollection:
        """Draw white lines between what belongs apart."""
        raise NotImplementedError

    def pixels(self, values: np.ndarray) -> np.ndarray:
        """The (S, A) values in the order of the cells; NaN where there is nothing to show."""
        raise NotImplementedError

    def extent(self, rows: int, columns: int) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the cells in data coordinates."""
        raise NotImplementedError

    def colour_bar(self, ticks: Sequence[float], labels: Sequence[str]) -> None:
        """Add a colour bar from 0 to 1 that never moves."""
        self.bar = self.axes.figure.colorbar(
            ScalarMappable(cmap=self.colour_map), ax=self.axes, pad=0.02, fraction=0.06, aspect=12
        )
        self.bar.outline.set_visible(False)
        self.bar.set_ticks(ticks, labels=labels)

    def paint(self, values: np.ndarray, low: float, high: float) -> np.ndarray:
        """Colour the pairs on a scale from ``low`` to ``high``; return where they are on it."""
        span = high - low
        self.level = (values - low) / span if span > 0 else np.zeros_like(values)
        shown = np.where(self.shown[:, None], self.level, np.nan)
        self.cells.set_array(np.ma.masked_invalid(self.pixels(shown)))
        return self.level

    def range_of(self, values: np.ndarray) -> tuple[float, float]:
        """A range that shows the differences: of most values that are shown, without outliers.

        Outliers lie further from the middle half than one and a half times its width (Tukey).
        """
        shown = values[self.shown]
        low, high = np.quantile(shown, [0.25, 0.75])
        reach = 1.5 * (high - low)
        if reach == 0:
            return float(shown.min()), float(shown.max())
        return float(max(shown.min(), low - reach)), float(min(shown.max(), high + reach))


class StripMap(PairMap):
    """States from left to right, a row for each action; the numbers too where they fit."""

    reading = ", probability of uncertainty"
    marks_look_like = "○"

    def __init__(self, axes: Axes, env: TabularEnvironment, colour_map: str):
        super().__init__(axes, env, colour_map)
        states, actions = env.n_states, env.n_actions
        axes.set_yticks(range(actions), map(as_written, env.action_names))
        axes.set_xticks(*state_ticks(env))
        self.numbers = None
        if states * actions <= MOST_NUMBERS:
            pairs = np.argwhere(np.repeat(self.shown[:, None], actions, axis=1))
            room = STRIP_WIDTH / states / LONGEST_NUMBER / rcParams["font.size"]
            self.numbers = Lettering(axes, pairs, size=min(1.0, room))
        self.marks = new_line(
            axes, "o", color="white", mec="black", mew=1.2, ms=min(9.0, 0.6 * STRIP_WIDTH / states)
        )
        self.here = new_line(
            axes, "v", color=VERMILLION, ms=11, mec="black", zorder=7, clip_on=False
        )

    def pixels(self, values: np.ndarray) -> np.ndarray:
        """The values in the order of the cells."""
        return values.T

    def extent(self, rows: int, columns: int) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the cells."""
        return -0.5, columns - 0.5, rows - 0.5, -0.5

    def separate(self, rows: int, columns: int) -> LineCollection:
        """White lines between states and between actions."""
        return grid_lines(self.axes, rows, columns, 3.0, min(2.0, 0.08 * STRIP_WIDTH / columns))

    def mark(self, chosen: np.ndarray) -> None:
        """Put a dot on every pair of the (S, A) booleans, above its number."""
        states, actions = np.nonzero(chosen & self.shown[:, None])
        aside = (0.38, 0.3) if self.numbers else (0.0, 0.0)
        self.marks.set_data(states - aside[0], actions - aside[1])

    def outline_state(self, state: int) -> None:
        """Draw the outline around the column of a state, and point at it."""
        self.here.set_data([state], [-0.5])
        self.outline.set_bounds(state - 0.5, -0.5, 1, len(self.cells.get_array()))

    def write(self, values: np.ndarray) -> None:
        """Write the values into the cells, if there is room for them."""
        if self.numbers:
            light = self.level[self.shown].ravel() > LIGHT_FROM
            self.numbers.write(
                [short(value) for value in values[self.shown].ravel()],
                ["black" if is_light else "white" for is_light in light],
            )


class SeaMap(PairMap):
    """The cells of the sea, each in two halves: on the left the action that goes left.

    Which action that is differs from cell to cell, and only whoever drew the picture knows. Cells
    that cannot be reached stay grey.
    """

    reading = " (cell halves: left, right)"
    marks_look_like = "◁ ▷"

    def __init__(self, axes: Axes, env: DeepSea, colour_map: str):
        self.size = env.size
        cells = np.arange(env.size**2)
        right = env.right_action.ravel()
        self.order = np.stack([1 - right, right], axis=-1)
        self.places = cells[:, None]
        super().__init__(axes, env, colour_map)
        axes.set(xticks=[], yticks=[], aspect="equal")
        marks = {"color": "white", "mec": "black", "mew": 0.8, "ms": min(7.0, 75 / env.size)}
        self.left_marks = new_line(axes, "<", **marks)
        self.right_marks = new_line(axes, ">", **marks)

    def pixels(self, values: np.ndarray) -> np.ndarray:
        """The values in the order of the cells."""
        return values[self.places, self.order].reshape(self.size, 2 * self.size)

    def extent(self, rows: int, columns: int) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the cells."""
        return -0.5, self.size - 0.5, self.size - 0.5, -0.5

    def separate(self, rows: int, columns: int) -> LineCollection:
        """White lines between states and between actions."""
        return grid_lines(self.axes, self.size, self.size)

    def mark(self, chosen: np.ndarray) -> None:
        """Put an arrow head on the half of every pair of the (S, A) booleans."""
        halves = (chosen & self.shown[:, None])[self.places, self.order]
        for marks, half, shift in ((self.left_marks, 0, -0.25), (self.right_marks, 1, 0.25)):
            rows, columns = np.divmod(np.flatnonzero(halves[:, half]), self.size)
            marks.set_data(columns + shift, rows)

    def outline_state(self, state: int) -> None:
        """Draw the outline around the cell of a state; none around the end of an episode."""
        row, column = divmod(state, self.size)
        self.outline.set_visible(row < self.size)
        self.outline.set_bounds(column - 0.5, row - 0.5, 1, 1)

    def write(self, values: np.ndarray) -> None:
        """Half a cell has no room for a number."""


def draw_cells(
    axes: Axes, colour_map: str, rows: int, columns: int, extent: tuple[float, float, float, float]
) -> QuadMesh:
    """Draw cells to be coloured, the first row on top: much quicker than an image to draw again.

    ``extent`` is left, right, bottom and top of all cells in data coordinates.
    """
    left, right, bottom, top = extent
    return axes.pcolormesh(
        np.linspace(left, right, columns + 1),
        np.linspace(top, bottom, rows + 1),
        np.zeros((rows, columns)),
        cmap=matplotlib.colormaps[colour_map].with_extremes(bad=UNREACHABLE),
        vmin=0.0,
        vmax=1.0,
        zorder=0,
    )


def grid_lines(
    axes: Axes, rows: int, columns: int, between_rows: float = 2.5, between_columns: float = 2.5
) -> LineCollection:
    """White lines of these widths between cells whose middles are whole numbers."""
    across = [[(-0.5, row - 0.5), (columns - 0.5, row - 0.5)] for row in range(1, rows)]
    down = [[(column - 0.5, -0.5), (column - 0.5, rows - 0.5)] for column in range(1, columns)]
    widths = [between_rows] * len(across) + [between_columns] * len(down)
    lines = LineCollection(across + down, colors="white", linewidths=widths, zorder=1)
    return axes.add_collection(lines, autolim=False)
