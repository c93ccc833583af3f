"""The picture of a bound: every term over T or ε on logarithmic axes, and a real run beside it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from eubrl_edu.plotting.grid import POINTS_PER_INCH, axes_grid
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY_BLUE,
    VERMILLION,
)

TERM_LABELS = {
    "guided": "luck",
    "learning": "learning",
    "lower_order": "lower order",
    "remainder": "remainder",
    "leading": "1/ε² part",
}
TERM_STYLES = {
    "guided": {"color": ORANGE, "linestyle": "--", "marker": "v"},
    "learning": {"color": BLUE, "linestyle": "-.", "marker": "s"},
    "lower_order": {"color": VERMILLION, "linestyle": ":", "marker": "^"},
    "remainder": {"color": PURPLE, "linestyle": (0, (5, 1)), "marker": "D"},
    "leading": {"color": BLUE, "linestyle": "-.", "marker": "s"},
}
HATCHES = {"guided": "//", "learning": "", "lower_order": "..", "remainder": "xx", "leading": ""}
SILENT, SPEAKS = "the bound says nothing new", "it says something"
MOST_STRETCHES = 6
LETTER_WIDTH = 0.62  # of a letter's height, generously


class Stretch(Protocol):
    """Where a term is the largest."""

    name: str
    start: float
    end: float


class BoundsView(Protocol):
    """What the picture shows: arrays over the places from left to right."""

    is_regret: bool
    places: np.ndarray
    terms: Mapping[str, np.ndarray]
    total: np.ndarray
    trivial: np.ndarray
    lowest: np.ndarray
    stretches: Sequence[Stretch]
    speaks_from: float | None
    run_places: np.ndarray
    run_values: np.ndarray
    cursor: float
    here: Mapping[str, float]


class BoundsPicture:
    """Two panels: the terms and their sum, and a strip that names the largest term.

    Parameters
    ----------
    figure : Figure
        An empty figure.
    view : BoundsView
        What to show first; whether it is the regret or the bad steps stays.
    limits : ((left, right), (low, high))
        Ends of both axes; more is asked for from the left to the right.
    """

    def __init__(self, figure: Figure, view: BoundsView, limits) -> None:
        self.limits = limits
        letter = matplotlib.rcParams["font.size"]
        self.letters = figure.get_size_inches()[0] * POINTS_PER_INCH / letter - 7.2
        rows = axes_grid(figure, row_heights=[9, 0.9], row_gaps=[2.0], margins=(5.7, 1.5, 5.6, 3.3))
        (self.axes,), (self.strip_axes,) = rows
        self._style_axes(view)
        self._build_lines(view)
        self._build_legend(figure)
        self._build_strip()

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        return [
            self.silence,
            *self.lines.values(),
            self.cursor,
            *self.dots.values(),
            self.headline,
            *self.verdicts,
            *self.blocks,
            *self.block_words,
        ]

    def draw(self, view: BoundsView) -> None:
        """Move the artists to ``view``."""
        curves = view.terms | {"bound": view.total, "trivial": view.trivial, "lowest": view.lowest}
        for name, values in curves.items():
            self.lines[name].set_data(view.places, values)
        self.lines["run"].set_data(view.run_places, view.run_values)
        self.cursor.set_xdata([view.cursor] * 2)
        for name, dot in self.dots.items():
            dot.set_data([view.cursor], [view.here[name]])
        self.headline.write([_headline(view)])
        self._draw_silence(view)
        self._draw_strip(view.stretches)

    # ---- building -------------------------------------------------------------------------

    def _style_axes(self, view: BoundsView) -> None:
        (left, right), (low, high) = self.limits
        for axes in (self.axes, self.strip_axes):
            axes.set_xscale("log")
            axes.set_xlim(left, right)
            axes.xaxis.set_major_locator(FixedLocator(_powers(left, right)))
            axes.xaxis.set_major_formatter(FuncFormatter(_power))
            axes.xaxis.set_minor_locator(NullLocator())
        self.axes.tick_params(labelbottom=False)  # the strip's serve both
        self.axes.set_yscale("log")
        self.axes.set_ylim(low, high)
        self.axes.yaxis.set_major_locator(FixedLocator(_powers(low, high)))
        self.axes.yaxis.set_major_formatter(FuncFormatter(_power))
        self.axes.yaxis.set_minor_locator(NullLocator())
        self.axes.grid(color="#E3E3E3", linewidth=0.8)
        self.axes.set_axisbelow(True)
        if view.is_regret:
            self.axes.set_ylabel("regret, in $R_{\\max}$")
            self.strip_axes.set_xlabel("T, steps")
        else:
            self.axes.set_ylabel("steps worse than ε")
            self.strip_axes.set_xlabel("ε in $R_{\\max}$: more accurate to the right")

    def _build_lines(self, view: BoundsView) -> None:
        def line(**look) -> Line2D:
            (made,) = self.axes.plot([], [], **look)
            return made

        width = matplotlib.rcParams["lines.linewidth"]
        self.silence = self.axes.add_patch(
            Rectangle((0, 0), 0, 1, transform=self.axes.transAxes, facecolor="#EFEFEF")
        )
        trivial = "T·V↑, without theory" if view.is_regret else "all T steps"
        self.lines = {
            "trivial": line(color=GREY, linewidth=1.3 * width, label=trivial),
            "lowest": line(
                color=SKY_BLUE, linestyle=(0, (1, 1)), linewidth=width, label="lower bound's order"
            ),
        }
        for number, name in enumerate(view.terms):
            # Markers start apart, so that terms of about one size can both be seen.
            look = TERM_STYLES[name] | {"markevery": (0.03 * number, 0.13)}
            self.lines[name] = line(**look, label=TERM_LABELS[name])
        self.lines["bound"] = line(color=BLACK, linewidth=2 * width, alpha=0.75, label="the bound")
        self.lines["run"] = line(color=GREEN, linewidth=2.5 * width, label="a real run")
        self.cursor = self.axes.axvline(1, ymax=0.9, color=BLACK, linewidth=1, alpha=0.6)
        self.dots = {
            name: line(
                marker="o",
                color=self.lines[name].get_color(),
                markeredgecolor="white",
                markersize=11,
                zorder=5,
            )
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

    def _build_legend(self, figure: Figure) -> None:
        order = ["bound", "run", "trivial", "lowest"]
        order += [name for name in self.lines if name in TERM_LABELS]
        columns = 4
        handles = [self.lines[name] for name in order]
        handles = [handle for column in range(columns) for handle in handles[column::columns]]
        figure.legend(
            handles=handles,
            loc="upper left",
            ncols=columns,
            bbox_to_anchor=(0.01, 1.0),
            borderpad=0.3,
            columnspacing=1.2,
            handletextpad=0.5,
        )

    def _build_strip(self) -> None:
        axes = self.strip_axes
        axes.set(ylim=(0, 1), yticks=[])
        axes.spines[:].set_visible(False)
        axes.set_title("Largest term", loc="left", pad=4)
        self.blocks = [
            axes.add_patch(Rectangle((1, 0), 0, 1, edgecolor="white"))
            for _ in range(MOST_STRETCHES)
        ]
        self.block_words = [
            axes.text(
                *(0, 0.46, ""),
                ha="center",
                va="center",
                fontweight="bold",
                color="white",
                bbox={"edgecolor": "none", "pad": 1.0},
            )
            for _ in range(MOST_STRETCHES)
        ]

    # ---- drawing --------------------------------------------------------------------------

    def _draw_silence(self, view: BoundsView) -> None:
        """Grey is where the bound is above the trivial one."""
        silent = bool(view.total[0] >= view.trivial[0])
        edge = 1.0 if view.speaks_from is None else self._across(view.speaks_from)
        self.silence.set_x(0 if silent else edge)
        self.silence.set_width(edge if silent else 1 - edge)
        words = (SILENT, SPEAKS) if silent else (SPEAKS, SILENT)
        for verdict, word, room in zip(self.verdicts, words, (edge, 1 - edge), strict=True):
            fits = room * self.letters > LETTER_WIDTH * len(word)
            verdict.write([word if fits else ""], "#444444")

    def _draw_strip(self, stretches: Sequence[Stretch]) -> None:
        for block, words in zip(self.blocks, self.block_words, strict=True):
            block.set_visible(False)
            words.set_visible(False)
        for block, words, stretch in zip(self.blocks, self.block_words, stretches, strict=False):
            block.set_visible(True)
            block.set_x(stretch.start)
            block.set_width(stretch.end - stretch.start)
            block.set_facecolor(TERM_STYLES[stretch.name]["color"])
            block.set_hatch(HATCHES[stretch.name])
            label = TERM_LABELS[stretch.name]
            start, end = self._across(stretch.start), self._across(stretch.end)
            words.set_visible((end - start) * self.letters > LETTER_WIDTH * len(label) + 1)
            words.set_text(label)
            words.get_bbox_patch().set_facecolor(TERM_STYLES[stretch.name]["color"])
            words.set_x(np.sqrt(stretch.start * stretch.end))

    def _across(self, place: float) -> float:
        """Where a place is between the left and the right end, 0 to 1."""
        left, right = np.log(self.limits[0])
        return float((np.log(place) - left) / (right - left))


def _headline(view: BoundsView) -> str:
    here = f"{'T' if view.is_regret else 'ε'} = {in_powers(view.cursor)}"
    without = "T·V↑" if view.is_regret else "all steps"
    bound, trivial = in_powers(view.here["bound"]), in_powers(view.here["trivial"])
    return f"{here}:  bound {bound},  {without} {trivial}"


def in_powers(value: float) -> str:
    """A number for the eye: 152, 20 000, 2.1·10⁸."""
    if value == 0:
        return "0"
    digits, power = f"{value:.1e}".split("e")
    if -4 < int(power) < 5 and round(value) < 100_000:
        text = f"{value:,.{max(0, 2 - int(power))}f}".replace(",", "\u202f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    superscript = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}·10{superscript}"


def _powers(one: float, other: float) -> list[float]:
    low, high = sorted((np.log10(one), np.log10(other)))
    step = 3 if high - low > 8 else 1
    first = int(np.ceil(low / step - 1e-9)) * step
    return [10.0**power for power in range(first, int(np.floor(high + 1e-9)) + 1, step)]


def _power(value: float, _: int) -> str:
    power = round(np.log10(value))
    return f"{value:g}" if -2 < power < 2 else f"$10^{{{power}}}$"
