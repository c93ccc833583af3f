"""The upper row of the picture of a race: many runs of each agent."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.race_view import RacerView, RaceView
from eubrl_edu.plotting.style import BLACK

LETTERS_FOR_A_NAME, LETTERS_FOR_NUMBERS = 1.2, 2.2


class ManyRuns:
    """Bands of the return over time, every run at its end, and who has solved the world by when.

    Parameters
    ----------
    band_axes, end_axes, solved_axes : matplotlib.axes.Axes
        Where to draw.
    styles : sequence of mapping
        How each agent looks.
    view : RaceView
        What to show first.
    """

    def __init__(
        self,
        band_axes: Axes,
        end_axes: Axes,
        solved_axes: Axes,
        styles: Sequence[Mapping[str, Any]],
        view: RaceView,
    ) -> None:
        height = end_axes.get_window_extent().height * 72 / end_axes.figure.dpi
        self.letters_per_row = height / matplotlib.rcParams["font.size"] / len(styles)
        self.bands, self.medians, self.solved = [], [], []
        self.dots, self.ends, self.rings = [], [], []
        for place, style in enumerate(styles):
            every = (3 + 4 * place) % 20, 20
            band = Polygon(np.zeros((1, 2)), facecolor=style["color"], alpha=0.2, linewidth=0)
            self.bands.append(band_axes.add_patch(band))
            self.medians += band_axes.plot([], [], **style, markevery=every)
            self.solved += solved_axes.plot(
                [], [], **style, markevery=every, drawstyle="steps-post"
            )
            dots = {"marker": style["marker"], "color": style["color"], "linestyle": "none"}
            self.dots += end_axes.plot([], [], **dots, alpha=0.45, markersize=4, markeredgewidth=0)
            self.ends += end_axes.plot([], [], "|-", color=BLACK, markersize=9, zorder=3)
            self.rings += end_axes.plot(
                [], [], "o", markerfacecolor="none", color=BLACK, markersize=10, zorder=4
            )
        self.words = Lettering(
            end_axes,
            [(0.0, place + 0.3) for place in range(len(styles))],
            align="left",
            size=0.83,
            stand=True,
            transform=end_axes.get_yaxis_transform(),
        )
        self.words.set_visible(self.letters_per_row >= LETTERS_FOR_A_NAME)
        if not view.has_rule:
            solved_axes.text(
                0.5,
                0.5,
                "no rule says\nwhen this world\nis solved",
                transform=solved_axes.transAxes,
                ha="center",
                va="center",
            )

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        lines = (self.bands, self.medians, self.dots, self.ends, self.rings, self.solved)
        return [self.words, *(artist for artists in lines for artist in artists)]

    def draw(self, view: RaceView) -> None:
        """Move the artists to ``view``."""
        self.words.write(
            [self._draw_racer(place, racer, view) for place, racer in enumerate(view.racers)]
        )

    def _draw_racer(self, place: int, racer: RacerView, view: RaceView) -> str:
        """Draw all runs of one agent, and return what to write beside their ends."""
        low, middle, high = view.shown(racer.bands, view.times)
        self.medians[place].set_data(view.times, middle)
        there, back = np.column_stack([view.times, low]), np.column_stack([view.times, high])
        self.bands[place].set_xy(np.concatenate([there, back[::-1]]))
        # The golden section spreads any number of dots evenly, without chance.
        spread = np.arange(len(racer.final_returns)) * 0.618 % 1.0
        steps = len(view.optimum) - 1
        ends = view.shown(racer.final_returns, steps)
        self.dots[place].set_data(ends, place + 0.45 + 0.45 * spread)
        mean = view.shown(np.array([racer.mean.low, racer.mean.value, racer.mean.high]), steps)
        self.ends[place].set_data(mean, [place + 0.675] * 3)
        watched = view.shown(racer.watched.returns[-1], steps)
        self.rings[place].set_data([watched], [place + 0.675])
        if view.has_rule:
            share = np.searchsorted(racer.solved_times, view.times, side="right")
            self.solved[place].set_data(view.times, share / len(racer.final_returns))
        if self.letters_per_row <= LETTERS_FOR_NUMBERS:
            return racer.name
        words = f"{racer.name}: {mean[1]:.4g}"
        return words if np.isnan(mean).any() else f"{words} [{min(mean):.4g}, {max(mean):.4g}]"
