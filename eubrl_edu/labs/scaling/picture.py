"""The picture of a scaling lab: cost over size on logarithmic axes, success rate below."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from eubrl_edu.experiments.intervals import Interval
from eubrl_edu.labs.scaling.scene import Spot, State
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.legend import AGENT_STYLES, Legend, settled_rows
from eubrl_edu.plotting.lettering import Lettering, title_of
from eubrl_edu.plotting.picture import Moving, new_line
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import BLACK, GREY

REFERENCE_NAMES = {"2^N": "2ᴺ", "S·A·m": "S·A·m", "linear": "∝ N", "quadratic": "∝ N²"}
LIMIT_NAME, OPEN_NAME = "a run ends", "not all solved"
LOOKS = {
    OPEN_NAME: {"color": GREY, "marker": "o", "markerfacecolor": "white", "linestyle": "none"},
    LIMIT_NAME: {"color": GREY, "linestyle": ":", "linewidth": 1.5},
} | {name: {"color": BLACK, "linewidth": 1} for name in REFERENCE_NAMES.values()}
# Agents stand a little apart, so that none is hidden; the runs of one, a little more.
APART = 1.025


class ScalingPicture(Moving):
    """Two panels over the size of the world: what it costs to solve it, and how often it is."""

    def __init__(self, figure: Figure, state: State) -> None:
        self.sizes = ()
        n_rows = settled_rows(legend_names(state), figure.get_size_inches()[0])
        margins = (5.4, 1.5, 2.4 + 1.45 * n_rows, 3.4)
        (self.cost_axes,), (self.success_axes,) = axes_grid(figure, [5, 2], [3.0], margins)
        self._build_axes()
        self.limit_line = new_line(self.cost_axes, **LOOKS[LIMIT_NAME])
        self.reference_line = new_line(self.cost_axes, color=BLACK, linewidth=1)
        self.agents = {
            name: AgentSpots(self.cost_axes, self.success_axes, style, zorder=3 + 0.1 * place)
            for place, (name, style) in enumerate(AGENT_STYLES.items())
        }
        self.legend = Legend(figure, AGENT_STYLES | LOOKS, n_rows)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        study, sizes = state.study, state.params.sizes
        if self.sizes != sizes:
            self._set_sizes(sizes)
        limits = _decades(state)
        if self.cost_axes.get_ylim() != limits:
            self.cost_axes.set_ylim(*limits)
            subs = (1.0, 2.0, 5.0) if limits[1] / limits[0] < 3000 else (1.0,)
            self.cost_axes.yaxis.set_major_locator(LogLocator(subs=subs))
        is_loop = study.environment == "loop"
        for ruler in self.rulers:
            ruler.draw()
        self.size_ruler.draw("loops" if is_loop else "size N")
        self.title.write([f"{study.metric.capitalize()} to solve: each run (faint), and means"])
        self.limit_line.set_data(sizes, state.limits)
        self.reference_line.set_data(sizes, state.reference)
        self.missing.write([f"{state.missing} still to run: press Run" if state.missing else ""])
        self.show_only([curve.name for curve in state.curves])
        for place, curve in enumerate(state.curves):
            apart = APART ** (place - (len(state.curves) - 1) / 2)
            self.agents[curve.name].draw(curve.spots, apart)
        self.legend.draw(legend_names(state))

    def _build_axes(self) -> None:
        for axes in (self.cost_axes, self.success_axes):
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.xaxis.set_minor_locator(NullLocator())
        self.cost_axes.set_yscale("log")
        self.cost_axes.yaxis.set_minor_locator(NullLocator())
        self.cost_axes.yaxis.set_major_formatter(FuncFormatter(_count))
        self.success_axes.set_title("Share of runs that solved it", loc="left")
        self.success_axes.set_ylim(-0.15, 1.15)
        self.success_axes.set_yticks([0, 0.5, 1], ["0", "½", "1"])
        self.rulers = [
            *(Ruler(self.cost_axes.xaxis), Ruler(self.cost_axes.yaxis, grid=True)),
            Ruler(self.success_axes.yaxis, grid=True),
        ]
        self.size_ruler = Ruler(self.success_axes.xaxis)
        self.title = title_of(self.cost_axes)
        corner = {"align": "right", "stand": True, "transform": self.cost_axes.transAxes}
        self.missing = Lettering(self.cost_axes, [(0.98, 0.03)], **corner)

    def _set_sizes(self, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        for axes in (self.cost_axes, self.success_axes):
            axes.set_xlim(sizes[0] / 1.2, sizes[-1] * 1.2)
            axes.xaxis.set_major_locator(FixedLocator(sizes))


class AgentSpots(Moving):
    """One agent at all sizes: each run, the means with their intervals, and the success rates.

    Parameters
    ----------
    cost_axes, success_axes : matplotlib.axes.Axes
        Where to draw.
    style : mapping
        How the agent looks.
    zorder : float
        The higher one lies on top.
    """

    def __init__(
        self, cost_axes: Axes, success_axes: Axes, style: Mapping[str, Any], zorder: float
    ) -> None:
        colour, marker = style["color"], style["marker"]
        alone = {"color": colour, "marker": marker, "linestyle": "none", "zorder": zorder + 0.05}
        faint = {"color": colour, "linestyle": "none", "markersize": 3.5, "marker": "o"}
        thin = {"color": colour, "linewidth": 1.2, "zorder": zorder}
        line = {"color": colour, "linestyle": style["linestyle"], "zorder": zorder}
        self.bars = new_line(cost_axes, **thin)
        self.means = new_line(cost_axes, **line)
        self.all_solved = new_line(cost_axes, **alone)
        self.some_not = new_line(cost_axes, markerfacecolor="white", **alone)
        self.dots = new_line(cost_axes, markeredgewidth=0, alpha=0.3, **faint)
        self.open_dots = new_line(cost_axes, markerfacecolor="none", alpha=0.5, **faint)
        self.rate_bars = new_line(success_axes, **thin)
        self.rates = new_line(success_axes, **line, marker=marker)

    def draw(self, spots: Sequence[Spot], apart: float) -> None:
        """Move to these spots, ``apart`` times as far to the right as they are."""
        x = np.array([spot.size * apart for spot in spots])
        means = np.array([spot.cost.value for spot in spots])
        whole = np.array([all(spot.solved) for spot in spots], dtype=bool)
        self.means.set_data(x, means)
        self.all_solved.set_data(x[whole], means[whole])
        self.some_not.set_data(x[~whole], means[~whole])
        self.bars.set_data(*_bars(x, [spot.cost for spot in spots]))
        runs = [
            (spot.size * apart * _spread(run), cost, solved)
            for spot in spots
            for run, (cost, solved) in enumerate(zip(spot.costs, spot.solved, strict=True))
        ]
        for dots, kind in ((self.dots, True), (self.open_dots, False)):
            chosen = [(at, cost) for at, cost, solved in runs if solved == kind]
            dots.set_data(np.array(chosen).reshape(-1, 2).T)
        self.rates.set_data(x, [spot.success.value for spot in spots])
        self.rate_bars.set_data(*_bars(x, [spot.success for spot in spots]))


def legend_names(state: State) -> list[str]:
    """What the legend names, in its order."""
    names = [*(curve.name for curve in state.curves), OPEN_NAME, LIMIT_NAME]
    reference = REFERENCE_NAMES.get(state.params.reference)
    return names if reference is None else [*names, reference]


def _bars(x: np.ndarray, estimates: Sequence[Interval]) -> tuple[np.ndarray, np.ndarray]:
    """A vertical bar at each x, all of them as one broken line."""
    ends = [(each.low, each.high, np.nan) for each in estimates]
    return np.repeat(x, 3), np.array(ends).ravel()


def _spread(run: int) -> float:
    """The golden section spreads any number of dots evenly, without chance."""
    return 1.0 + 0.02 * (run * 0.618 % 1.0 - 0.5)


def _count(value: float, _: int) -> str:
    """A tick's number: 500, 20,000, 10⁵, 2·10⁵."""
    if value < 99_999:
        return f"{value:,.0f}"
    power = math.floor(math.log10(value) + 1e-9)
    digit = round(value / 10**power)
    return f"$10^{{{power}}}$" if digit == 1 else f"${digit}·10^{{{power}}}$"


def _decades(state: State) -> tuple[float, float]:
    """Limits around all runs and ends of runs, in coarse steps, so that they seldom move."""
    costs = [cost for curve in state.curves for spot in curve.spots for cost in spot.costs]
    values = [*costs, *state.limits]
    # The reference may go off the top: only where it begins must be seen.
    start = state.reference[0]
    if np.isfinite(start):
        values.append(max(start, min(values) / 10))
    low, high = math.log10(min(values)), math.log10(max(values))
    return 10 ** (math.floor(3 * low - 0.2) / 3), 10 ** (math.ceil(3 * high + 0.2) / 3)
