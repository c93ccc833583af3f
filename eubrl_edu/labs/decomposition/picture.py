"""The picture of a decomposed run: one step of it as a staircase, and its terms over time."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

from eubrl_edu.labs.decomposition.scene import DecomposedRun, State
from eubrl_edu.plotting.grid import axes_grid, size_in_letters
from eubrl_edu.plotting.lettering import Lettering, short
from eubrl_edu.plotting.picture import Moving, legend_above, new_dot, new_line, set_limits
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import BLACK, BLUE, CHANCE, DATA, DOUBT, GREY, TRUTH, VERMILLION

TERM_STYLES = (
    {"color": BLUE, "linestyle": "-", "marker": "o", "label": "quasi-optimism"},
    {"color": GREY, "linestyle": "--", "marker": "s", "label": "complexity"},
    {"color": VERMILLION, "linestyle": "-.", "marker": "^", "label": "accuracy"},
)
TERM_HATCHES = ("", "..", "//")
REGRET_STYLE = {"color": BLACK, "linestyle": "-", "label": "regret: their sum"}
LEVELS = ("$V^\\ast$", "$\\widetilde{V}$", "$V^t$", "$V^\\pi$")
STAIR_NAMES = ("quasi", "compl.", "accur.", "regret")
# Each step of the staircase leads from one level to the next; the last is the whole way down.
LEVEL_ENDS = ((-0.55, 3.85), (0.15, 1.85), (1.15, 2.85), (2.15, 4.55))
LEVEL_NAMES_AT = (-0.3, 1.0, 2.0, 4.3)
RESISTANCE_STYLES = (
    {"facecolor": DOUBT, "label": "2 $P_U$ (taken)"},
    {"facecolor": "#E9C6DA", "hatch": "//", "label": "9/7 $P_U$ (best)"},
)
BOUND_STYLES = (
    {"facecolor": DATA, "hatch": "", "label": "luck"},
    {"facecolor": DOUBT, "hatch": "//", "label": "learning"},
    {"facecolor": CHANCE, "hatch": "xx", "label": "remainder"},
)
LARGEST_RESISTANCE = 23 / 7
DENSE = {
    "bbox_to_anchor": (-0.02, 1.0),
    "borderaxespad": 0.2,
    "labelspacing": 0.2,
    "columnspacing": 1.0,
    "handlelength": 1.6,
    "handletextpad": 0.4,
}
HOLDS, FAILS = "#00664B", "#A3201A"
SMALLEST_SHOWN = 0.001  # of V↑; below, the axis of the terms is linear


class DecompositionPicture(Moving):
    """Left: one step, and its events. Right: terms, resistance and bound over the steps.

    Later states may be of other runs.
    """

    def __init__(self, figure: Figure, state: State) -> None:
        self._place_axes(figure)
        self.run: DecomposedRun | None = None
        self._build_terms()
        self._build_areas()
        self._build_stairs()
        self._build_events()
        self.cursors = [
            axes.axvline(1, color=BLACK, linewidth=1.2, alpha=0.7) for axes in self.step_axes
        ]

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        if state.run is not self.run:
            self.run = state.run
            self._draw_run(state.run)
        run, at = state.run, state.at
        for cursor in self.cursors:
            cursor.set_xdata([at + 1] * 2)
        values = [*run.terms[at], run.regret[at]]
        for dot, value in zip(self.dots, values, strict=True):
            dot.set_data([at + 1], [value])
        self._draw_stairs(run.levels[at])
        self.numbers.write([short(value) for value in values])
        holds = run.events[at]
        self.marks.write(
            [f"A{number} {'✓' if good else '✗'}" for number, good in enumerate(holds, start=1)],
            [HOLDS if good else FAILS for good in holds],
        )
        self.headline.write([f"step {at + 1} of {len(run.levels)}"])
        self.verdict.write([_verdict(state)])

    # ---- building -------------------------------------------------------------------------

    def _place_axes(self, figure: Figure) -> None:
        self.width, height = size_in_letters(figure)
        middle = 0.47 * self.width
        (self.stair_axes,), (self.event_axes,) = axes_grid(
            figure, [5, 1], [4.2], (5.0, self.width - middle, 5.6, 1.0)
        )
        (self.term_axes,), (self.resistance_axes,), (self.bound_axes,) = axes_grid(
            figure, [2.2, 1, 1], [2.4, 2.4], (middle + 6.6, 1.0, 3.6, 3.2)
        )
        self.letter_in_stairs = 1 / (self.stair_axes.get_position().height * height)

    def _name_beside(self, axes: Axes, name: str) -> None:
        """Name a vertical axis, at the left of the numbers that its ruler writes."""
        left = axes.get_position().x0 * self.width
        column = 1.1 if axes is self.stair_axes else 0.47 * self.width + 2.2
        x = (column - left) / (axes.get_position().width * self.width)
        centred = {"ha": "center", "va": "center", "transform": axes.transAxes}
        axes.text(x, 0.5, name, rotation=90, **centred)

    @property
    def step_axes(self) -> tuple[Axes, Axes, Axes]:
        """Those over the steps of the run, from above."""
        return self.term_axes, self.resistance_axes, self.bound_axes

    def _build_terms(self) -> None:
        axes = self.term_axes
        for panel in self.step_axes:
            panel.set_xscale("log")
            panel.xaxis.set_major_formatter("{x:,.0f}")
        self.step_rulers = [
            Ruler(panel.xaxis, numbered=panel is self.bound_axes) for panel in self.step_axes
        ]
        axes.set_yscale("symlog", linthresh=SMALLEST_SHOWN, linscale=0.6)
        self.zero = axes.axhline(0, color=GREY, linewidth=0.8)
        self.term_ruler = Ruler(axes.yaxis)
        self._name_beside(axes, "in $V^{\\uparrow}$")
        self.lines = [
            new_line(axes, **style, markevery=(0.04 * number, 0.16))
            for number, style in enumerate([*TERM_STYLES, REGRET_STYLE])
        ]
        self.dots = [
            new_dot(axes, style["color"], style.get("marker", "D"), zorder=5)
            for style in [*TERM_STYLES, REGRET_STYLE]
        ]
        legend_above(axes, self.lines, 2, "left", **DENSE)

    def _build_areas(self) -> None:
        self.resistance_areas = _stack(self.resistance_axes, RESISTANCE_STYLES)
        self.resistance_axes.set(ylim=(0, LARGEST_RESISTANCE), yticks=[0, 1, 2, 3])
        self._name_beside(self.resistance_axes, "$\\mathfrak{R}$")
        legend_above(self.resistance_axes, self.resistance_areas, 2, "left", **DENSE)
        self.bound_areas = _stack(self.bound_axes, BOUND_STYLES)
        self.all_of_it = self.bound_axes.axhline(1, color=BLACK, linestyle=":", linewidth=1.5)
        self.regret_line = new_line(self.bound_axes, **REGRET_STYLE)
        self.bound_ruler = Ruler(self.bound_axes.yaxis)
        self._name_beside(self.bound_axes, "bound")
        legend_above(self.bound_axes, self.bound_areas, 3, "left", **DENSE)

    def _build_stairs(self) -> None:
        axes = self.stair_axes
        axes.set_xlim(-0.6, 4.6)
        axes.set_xticks(np.arange(4) + 0.5, STAIR_NAMES)
        axes.tick_params(axis="x", length=0)
        axes.yaxis.set_major_locator(MaxNLocator(5))
        self.stair_ruler = Ruler(axes.yaxis)
        self._name_beside(axes, "value of this state, in $V^{\\uparrow}$")
        colours = [style["color"] for style in TERM_STYLES]
        self.bars = [
            axes.add_patch(
                Rectangle((column + 0.15, 0), 0.7, 0, facecolor=colour, hatch=hatch, ec="white")
            )
            for column, (colour, hatch) in enumerate(
                zip([*colours, BLACK], [*TERM_HATCHES, ""], strict=True)
            )
        ]
        self.level_lines, self.level_names = [], []
        for name, ends, at in zip(LEVELS, LEVEL_ENDS, LEVEL_NAMES_AT, strict=True):
            look = {"color": BLACK, "linewidth": 1.4}
            if name == LEVELS[0]:
                look = {"color": TRUTH, "linewidth": 3.0}
            (line,) = axes.plot(ends, [0, 0], **look, solid_capstyle="butt")
            self.level_lines.append(line)
            ground = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.0}
            self.level_names.append(
                axes.text(at, 0, name, ha="center", va="bottom", bbox=ground, zorder=6)
            )
        above = [(column + 0.5, 1 + 1.1 * self.letter_in_stairs) for column in range(4)]
        self.numbers = Lettering(axes, above, size=0.95)
        self.numbers.set_offset_transform(axes.get_xaxis_transform())
        left = {"align": "left", "transform": axes.transAxes}
        self.headline, self.verdict = (
            Lettering(axes, [(-0.06, 1 + lines * self.letter_in_stairs)], weight=weight, **left)
            for lines, weight in ((4.6, "normal"), (3.0, "bold"))
        )

    def _build_events(self) -> None:
        axes = self.event_axes
        axes.axis("off")
        axes.set(xlim=(0, 4), ylim=(2, 0))
        axes.set_title("Events that the bound needs", loc="left", pad=5)
        places = [(number % 4, number // 4 + 0.45) for number in range(8)]
        self.marks = Lettering(axes, places, align="left")

    # ---- drawing --------------------------------------------------------------------------

    def _draw_run(self, run: DecomposedRun) -> None:
        steps = np.arange(1, len(run.levels) + 1)
        curves = [*run.terms.T, run.regret]
        for line, values in zip(self.lines, curves, strict=True):
            line.set_data(steps, values)
        self.regret_line.set_data(steps, run.regret)
        resistances = (2 * run.p_u_policy, 9 / 7 * run.p_u_optimal)
        _restack(self.resistance_areas, steps, resistances)
        _restack(self.bound_areas, steps, run.bound_parts.T)
        right = max(2, len(steps))
        ticks = [tick for tick in (1, 3, 10, 30, 100, 300, 1000) if tick <= right]
        for axes, ruler in zip(self.step_axes, self.step_rulers, strict=True):
            set_limits(axes, x=(1, right))
            axes.xaxis.set_major_locator(FixedLocator(ticks))
            ruler.draw("step" if axes is self.bound_axes else "")
        largest = max(np.abs(curves).max(), 0.1)
        set_limits(self.term_axes, y=(-1.6 * largest, 1.6 * largest))
        powers = [power for power in (0.001, 0.01, 0.1, 1.0, 10.0) if power <= 1.6 * largest]
        self.term_axes.yaxis.set_major_locator(FixedLocator([*(-p for p in powers), 0, *powers]))
        self.term_axes.yaxis.set_major_formatter(
            FixedFormatter([*(f"−{p:g}" for p in powers), "0", *(f"{p:g}" for p in powers)])
        )
        self.term_ruler.draw()
        top = np.ceil(run.bound_parts.sum(axis=1).max())
        set_limits(self.bound_axes, y=(0, top))
        self.bound_axes.yaxis.set_major_locator(FixedLocator([1, *([top] if top > 2 else [])]))
        self.bound_ruler.draw()
        low, high = min(run.levels.min(), 0.0), run.levels.max()
        room = 0.02 * (high - low or 1.0)
        self.above_line = room
        set_limits(self.stair_axes, y=(low - 4 * room, high + 6 * room))
        self.stair_ruler.draw()

    def _draw_stairs(self, levels: np.ndarray) -> None:
        edges = [*zip(levels[:-1], levels[1:], strict=True), (levels[0], levels[3])]
        for bar, (start, end) in zip(self.bars, edges, strict=True):
            bar.set(y=end, height=start - end)
        for line, name, level in zip(self.level_lines, self.level_names, levels, strict=True):
            line.set_ydata([level, level])
            name.set_y(level + self.above_line)


def _stack(axes: Axes, styles: Sequence[dict]) -> list[PolyCollection]:
    return [
        axes.add_collection(
            PolyCollection([], edgecolor="white", linewidth=0.5, **style), autolim=False
        )
        for style in styles
    ]


def _restack(areas: Sequence[PolyCollection], steps: np.ndarray, heights: Sequence) -> None:
    """Put areas on top of each other."""
    floor = np.zeros(len(steps))
    for area, height in zip(areas, heights, strict=True):
        top = floor + height
        outline = np.concatenate(
            [np.column_stack([steps, floor]), np.column_stack([steps, top])[::-1]]
        )
        area.set_verts([outline])
        floor = top


def _verdict(state: State) -> str:
    believed, real = (short(level) for level in state.run.levels[state.at, 2:])
    return f"Expects {believed}, its plan earns {real}: {state.verdict}"
