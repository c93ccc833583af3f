"""The picture of a new arm beside a known one: what each rule makes of reward and uncertainty."""

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from eubrl_edu.labs.guidance.scene import State
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.picture import (
    Moving,
    area_under,
    legend_above,
    new_dot,
    new_line,
    set_limits,
)
from eubrl_edu.plotting.style import BELIEVED, BLACK, DOUBT, GUIDED, TRUTH, WITH_BONUS

RULES = ("r_b alone", "r_b + E_b", "EUBRL")
RULE_STYLES = {
    "r_b alone": {"color": BELIEVED, "linestyle": "-.", "marker": "s"},
    "r_b + E_b": {"color": WITH_BONUS, "linestyle": "--", "marker": "^"},
    "EUBRL": {"color": GUIDED, "linestyle": "-", "marker": "o"},
}
LABELS = {"r_b alone": "$r_b$ alone", "r_b + E_b": "$r_b + E_b$", "EUBRL": "EUBRL"}
RIGHT_COLOUR, WRONG_COLOUR = "#00664B", "#A3201A"
VALUE_LIMITS = np.outer([1, 10, 100, 1000], [1.2, 2.5, 6.0]).ravel()


class GuidancePicture(Moving):
    """One axis of tries, three panels: what a try is worth, the mixture, how long a rule tries."""

    def __init__(self, figure: Figure, state: State) -> None:
        rows = axes_grid(figure, [6, 1.4, 3.4], [1.0, 1.0], margins=(6.2, 2, 4.8, 3.2))
        (self.value_axes,), (self.mix_axes,), (self.try_axes,) = rows
        for axes in (self.value_axes, self.mix_axes, self.try_axes):
            _style_tries_axis(axes, state.tries[-1])
        for axes in (self.value_axes, self.mix_axes):
            axes.xaxis.set_visible(False)  # the lowest panel's serves all three
        self._build_values()
        self._build_mixture()
        self._build_tries()
        self.cursors = [
            axes.axvline(0, color=BLACK, linewidth=1, alpha=0.6)
            for axes in (self.value_axes, self.mix_axes)
        ]

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        set_limits(self.value_axes, y=_value_limits(state))
        shown = _evenly_on_the_axis(state.tries)
        for rule, line in self.lines.items():
            line.set_data(state.tries[shown], state.values[rule][shown])
            self.dots[rule].set_data([state.params.n], [state.values[rule][state.params.n]])
        self.uncertainty_line.set_data(state.tries[shown], state.epistemic_uncertainty[shown])
        self.known_line.set_ydata([state.params.known_reward] * 2)
        self.truth_line.set_ydata([state.params.true_mean] * 2)
        self.mixture.set_xy(area_under(state.tries[shown], state.probability_of_uncertainty[shown]))
        for cursor in self.cursors:
            cursor.set_xdata([state.params.n] * 2)
        for verdict in state.verdicts:
            rule, end = verdict.rule, verdict.tries
            self.bars[rule].set_width(end)
            self.ends[rule].set_xdata([end])
            stop = [] if verdict.goes_on else [end]
            self.stops[rule].set_data(stop, state.values[rule][stop])
            self.ends[rule].set_marker(">" if verdict.goes_on else "X")
        self.words.write(
            [("✓ " if verdict.is_right else "✗ ") + verdict.words for verdict in state.verdicts],
            [RIGHT_COLOUR if verdict.is_right else WRONG_COLOUR for verdict in state.verdicts],
        )

    def _build_values(self) -> None:
        axes, letter = self.value_axes, matplotlib.rcParams["font.size"]
        axes.set_title("What is one more try of the new arm worth?", y=1.0, pad=3.2 * letter)
        axes.set_ylabel("reward")
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        self.known_line = axes.axhline(0, color=BLACK, label="known arm")
        self.truth_line = axes.axhline(0, color=TRUTH, linestyle=":", label="new arm, truth")
        self.uncertainty_line = new_line(axes, ":", color=DOUBT, label="$E_b$")
        self.lines, self.dots, self.stops = {}, {}, {}
        for rule, style in RULE_STYLES.items():
            self.lines[rule] = new_line(axes, **style, markevery=0.12, label=LABELS[rule])
            large = {"markersize": 11, "zorder": 3}
            self.dots[rule] = new_dot(axes, style["color"], style["marker"], **large)
            self.stops[rule] = new_dot(axes, style["color"], "X", **large)
        handles = [self.lines[rule] for rule in reversed(RULES)]
        handles += [self.uncertainty_line, self.known_line, self.truth_line]
        # Matplotlib fills a legend by columns; the first row is to hold the three rules.
        handles = [
            handle for column in zip(handles[:3], handles[3:], strict=True) for handle in column
        ]
        legend_above(axes, handles, 3, labelspacing=0.3)

    def _build_mixture(self) -> None:
        axes = self.mix_axes
        axes.set(ylim=(0, 1), yticks=[0, 1], ylabel="$P_U$", facecolor="#EDEDED")
        self.mixture = axes.add_patch(
            Polygon(np.zeros((1, 2)), facecolor=DOUBT, alpha=0.55, hatch="..", edgecolor="white")
        )
        self.mixture_words = Lettering(axes, [(0.012, 0.3), (0.988, 0.7)], transform=axes.transAxes)
        self.mixture_words.align_each(["left", "right"])
        self.mixture_words.write(["hears $E_b$", "hears $r_b$"])

    def _build_tries(self) -> None:
        axes = self.try_axes
        axes.set(ylim=(len(RULES), 0), xlabel="n, tries of the new arm")
        axes.set_yticks(np.arange(len(RULES)) + 0.71, [LABELS[rule] for rule in reversed(RULES)])
        axes.tick_params(axis="y", length=0, pad=9)
        self.bars, self.ends = {}, {}
        rows = {rule: row for row, rule in enumerate(reversed(RULES))}
        places = [(0.012, rows[rule] + 0.46) for rule in RULES]
        bold = {"weight": "bold", "transform": axes.get_yaxis_transform()}
        self.words = Lettering(axes, places, align="left", stand=True, **bold)
        for rule, row in rows.items():
            colour = RULE_STYLES[rule]["color"]
            self.bars[rule] = axes.add_patch(Rectangle((0, row + 0.56), 0, 0.3, facecolor=colour))
            self.ends[rule] = new_dot(axes, colour, markersize=11, clip_on=False)
            self.ends[rule].set_data([0], [row + 0.71])


def _style_tries_axis(axes: Axes, last: int) -> None:
    """No try at the left, then 1, 10, 100, ... evenly apart."""
    axes.set_xscale("symlog", linthresh=1, linscale=0.35)
    axes.set_xlim(0, last)
    ticks = [0, 1, 3, 10, 30, 100, 300, 1000]
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if tick <= last]))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def _evenly_on_the_axis(tries: np.ndarray) -> np.ndarray:
    """The places of as many tries as the eye can tell apart on the axis."""
    return np.unique(np.append(0, np.geomspace(1, len(tries) - 1, 200).astype(int)))


def _value_limits(state: State) -> tuple[float, float]:
    """Limits that hold every curve, in steps, so that they do not move with every touch."""
    curves, params = [*state.values.values(), state.epistemic_uncertainty], state.params
    highest = max(curve.max() for curve in curves)
    lowest = min(
        *(curve.min() for curve in curves), state.params.known_reward, state.params.true_mean
    )
    highest = max(highest, params.known_reward, params.true_mean)
    high = VALUE_LIMITS[np.searchsorted(VALUE_LIMITS, 1.05 * highest)]
    if lowest >= 0:
        return -0.04 * high, high
    return -VALUE_LIMITS[np.searchsorted(VALUE_LIMITS, -1.05 * lowest)], high
