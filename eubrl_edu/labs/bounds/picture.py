"""The picture of a bound: every term over T or ε on logarithmic axes, and a real run beside it."""

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from eubrl_edu.labs.bounds.changes import Stretch
from eubrl_edu.labs.bounds.scene import State
from eubrl_edu.plotting.grid import POINTS_PER_INCH, axes_grid
from eubrl_edu.plotting.legend import Legend, rows_needed
from eubrl_edu.plotting.lettering import Lettering, letters_high, title_of, width_of
from eubrl_edu.plotting.names import in_powers
from eubrl_edu.plotting.picture import Moving, new_dot, new_line
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import BLACK, BLUE, DATA, DOUBT, GREY, PRIOR, TRUTH, VERMILLION

LABELS = {
    "bound": "the bound",
    "run": "a real run",
    "lowest": "lower bound's order",
    "guided": "luck",
    "learning": "learning",
    "lower_order": "lower order",
    "remainder": "remainder",
    "leading": "1/ε² part",
    "transition_prior": "prior, Λ_T",
    "reward_prior": "prior, Λ_R",
}
TERMS_OF_REGRET = "guided", "learning", "lower_order", "remainder"
TRIVIAL_OF_REGRET, TRIVIAL_OF_BAD_STEPS = "T·V↑, without theory", "all T steps"
LINE_STYLES = {
    "trivial": {"color": GREY},
    "lowest": {"color": BLACK, "linestyle": (0, (1, 1))},
    "guided": {"color": DATA, "linestyle": "--", "marker": "v"},
    "learning": {"color": DOUBT, "linestyle": "-.", "marker": "s"},
    "lower_order": {"color": VERMILLION, "linestyle": ":", "marker": "^"},
    "remainder": {"color": BLUE, "linestyle": (0, (5, 1)), "marker": "D"},
    "leading": {"color": DOUBT, "linestyle": "-.", "marker": "s"},
    "transition_prior": {"color": PRIOR, "marker": "P"},
    "reward_prior": {"color": PRIOR, "linestyle": "--", "marker": "X"},
    "bound": {"color": BLACK, "alpha": 0.75},
    "run": {"color": TRUTH},
}
LINE_WIDTHS = {"trivial": 1.3, "bound": 2.0, "run": 2.5}  # times the usual
HATCHES = {
    "guided": "//",
    "lower_order": "..",
    "remainder": "xx",
    "transition_prior": "++",
    "reward_prior": "\\\\",
}
SILENT, SPEAKS = "the bound says nothing new", "it says something"
MOST_STRETCHES = 6
LETTER_WIDTH = 0.62  # of a letter's height, generously
GROUND_HEIGHT = 1.2  # of the plain ground below words on a hatch, in heights of a letter


class BoundsPicture(Moving):
    """Two panels: the terms and their sum, and a strip that names the largest term.

    The legend has room for the terms of a prior where the first state has them.
    """

    def __init__(self, figure: Figure, state: State) -> None:
        width, _ = figure.get_size_inches()
        terms = list(state.terms) if state.has_prior else TERMS_OF_REGRET
        legend_rows = rows_needed(legend_names(True, terms), width)
        letter = matplotlib.rcParams["font.size"]
        self.letters = width * POINTS_PER_INCH / letter - 7.2
        margins = (5.0, 1.5, 2.7 + 1.45 * legend_rows, 3.3)
        (self.axes,), (self.strip_axes,) = axes_grid(figure, [9, 0.9], [2.0], margins)
        self._build_axes()
        self._build_lines()
        self._build_strip()
        self._build_legend(figure, legend_rows)
        self.limits = None

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self._draw_axes(state)
        curves = state.terms | {"bound": state.total}
        curves |= {"trivial": state.trivial, "lowest": state.lowest}
        for name, line in self.lines.items():
            # What belongs to the other bound is not drawn.
            line.set_data(*((state.places, curves[name]) if name in curves else ([], [])))
        self.lines["run"].set_data(state.run_places, state.run_values)
        for number, name in enumerate(state.terms):
            # Markers start apart, so that terms of about one size can both be seen.
            self.lines[name].set_markevery((0.03 * number, 0.13))
        self.cursor.set_xdata([state.cursor] * 2)
        for name, dot in self.dots.items():
            dot.set_data([state.cursor], [state.here[name]])
        self.headline.write([_headline(state)])
        self._draw_silence(state)
        self._draw_strip(state.stretches)
        self.legend.draw(legend_names(state.is_regret, list(state.terms)))

    # ---- building -------------------------------------------------------------------------

    def _build_axes(self) -> None:
        for axes in (self.axes, self.strip_axes):
            axes.set_xscale("log")
        self.axes.set_yscale("log")
        for axis in (self.axes.xaxis, self.axes.yaxis, self.strip_axes.xaxis):
            axis.set_minor_locator(NullLocator())
            axis.set_major_formatter(FuncFormatter(_power))
        self.strip_axes.set_ylim(0, 1)
        self.strip_axes.spines[:].set_visible(False)
        self.strip_axes.yaxis.set_visible(False)
        self.strip_axes.set_title("Largest term", loc="left", pad=4)
        self.places_ruler = Ruler(self.strip_axes.xaxis)
        self.rulers = [
            Ruler(self.axes.xaxis, numbered=False, grid=True),  # the strip's numbers serve both
            Ruler(self.axes.yaxis, grid=True),
            self.places_ruler,
        ]
        self.title = title_of(self.axes)

    def _build_lines(self) -> None:
        self.silence = self.axes.add_patch(
            Rectangle((0, 0), 0, 1, transform=self.axes.transAxes, facecolor="#EFEFEF", zorder=0.4)
        )
        width = matplotlib.rcParams["lines.linewidth"]
        self.styles = {
            name: style | {"linewidth": LINE_WIDTHS.get(name, 1.0) * width}
            for name, style in LINE_STYLES.items()
        }
        self.lines = {name: new_line(self.axes, **style) for name, style in self.styles.items()}
        self.cursor = self.axes.axvline(1, ymax=0.9, color=BLACK, linewidth=1, alpha=0.6)
        self.dots = {
            name: new_dot(self.axes, self.lines[name].get_color(), markersize=11, zorder=5)
            for name in ("trivial", "bound")
        }
        self.headline = Lettering(self.axes, [(1.0, 1.05)], align="right", size=1.1)
        # At the top, above where the cursor ends: on the grey ground, and beside it.
        self.verdicts = [
            Lettering(self.axes, [(0.01, 0.95)], align="left"),
            Lettering(self.axes, [(0.99, 0.95)], align="right"),
        ]
        for lettering in (self.headline, *self.verdicts):
            lettering.set_offset_transform(self.axes.transAxes)

    def _build_strip(self) -> None:
        axes = self.strip_axes
        self.blocks = [
            axes.add_patch(Rectangle((1, 0), 0, 1, edgecolor="white"))
            for _ in range(MOST_STRETCHES)
        ]
        # The words stand on plain ground, not on a hatch.
        height = GROUND_HEIGHT / letters_high(axes)
        place = {"transform": axes.transAxes, "linewidth": 0}
        self.grounds = [
            axes.add_patch(Rectangle((0, 0.5 - height / 2), 0, height, **place))
            for _ in range(MOST_STRETCHES)
        ]
        self.block_words = Lettering(axes, [], weight="bold", transform=axes.transAxes)

    def _build_legend(self, figure: Figure, n_rows: int) -> None:
        looks = {label: self.styles[name] for name, label in LABELS.items()}
        for label in (TRIVIAL_OF_REGRET, TRIVIAL_OF_BAD_STEPS):
            looks[label] = self.styles["trivial"]
        self.legend = Legend(figure, looks, n_rows)

    # ---- drawing --------------------------------------------------------------------------

    def _draw_axes(self, state: State) -> None:
        if self.limits != state.limits:
            self.limits = (left, right), (low, high) = state.limits
            self.axes.set_ylim(low, high)
            self.axes.yaxis.set_major_locator(FixedLocator(_powers(low, high)))
            for axes in (self.axes, self.strip_axes):
                axes.set_xlim(left, right)
                axes.xaxis.set_major_locator(FixedLocator(_powers(left, right)))
        is_regret = state.is_regret
        self.title.write(["Regret, in $R_{\\max}$" if is_regret else "Steps worse than ε"])
        for ruler in self.rulers:
            ruler.draw()
        self.places_ruler.draw(
            "T, steps" if is_regret else "ε in $R_{\\max}$: more accurate to the right"
        )

    def _draw_silence(self, state: State) -> None:
        """Grey is where the bound is above the trivial one."""
        silent = bool(state.total[0] >= state.trivial[0])
        edge = 1.0 if state.speaks_from is None else self._across(state.speaks_from)
        self.silence.set(x=0 if silent else edge, width=edge if silent else 1 - edge)
        words = (SILENT, SPEAKS) if silent else (SPEAKS, SILENT)
        for verdict, word, room in zip(self.verdicts, words, (edge, 1 - edge), strict=True):
            fits = room * self.letters > LETTER_WIDTH * len(word)
            verdict.write([word if fits else ""], "#444444")

    def _draw_strip(self, stretches: Sequence[Stretch]) -> None:
        for patch in (*self.blocks, *self.grounds):
            patch.set_visible(False)
        names, places = [], []
        for block, ground, stretch in zip(self.blocks, self.grounds, stretches, strict=False):
            name, colour = LABELS[stretch.name], LINE_STYLES[stretch.name]["color"]
            block.set(x=stretch.start, width=stretch.end - stretch.start)
            block.set(visible=True, facecolor=colour, hatch=HATCHES.get(stretch.name))
            start, end = self._across(stretch.start), self._across(stretch.end)
            width = (width_of(name, "bold") + 0.2) / self.letters
            if end - start > width + 0.8 / self.letters:
                ground.set(x=(start + end - width) / 2, width=width)
                ground.set(visible=True, facecolor=colour)
                names.append(name)
                places.append(((start + end) / 2, 0.5))
        self.block_words.move(places)
        self.block_words.write(names)

    def _across(self, place: float) -> float:
        """Where a place is between the left and the right end, 0 to 1."""
        left, right = np.log(self.limits[0])
        return float((np.log(place) - left) / (right - left))


def legend_names(is_regret: bool, terms: Sequence[str]) -> list[str]:
    """What the legend names, in its order."""
    trivial = TRIVIAL_OF_REGRET if is_regret else TRIVIAL_OF_BAD_STEPS
    return [
        *(LABELS["bound"], LABELS["run"], trivial, LABELS["lowest"]),
        *(LABELS[name] for name in terms),
    ]


def _headline(state: State) -> str:
    here = f"{'T' if state.is_regret else 'ε'} = {in_powers(state.cursor)}"
    without = "T·V↑" if state.is_regret else "all steps"
    bound, trivial = in_powers(state.here["bound"]), in_powers(state.here["trivial"])
    return f"{here}:  bound {bound},  {without} {trivial}"


def _powers(one: float, other: float) -> list[float]:
    low, high = sorted((np.log10(one), np.log10(other)))
    step = 3 if high - low > 8 else 1
    first = int(np.ceil(low / step - 1e-9)) * step
    return [10.0**power for power in range(first, int(np.floor(high + 1e-9)) + 1, step)]


def _power(value: float, _: int) -> str:
    power = round(np.log10(value))
    return f"{value:g}" if -2 < power < 2 else f"$10^{{{power}}}$"
