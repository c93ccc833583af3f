"""The picture of a scaling lab: cost over size on logarithmic axes, success rate below."""

import math
from collections.abc import Sequence
from typing import Protocol

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from eubrl_edu.plotting.agent_styles import AGENT_STYLES, ANY_AGENT
from eubrl_edu.plotting.grid import POINTS_PER_INCH, axes_grid
from eubrl_edu.plotting.style import BLACK, GREY

REFERENCE_NAMES = {"2^N": "$2^N$", "S·A·m": "$S·A·m$", "linear": "∝ N", "quadratic": "∝ N²"}
LIMIT_NAME, OPEN_NAME = "a run ends", "not all solved"
# Agents stand a little apart, so that none is hidden; the runs of one, a little more.
APART = 1.025
GRID = {"color": "#DDDDDD", "linewidth": 0.8}


class Estimate(Protocol):
    """A number and the ends of its interval."""

    value: float
    low: float
    high: float


class SpotView(Protocol):
    """All runs of one agent at one size."""

    size: int
    costs: Sequence[int]
    solved: Sequence[bool]
    cost: Estimate
    success: Estimate


class CurveView(Protocol):
    """One agent at all sizes."""

    name: str
    spots: Sequence[SpotView]


class ScalingView(Protocol):
    """Several agents at several sizes; ``limits`` and ``reference`` have a value for each size."""

    curves: Sequence[CurveView]
    sizes: Sequence[int]
    limits: np.ndarray
    reference: np.ndarray
    measure: str
    missing: int
    study: object
    params: object


class ScalingPicture:
    """Two panels over the size of the world: what it costs to solve it, and how often it is.

    Parameters
    ----------
    figure : Figure
        An empty figure.
    view : ScalingView
        What to show first; its agents and the name of its reference stay.
    """

    def __init__(self, figure: Figure, view: ScalingView) -> None:
        self.names = [curve.name for curve in view.curves]
        self.styles = [AGENT_STYLES.get(name, ANY_AGENT) for name in self.names]
        self.sizes = ()
        letter = matplotlib.rcParams["font.size"]
        self.reference_name = REFERENCE_NAMES.get(view.params.reference, "")
        labels = [
            *self.names,
            OPEN_NAME,
            LIMIT_NAME,
            *([self.reference_name] if self.reference_name else []),
        ]
        room = figure.get_size_inches()[0] * POINTS_PER_INCH / letter
        widths = [5.0 + 0.55 * len(label) for label in labels]
        columns = len(labels) if sum(widths) < room else max(2, int(room / max(widths)))
        legend_rows = math.ceil(len(labels) / columns)
        rows = axes_grid(
            figure,
            row_heights=[5, 2],
            row_gaps=[3.0],
            margins=(5.4, 1.5, 2.6 + 1.5 * legend_rows, 3.4),
        )
        (self.cost_axes,), (self.success_axes,) = rows
        self._build_axes(view)
        self._build_lines(view)
        self._build_legend(figure, columns)

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        by_agent = (
            *(self.bars, self.lines, self.all_solved, self.some_not),
            *(self.dots, self.open_dots, self.rate_bars, self.rates),
        )
        return [
            *(self.limit_line, self.reference_line, self.missing),
            *(artist for artists in by_agent for artist in artists),
        ]

    def draw(self, view: ScalingView) -> None:
        """Move the artists to ``view``."""
        if self.sizes != view.sizes:
            self._set_sizes(view.sizes)
        limits = _decades(view)
        if self.cost_axes.get_ylim() != limits:
            self.cost_axes.set_ylim(*limits)
            subs = (1.0, 2.0, 5.0) if limits[1] / limits[0] < 3000 else (1.0,)
            self.cost_axes.yaxis.set_major_locator(LogLocator(subs=subs))
        self.limit_line.set_data(view.sizes, view.limits)
        self.reference_line.set_data(view.sizes, view.reference)
        self.missing.set_text(f"{view.missing} still to run: press Run" if view.missing else "")
        for place, curve in enumerate(view.curves):
            self._draw_curve(place, curve)

    # ---- building -------------------------------------------------------------------------

    def _build_axes(self, view: ScalingView) -> None:
        for axes in (self.cost_axes, self.success_axes):
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.grid(axis="y", **GRID)
            axes.set_axisbelow(True)
        self.cost_axes.set_yscale("log")
        self.cost_axes.yaxis.set_minor_locator(NullLocator())
        self.cost_axes.yaxis.set_major_formatter(FuncFormatter(_count))
        self.cost_axes.set_title(
            f"{view.measure.capitalize()} to solve: each run (faint), and means", loc="left"
        )
        self.success_axes.set_title("Share of runs that solved it", loc="left")
        self.success_axes.set_ylim(-0.15, 1.15)
        self.success_axes.set_yticks([0, 0.5, 1], ["0", "½", "1"])
        loops = view.study.environment == "loop"
        self.success_axes.set_xlabel("loops" if loops else "size N")
        self.missing = self.cost_axes.text(
            *(0.98, 0.03, ""), transform=self.cost_axes.transAxes, ha="right", fontstyle="italic"
        )

    def _build_lines(self, view: ScalingView) -> None:
        def plotted(axes: Axes, **look) -> Line2D:
            (line,) = axes.plot([], [], **look)
            return line

        self.limit_line = plotted(self.cost_axes, color=GREY, linestyle=":", linewidth=1.5)
        self.reference_line = plotted(self.cost_axes, color=BLACK, linewidth=1)
        self.bars, self.lines, self.all_solved, self.some_not = [], [], [], []
        self.dots, self.open_dots, self.rate_bars, self.rates = [], [], [], []
        for place, style in enumerate(self.styles):
            colour, marker = style["color"], style["marker"]
            over = 3 + 0.1 * place
            alone = {"color": colour, "marker": marker, "linestyle": "none", "zorder": over + 0.05}
            faint = {"color": colour, "linestyle": "none", "markersize": 3.5, "marker": "o"}
            thin = {"color": colour, "linewidth": 1.2, "zorder": over}
            line = {"color": colour, "linestyle": style["linestyle"], "zorder": over}
            self.bars.append(plotted(self.cost_axes, **thin))
            self.lines.append(plotted(self.cost_axes, **line))
            self.all_solved.append(plotted(self.cost_axes, **alone))
            self.some_not.append(plotted(self.cost_axes, markerfacecolor="white", **alone))
            self.dots.append(plotted(self.cost_axes, markeredgewidth=0, alpha=0.3, **faint))
            self.open_dots.append(
                plotted(self.cost_axes, markerfacecolor="none", alpha=0.5, **faint)
            )
            self.rate_bars.append(plotted(self.success_axes, **thin))
            self.rates.append(plotted(self.success_axes, **line, marker=marker))

    def _build_legend(self, figure: Figure, columns: int) -> None:
        handles = [
            Line2D([], [], **style, label=name)
            for name, style in zip(self.names, self.styles, strict=True)
        ]
        hollow = {"marker": "o", "markerfacecolor": "white", "linestyle": "none"}
        handles.append(Line2D([], [], color=GREY, **hollow, label=OPEN_NAME))
        named = {LIMIT_NAME: self.limit_line}
        if self.reference_name:
            named[self.reference_name] = self.reference_line
        handles += [
            Line2D([], [], color=line.get_color(), linestyle=line.get_linestyle(), label=name)
            for name, line in named.items()
        ]
        figure.legend(
            handles=handles,
            loc="upper left",
            ncols=columns,
            bbox_to_anchor=(0.01, 1.0),
            borderpad=0.3,
        )

    # ---- drawing --------------------------------------------------------------------------

    def _set_sizes(self, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        for axes in (self.cost_axes, self.success_axes):
            axes.set_xlim(sizes[0] / 1.15, sizes[-1] * 1.15)
            axes.xaxis.set_major_locator(FixedLocator(sizes))

    def _draw_curve(self, place: int, curve: CurveView) -> None:
        spots = curve.spots
        shift = APART ** (place - (len(self.names) - 1) / 2)
        x = np.array([spot.size * shift for spot in spots])
        means = np.array([spot.cost.value for spot in spots])
        whole = np.array([all(spot.solved) for spot in spots], dtype=bool)
        self.lines[place].set_data(x, means)
        self.all_solved[place].set_data(x[whole], means[whole])
        self.some_not[place].set_data(x[~whole], means[~whole])
        self.bars[place].set_data(*_bars(x, [spot.cost for spot in spots]))
        runs = [
            (spot.size * shift * _spread(run), cost, solved)
            for spot in spots
            for run, (cost, solved) in enumerate(zip(spot.costs, spot.solved, strict=True))
        ]
        for dots, kind in ((self.dots[place], True), (self.open_dots[place], False)):
            chosen = [(at, cost) for at, cost, solved in runs if solved == kind]
            dots.set_data(np.array(chosen).reshape(-1, 2).T)
        self.rates[place].set_data(x, [spot.success.value for spot in spots])
        self.rate_bars[place].set_data(*_bars(x, [spot.success for spot in spots]))


def _bars(x: np.ndarray, estimates: Sequence[Estimate]) -> tuple[np.ndarray, np.ndarray]:
    """A vertical bar at each x, all of them as one broken line."""
    ends = [(each.low, each.high, np.nan) for each in estimates]
    return np.repeat(x, 3), np.array(ends).ravel()


def _spread(run: int) -> float:
    """The golden section spreads any number of dots evenly, without chance."""
    return 1.0 + 0.02 * (run * 0.618 % 1.0 - 0.5)


def _count(value: float, _: int) -> str:
    power = math.log10(value)
    return f"{value:,.0f}".replace(",", " ") if power < 4.99 else f"$10^{{{power:.0f}}}$"


def _decades(view: ScalingView) -> tuple[float, float]:
    """Limits around all runs and ends of runs, in coarse steps, so that they seldom move."""
    costs = [cost for curve in view.curves for spot in curve.spots for cost in spot.costs]
    values = [*costs, *view.limits]
    # The reference may go off the top: only where it begins must be seen.
    start = view.reference[0]
    if np.isfinite(start):
        values.append(max(start, min(values) / 10))
    low, high = math.log10(min(values)), math.log10(max(values))
    return 10 ** (math.floor(3 * low - 0.2) / 3), 10 ** (math.ceil(3 * high + 0.2) / 3)
