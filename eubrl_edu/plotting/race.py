"""The picture of a race: many seeds of each agent above, one run of each, step by step, below."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator

from eubrl_edu.plotting.agent_styles import AGENT_STYLES, ANY_AGENT
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.style import BLACK

# As many points of a curve as the eye can tell apart.
MOST_POINTS = 400


class Estimate(Protocol):
    """A number and the ends of its interval."""

    value: float
    low: float
    high: float


class Watched(Protocol):
    """One run: arrays over the times 0 .. T, and when it was solved."""

    returns: np.ndarray
    coverage: np.ndarray
    mean_uncertainty: np.ndarray | None
    solved_at: int | None


class RacerView(Protocol):
    """All runs of one agent."""

    name: str
    bands: np.ndarray
    final_returns: np.ndarray
    mean: Estimate
    solved_times: np.ndarray
    watched: Watched


class RaceView(Protocol):
    """A race; ``times`` are those of the bands, ``optimum`` covers the times 0 .. T."""

    env: object
    times: np.ndarray
    optimum: np.ndarray
    racers: Sequence[RacerView]
    has_rule: bool
    params: object

    def shown(self, returns: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Returns, or what they lack of the optimum."""


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
        self.styles = [AGENT_STYLES.get(name, ANY_AGENT) for name in self.names]
        self.steps = len(view.optimum) - 1
        letter = matplotlib.rcParams["font.size"]
        columns = self._legend_columns(figure, letter)
        quantity = view.params.show
        legend_rows = math.ceil((len(self.names) + 2) / columns)
        rows = axes_grid(
            figure,
            row_heights=[1, 1],
            row_gaps=[6.2],
            margins=(4.2, 1.6, 4.0 + 1.45 * legend_rows, 3.2),
            columns=3,
            column_gap=4.4,
        )
        (self.band_axes, self.end_axes, self.solved_axes) = rows[0]
        (self.return_axes, self.coverage_axes, self.uncertainty_axes) = rows[1]
        self._build_axes(quantity)
        self._build_legend(figure, columns)
        row_height = self.end_axes.get_window_extent().height * 72 / figure.dpi
        self.letters_per_row = row_height / letter / len(self.names)
        self._build_many()
        self._build_watched(view)
        self.row_titles = [
            axes.text(0, 1, "", transform=axes.transAxes, fontweight="bold")
            for axes in (self.band_axes, self.return_axes)
        ]
        for title, axes in zip(self.row_titles, (self.band_axes, self.return_axes), strict=True):
            title.set_y(1 + 2.2 * letter / (axes.get_window_extent().height * 72 / figure.dpi))

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        return [
            *self.bands,
            *self.medians,
            *self.dots,
            *self.ends,
            *self.rings,
            *self.end_words,
            *self.solved,
            *self.returns,
            *self.stars,
            *self.coverages,
            *self.uncertainties,
            *self.row_titles,
        ]

    def draw(self, view: RaceView) -> None:
        """Move the artists to ``view``."""
        self._set_limits(view)
        n_seeds = max(len(racer.final_returns) for racer in view.racers)
        runs = "1 run" if n_seeds == 1 else f"{n_seeds} runs"
        self.row_titles[0].set_text(
            f"{runs} of each agent: medians, and bands that hold the middle 80 %"
        )
        self.row_titles[1].set_text(f"One run of each agent, seed {view.params.seed}")
        for place, racer in enumerate(view.racers):
            self._draw_many(place, racer, view)
            self._draw_watched(place, racer.watched, view)

    # ---- building -------------------------------------------------------------------------

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

    def _build_many(self) -> None:
        self.bands, self.medians, self.solved = [], [], []
        self.dots, self.ends, self.rings, self.end_words = [], [], [], []
        for place, style in enumerate(self.styles):
            every = (3 + 4 * place) % 20, 20
            # Who comes first lies on top: where two agree to the point, both can be seen.
            style = style | {"zorder": 2.5 - 0.01 * place}
            band = Polygon(np.zeros((1, 2)), facecolor=style["color"], alpha=0.2, linewidth=0)
            self.bands.append(self.band_axes.add_patch(band))
            self.medians += self.band_axes.plot([], [], **style, markevery=every)
            self.solved += self.solved_axes.plot(
                [], [], **style, markevery=every, drawstyle="steps-post"
            )
            dots = {"marker": style["marker"], "color": style["color"], "linestyle": "none"}
            self.dots += self.end_axes.plot(
                [], [], **dots, alpha=0.45, markersize=4, markeredgewidth=0
            )
            self.ends += self.end_axes.plot([], [], "|-", color=BLACK, markersize=9, zorder=3)
            self.rings += self.end_axes.plot(
                [], [], "o", markerfacecolor="none", color=BLACK, markersize=10, zorder=4
            )
            self.end_words.append(
                self.end_axes.text(
                    0.0,
                    place + 0.3,
                    "",
                    transform=self.end_axes.get_yaxis_transform(),
                    fontsize="small",
                    visible=self.letters_per_row >= 1.2,
                )
            )

    def _build_watched(self, view: RaceView) -> None:
        shown = _points(len(view.optimum))
        for axes in (self.band_axes, self.return_axes):
            axes.plot(shown, view.shown(view.optimum[shown], shown), color=BLACK, linewidth=1)
        self.returns, self.stars, self.coverages, self.uncertainties = [], [], [], []
        for place, style in enumerate(self.styles):
            style = style | {"zorder": 2.5 - 0.01 * place}
            every = (12 + 16 * place) % 80, 80
            self.returns += self.return_axes.plot([], [], **style, markevery=every)
            self.stars += self.return_axes.plot(
                [], [], "*", color=style["color"], markeredgecolor=BLACK, markersize=12, zorder=4
            )
            self.coverages += self.coverage_axes.plot([], [], **style, markevery=every)
            self.uncertainties += self.uncertainty_axes.plot([], [], **style, markevery=every)
        without = [racer.name for racer in view.racers if racer.watched.mean_uncertainty is None]
        if without:
            self.uncertainty_axes.text(
                0.98,
                0.97,
                "\n".join(["no $P_U$:", *(without if len(without) < 5 else ["all others"])]),
                transform=self.uncertainty_axes.transAxes,
                ha="right",
                va="top",
                fontsize="small",
            )
        if not view.has_rule:
            self.solved_axes.text(
                0.5,
                0.5,
                "no rule says\nwhen this world\nis solved",
                transform=self.solved_axes.transAxes,
                ha="center",
                va="center",
            )
        self.return_axes.text(
            0.03,
            0.97,
            "★ solved" if view.has_rule else "",
            transform=self.return_axes.transAxes,
            va="top",
            fontsize="small",
        )

    # ---- drawing --------------------------------------------------------------------------

    def _draw_many(self, place: int, racer: RacerView, view: RaceView) -> None:
        low, middle, high = view.shown(racer.bands, view.times)
        self.medians[place].set_data(view.times, middle)
        self.bands[place].set_xy(
            np.concatenate(
                [
                    np.column_stack([view.times, low]),
                    np.column_stack([view.times, high])[::-1],
                ]
            )
        )
        # The golden section spreads any number of dots evenly, without chance.
        spread = np.arange(len(racer.final_returns)) * 0.618 % 1.0
        ends = view.shown(racer.final_returns, self.steps)
        self.dots[place].set_data(ends, place + 0.45 + 0.45 * spread)
        mean = view.shown(np.array([racer.mean.low, racer.mean.value, racer.mean.high]), self.steps)
        self.ends[place].set_data(mean, [place + 0.675] * 3)
        self.rings[place].set_data(
            [view.shown(racer.watched.returns[-1], self.steps)], [place + 0.675]
        )
        words = racer.name
        if self.letters_per_row > 2.2:
            words += f": {mean[1]:.4g}"
            if not np.isnan(mean).any():
                words += f" [{min(mean):.4g}, {max(mean):.4g}]"
        self.end_words[place].set_text(words)
        if view.has_rule:
            share = np.searchsorted(racer.solved_times, view.times, side="right")
            self.solved[place].set_data(view.times, share / len(racer.final_returns))

    def _draw_watched(self, place: int, watched: Watched, view: RaceView) -> None:
        shown = _points(self.steps + 1)
        self.returns[place].set_data(shown, view.shown(watched.returns[shown], shown))
        self.coverages[place].set_data(shown, watched.coverage[shown])
        if watched.mean_uncertainty is not None:
            self.uncertainties[place].set_data(shown, watched.mean_uncertainty[shown])
        solved = [] if watched.solved_at is None else [watched.solved_at]
        self.stars[place].set_data(solved, view.shown(watched.returns[solved], solved))

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


def _points(length: int) -> np.ndarray:
    """The places of as many points of a curve as are drawn."""
    return np.unique(np.linspace(0, length - 1, MOST_POINTS + 1).round().astype(int))


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
