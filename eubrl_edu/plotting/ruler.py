"""The numbers along an axis, as artists that move with the rest of a picture.

Matplotlib takes about ten milliseconds to draw an axis, longer than all the curves, and draws the
whole figure anew when the limits change. A ruler needs a tenth of a millisecond or two.
"""

import matplotlib
import numpy as np
from matplotlib.axis import Axis
from matplotlib.lines import TICKDOWN, TICKLEFT, Line2D
from matplotlib.transforms import ScaledTranslation

from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.picture import Moving

TICK_LENGTH = 3.5  # points, as is the room between a tick and its number
NAME_DEPTH = 2.25  # from an axis to the middle of its name, in heights of a letter
GRID = {"color": "#E0E0E0", "linewidth": 0.8, "zorder": 0.5}


class Ruler(Moving):
    """Ticks, numbers and name of an axis, and lines across the picture at its ticks.

    It takes the place of Matplotlib's own axis, which is not drawn any more, but still says where
    ticks are and how their numbers are written: its locator and formatter, and the limits of the
    axes, may change at any time.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        The horizontal or the vertical axis of some axes.
    numbered : bool
        Whether the ticks have numbers.
    grid : bool
        Whether there are lines across the picture.
    """

    def __init__(self, axis: Axis, numbered: bool = True, grid: bool = False) -> None:
        self.axis = axis
        self.is_horizontal = axis.axis_name == "x"
        self.numbered = numbered
        # Whatever happens to an animated artist, the figure does not become stale.
        axis.set_animated(True)
        axes, letter = axis.axes, matplotlib.rcParams["font.size"]
        across = axes.get_xaxis_transform() if self.is_horizontal else axes.get_yaxis_transform()
        self.ticks = Line2D(
            [],
            [],
            linestyle="none",
            marker=TICKDOWN if self.is_horizontal else TICKLEFT,
            markersize=TICK_LENGTH,
            color=matplotlib.rcParams["axes.edgecolor"],
            transform=across,
            clip_on=False,
        )
        self.grid = Line2D([], [], transform=across, visible=grid, **GRID)
        for line in (self.ticks, self.grid):
            axes.add_artist(line)
        away = 2 * TICK_LENGTH + (0.35 * letter if self.is_horizontal else 0.0)
        shift = (0, -away) if self.is_horizontal else (-away, 0)
        to_points = axes.figure.dpi_scale_trans
        self.numbers = Lettering(
            axes,
            [],
            align="center" if self.is_horizontal else "right",
            size=0.9,
            transform=across + ScaledTranslation(shift[0] / 72, shift[1] / 72, to_points),
        )
        self.name = Lettering(
            axes,
            [(0.5, 0.0)],
            transform=axes.transAxes + ScaledTranslation(0, -NAME_DEPTH * letter / 72, to_points),
        )
        self._drawn = None

    def draw(self, name: str = "") -> None:
        """Follow the limits of the axes; ``name`` stands below a horizontal axis."""
        limits, locator = self.axis.get_view_interval(), self.axis.get_major_locator()
        if self._drawn == (*limits, locator, name):
            return
        self._drawn = (*limits, locator, name)
        places = np.asarray(self.axis.get_majorticklocs())
        texts = self.axis.get_major_formatter().format_ticks(places)
        to_scale = self.axis.get_transform().transform
        low, high = np.sort(to_scale(limits))
        room = 1e-9 * (high - low)
        inside = np.abs(to_scale(places) - (low + high) / 2) <= (high - low) / 2 + room
        places = places[inside]
        texts = [text for text, is_in in zip(texts, inside, strict=True) if is_in]
        zeros = np.zeros(len(places))
        ends = np.tile([0.0, 1.0, np.nan], len(places))
        if self.is_horizontal:
            self.ticks.set_data(places, zeros)
            self.grid.set_data(np.repeat(places, 3), ends)
            self.numbers.move(np.column_stack([places, zeros]))
        else:
            self.ticks.set_data(zeros, places)
            self.grid.set_data(ends, np.repeat(places, 3))
            self.numbers.move(np.column_stack([zeros, places]))
        self.numbers.write(texts if self.numbered else [""] * len(texts))
        self.name.write([name])
