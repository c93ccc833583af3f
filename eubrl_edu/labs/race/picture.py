"""The picture of a race: many runs of each agent above, one run of each, step by step, below."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from eubrl_edu.labs.race.many_runs import ManyRuns
from eubrl_edu.labs.race.one_run import OneRun
from eubrl_edu.labs.race.scene import State
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.legend import AGENT_STYLES, Legend, looks_of, settled_rows
from eubrl_edu.plotting.lettering import title_of
from eubrl_edu.plotting.picture import Moving, new_line, set_limits
from eubrl_edu.plotting.root_axis import ROOT_SCALE, RootLocator
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import BLACK

OPTIMUM_LOOK = {"color": BLACK, "linewidth": 1}
RING_LOOK = {
    "color": BLACK,
    "marker": "o",
    "markerfacecolor": "none",
    "markersize": 10,
    "linestyle": "none",
}


class RacePicture(Moving):
    """Two rows: all seeds of each agent, and one run of each."""

    def __init__(self, figure: Figure, state: State) -> None:
        n_rows = settled_rows(legend_names(state), figure.get_size_inches()[0])
        margins = (4.2, 1.6, 4.0 + 1.45 * n_rows, 3.2)
        upper, lower = axes_grid(figure, [1, 1], [6.2], margins, columns=2, column_gap=4.4)
        self.band_axes, self.end_axes = upper
        self.return_axes, self.coverage_axes = lower
        self.is_lost = None
        self._build_axes()
        self.optimum_lines = [
            new_line(axes, **OPTIMUM_LOOK) for axes in (self.band_axes, self.return_axes)
        ]
        looks = AGENT_STYLES | looks_of(state.own)
        # Who comes first lies on top: where two agree to the point, both can be seen.
        styles = {
            name: style | {"zorder": 2.5 - 0.01 * place}
            for place, (name, style) in enumerate(looks.items())
        }
        self.many = ManyRuns(*upper, styles)
        self.one = OneRun(*lower, styles)
        looks |= {"optimum": OPTIMUM_LOOK, "the run below": RING_LOOK}
        self.legend = Legend(figure, looks, n_rows)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self._set_limits(state)
        quantity = state.params.show.capitalize()
        scale = "" if state.params.show == "return" else ", on a square-root axis"
        self.band_title.write([f"{quantity} so far{scale}"])
        self.return_title.write([f"{quantity} so far{scale}"])
        self.end_title.write([f"{quantity} at the end, means"])
        runs = state.runs[0].upper() + state.runs[1:]
        several = max(len(racer.outcomes) for racer in state.racers) > 1
        drawn = ": medians, and bands that hold the middle 80%" if several else ""
        self.row_titles[0].write([f"{runs}{drawn}"])
        steps = len(state.optimum) - 1
        moment = "" if state.until == steps else f", until step {state.until} of {steps}"
        self.row_titles[1].write([f"One run of each agent, seed {state.params.seed}{moment}"])
        every = state.watched_times
        for line in self.optimum_lines:
            line.set_data(every, state.shown(state.optimum[every], every))
        self.many.draw(state)
        self.one.draw(state)
        self.legend.draw(legend_names(state))

    def _build_axes(self) -> None:
        axes = self.coverage_axes
        axes.set_ylim(-0.03, 1.05)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
        self.end_axes.yaxis.set_visible(False)
        self.end_axes.spines["left"].set_visible(False)
        self.time_axes = self.band_axes, self.return_axes, self.coverage_axes
        for axes in self.time_axes:
            axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        self.end_ruler = Ruler(self.end_axes.xaxis)
        self.rulers = [
            *(Ruler(axes.xaxis) for axes in self.time_axes),
            *(Ruler(axes.yaxis) for axes in self.time_axes),
        ]
        self.band_title = title_of(self.band_axes)
        self.end_title = title_of(self.end_axes)
        self.return_title = title_of(self.return_axes)
        self.coverage_title = title_of(self.coverage_axes)
        self.coverage_title.write(["Share of pairs tried"])
        self.row_titles = [
            title_of(axes, lines_above=1.45, weight="bold")
            for axes in (self.band_axes, self.return_axes)
        ]

    def _set_limits(self, state: State) -> None:
        steps = len(state.optimum) - 1
        every = np.arange(steps + 1)
        curves, ends = [state.shown(state.optimum, every)], []
        for racer in state.racers:
            curves += [
                state.shown(racer.bands, state.times),
                state.shown(racer.watched.returns, every),
            ]
            ends += [state.shown(racer.final_returns, steps), curves[-1][-1:]]
        is_lost = state.params.show != "return"
        self._set_scale(is_lost)
        limits, end_limits = (
            _round_limits(values, with_zero, 0.002 if is_lost else 0.03)
            for values, with_zero in ((curves, True), (ends, is_lost))
        )
        for axes in (self.band_axes, self.return_axes):
            set_limits(axes, y=limits)
        set_limits(self.end_axes, end_limits)
        for axes in self.time_axes:
            set_limits(axes, (0, steps))
        for ruler in self.rulers:
            ruler.draw("steps" if ruler.is_horizontal else "")
        self.end_ruler.draw(state.params.show)

    def _set_scale(self, is_lost: bool) -> None:
        """Show returns as they are, and losses, of very different sizes, on a square-root axis."""
        if self.is_lost == is_lost:
            return
        self.is_lost = is_lost
        scale = ROOT_SCALE if is_lost else {"value": "linear"}
        for axes in (self.band_axes, self.return_axes):
            axes.set_yscale(**scale)
        self.end_axes.set_xscale(**scale)
        for axis in (self.band_axes.yaxis, self.return_axes.yaxis, self.end_axes.xaxis):
            steps = MaxNLocator(5, steps=[1, 2, 5, 10])
            axis.set_major_locator(RootLocator() if is_lost else steps)
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "−")))


def legend_names(state: State) -> list[str]:
    """What the legend names, in its order."""
    return [*(racer.name for racer in state.racers), "optimum", "the run below"]


def _round_limits(
    values: Sequence[np.ndarray], with_zero: bool, below: float
) -> tuple[float, float]:
    """Limits around all values, in coarse steps, so that they seldom move.

    Where 0 is the lowest, ``below`` is the share of the top that is left below it.
    """
    low, high = min(part.min() for part in values), max(part.max() for part in values)
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    # Where all are equal there is no spread to show.
    span = max(high - low, 1e-3 * abs(high), 1e-6)
    step = 10 ** math.floor(math.log10(span)) / 2
    top = math.ceil((high + 0.01 * span) / step) * step
    if with_zero and low > -0.02 * span:
        return -below * top, top
    return math.floor((low - 0.01 * span) / step) * step, top
