"""The picture of a race: many runs of each agent above, one run of each, step by step, below."""

import math
from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from eubrl_edu.plotting.agent_styles import AGENT_STYLES, ANY_AGENT
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.race_many import ManyRuns
from eubrl_edu.plotting.race_one import OneRun, shown_times
from eubrl_edu.plotting.race_view import RaceView
from eubrl_edu.plotting.style import BLACK


class RacePicture:
    """Two rows: all seeds of each agent, and one run of each.

    Parameters
    ----------
    figure : Figure
        An empty figure.
    view : RaceView
        What to show first; its agents and its number of steps stay.
    """

    def __init__(self, figure: Figure, view: RaceView) -> None:
        self.names = [racer.name for racer in view.racers]
        # Who comes first lies on top: where two agree to the point, both can be seen.
        self.styles = [
            AGENT_STYLES.get(name, ANY_AGENT) | {"zorder": 2.5 - 0.01 * place}
            for place, name in enumerate(self.names)
        ]
        self.steps = len(view.optimum) - 1
        letter = matplotlib.rcParams["font.size"]
        columns = self._legend_columns(figure, letter)
        legend_rows = math.ceil((len(self.names) + 2) / columns)
        upper, lower = axes_grid(
            figure,
            row_heights=[1, 1],
            row_gaps=[6.2],
            margins=(4.2, 1.6, 4.0 + 1.45 * legend_rows, 3.2),
            columns=3,
            column_gap=4.4,
        )
        (self.band_axes, self.end_axes, self.solved_axes) = upper
        (self.return_axes, self.coverage_axes, self.uncertainty_axes) = lower
        self._build_axes(view.params.show)
        self._build_legend(figure, columns)
        every = shown_times(view)
        for axes in (self.band_axes, self.return_axes):
            axes.plot(every, view.shown(view.optimum[every], every), color=BLACK, linewidth=1)
        self.many = ManyRuns(*upper, self.styles, view)
        self.one = OneRun(*lower, self.styles, view)
        self.row_titles = []
        for axes in (self.band_axes, self.return_axes):
            height = axes.get_window_extent().height * 72 / figure.dpi
            place = (0, 1 + 2.2 * letter / height)
            look = {"align": "left", "stand": True, "weight": "bold", "transform": axes.transAxes}
            self.row_titles.append(Lettering(axes, [place], **look))

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        return [*self.many.moving, *self.one.moving, *self.row_titles]

    def draw(self, view: RaceView) -> None:
        """Move the artists to ``view``."""
        self._set_limits(view)
        n_seeds = max(len(racer.final_returns) for racer in view.racers)
        runs = "1 run" if n_seeds == 1 else f"{n_seeds} runs"
        self.row_titles[0].write(
            [f"{runs} of each agent: medians, and bands that hold the middle 80 %"]
        )
        self.row_titles[1].write([f"One run of each agent, seed {view.params.seed}"])
        self.many.draw(view)
        self.one.draw(view)

    def _legend_columns(self, figure: Figure, letter: float) -> int:
        """As many columns as fit, each as wide as its longest word."""
        room = figure.get_size_inches()[0] * 72 / letter
        widths = [5.0 + 0.5 * len(word) for word in (*self.names, "optimum", "the run below")]
        return len(widths) if sum(widths) < room else int(room / max(widths))

    def _build_axes(self, quantity: str) -> None:
        titles: Mapping[Axes, str] = {
            self.band_axes: f"{quantity.capitalize()} so far",
            self.end_axes: f"{quantity.capitalize()} at the end, means",
            self.solved_axes: "Share that has solved it",
            self.return_axes: f"{quantity.capitalize()} so far",
            self.coverage_axes: "Share of pairs tried",
            self.uncertainty_axes: "Mean $P_U$ of all pairs",
        }
        for axes, title in titles.items():
            axes.set_title(title, loc="left")
            axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
            if axes is self.end_axes:
                axes.set(xlabel=quantity, ylim=(len(self.names), 0))
                axes.yaxis.set_visible(False)
                axes.spines["left"].set_visible(False)
            else:
                axes.set(xlabel="steps", xlim=(0, self.steps))
                axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        for axes in (self.solved_axes, self.coverage_axes, self.uncertainty_axes):
            axes.set_ylim(-0.03, 1.05)
            axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])

    def _build_legend(self, figure: Figure, columns: int) -> None:
        handles = [
            Line2D([], [], **style, label=name)
            for name, style in zip(self.names, self.styles, strict=True)
        ]
        handles.append(Line2D([], [], color=BLACK, linewidth=1, label="optimum"))
        ring = {"marker": "o", "markerfacecolor": "none", "markersize": 10, "linestyle": "none"}
        handles.append(Line2D([], [], color=BLACK, **ring, label="the run below"))
        figure.legend(
            handles=handles,
            loc="upper left",
            ncols=columns,
            bbox_to_anchor=(0.01, 1.0),
            borderpad=0.3,
        )

    def _set_limits(self, view: RaceView) -> None:
        every = np.arange(self.steps + 1)
        curves, ends = [view.shown(view.optimum, every)], []
        for racer in view.racers:
            curves += [
                view.shown(racer.bands, view.times),
                view.shown(racer.watched.returns, every),
            ]
            ends += [view.shown(racer.final_returns, self.steps), curves[-1][-1:]]
        limits, end_limits = _round_limits(curves, True), _round_limits(ends, False)
        if self.band_axes.get_ylim() != limits:
            for axes in (self.band_axes, self.return_axes):
                axes.set_ylim(*limits)
        if self.end_axes.get_xlim() != end_limits:
            self.end_axes.set_xlim(*end_limits)


def _round_limits(values: Sequence[np.ndarray], with_zero: bool) -> tuple[float, float]:
    """Limits around all values, in coarse steps, so that they seldom move."""
    low, high = min(part.min() for part in values), max(part.max() for part in values)
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    # Where all are equal there is no spread to show.
    span = max(high - low, 1e-3 * abs(high), 1e-6)
    step = 10 ** math.floor(math.log10(span)) / 2
    top = math.ceil((high + 0.01 * span) / step) * step
    if with_zero and low > -0.02 * span:
        return -0.03 * top, top
    return math.floor((low - 0.01 * span) / step) * step, top
