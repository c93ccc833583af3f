"""The picture of a prior: which class it is in, how fast its uncertainty falls, when it fades."""

from collections.abc import Mapping

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, NullLocator

from eubrl_edu.labs.prior.scene import WEIGHT_VISITS, State
from eubrl_edu.plotting.grid import axes_grid, size_in_letters
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import in_powers
from eubrl_edu.plotting.picture import Moving, legend_above, new_line, set_limits
from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import DOUBT, GREY, PRIOR, PRIOR_WORDS

HOLDS_COLOURS, FAILS_COLOURS = ("#D5EFE6", "#00664B"), ("#FBE0DC", "#A3201A")
# Doubt has one colour and the prior another; the marker says what both are about.
SOURCES = {
    "transitions": {"marker": "o", "linestyle": "--"},
    "rewards": {"marker": "s", "linestyle": "-."},
}
GUIDES = {r"$1/\sqrt{n}$": -0.5, r"$1/n$": -1.0}
# √E_T + √E_R is above 3 only where the prior expects rewards to vary by far more than they do.
HIGHEST, LOWEST = (3.0, 10.0, 100.0), (1e-3, 1e-5, 1e-7, 1e-9, 1e-12)
GUIDED_FROM = 10  # visits from which on the two powers of n are drawn

# Where each condition stands: row, left end and width, of a hundred.
CONDITIONS = {
    "decomposable": (0, 0, 21.5),
    "weakly informative": (0, 26, 27.5),
    "rate": (0, 59, 20),
    "class": (0, 83.5, 16.5),
    "uniform": (1, 26, 14),
    "bounded": (1, 46, 15),
    "minimax": (1, 66, 34),
}
LABELS = {
    "rate": r"rate $\Theta(1/\sqrt{n})$",
    "class": r"in $\mathfrak{C}$",
    "minimax": "nearly minimax-optimal",
}
JOINTS = {
    "or": [(0, 23.75)],
    "and": [(0, 56.25), (1, 43)],
    "in $\\mathfrak{C}$, and": [(1, 13)],
    "⇒": [(0, 81.25), (1, 63.5)],
}
CENTRED = {"ha": "center", "va": "center_baseline"}


class PriorPicture(Moving):
    """The logic of the class on top; below, the rate at the left and the constants at the right."""

    def __init__(self, figure: Figure, state: State) -> None:
        _, height = size_in_letters(figure)
        ((self.logic_axes,),) = axes_grid(figure, [1], [], margins=(0.8, 0.8, 0.5, height - 5.5))
        ((self.rate_axes, self.weight_axes),) = axes_grid(
            figure, [1], [], margins=(4.4, 2, 10.2, 3.2), columns=2, column_gap=9
        )
        self._build_logic()
        self._build_rate(state)
        self._build_weights()

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self._draw_verdicts(state.verdicts)
        self._draw_rate(state)
        for name in SOURCES:
            self.weights[name].set_data(WEIGHT_VISITS, state.weights[name])
            self.weight_bounds[name].set_data(WEIGHT_VISITS, state.weight_bounds[name])
            self.constants[name].set_text(_constant(name, state.balance[name]))

    def _draw_verdicts(self, verdicts: Mapping[str, bool]) -> None:
        """Colour the boxes."""
        texts, colours = [], []
        for name, box in self.boxes.items():
            ground, letters = HOLDS_COLOURS if verdicts[name] else FAILS_COLOURS
            box.set(facecolor=ground, edgecolor=letters)
            texts.append(f"{'✓' if verdicts[name] else '✗'} {LABELS.get(name, name)}")
            colours.append(letters)
        self.names.write(texts, colours)

    def _draw_rate(self, state: State) -> None:
        epistemic = state.mean_epistemic
        set_limits(self.rate_axes, y=_limits(epistemic))
        self.rate_ruler.draw()
        self.epistemic.set_data(state.visits, epistemic)
        self.parts["transitions"].set_data(state.visits, state.transition_part)
        self.parts["rewards"].set_data(state.visits, state.reward_part)
        start = np.searchsorted(state.visits, GUIDED_FROM)
        ends = state.visits[[start, -1]]
        for name, power in GUIDES.items():
            heights = epistemic[start] * (ends / ends[0]) ** power
            self.guides[name].set_data(ends, heights)
            self.guide_names[name].set_y(heights[-1])

    def _build_logic(self) -> None:
        axes = self.logic_axes
        axes.set(xlim=(0, 100), ylim=(2, 0))
        axes.axis("off")
        self.boxes = {
            name: axes.add_patch(Rectangle((left, row + 0.12), width, 0.76, clip_on=False))
            for name, (row, left, width) in CONDITIONS.items()
        }
        self.names = Lettering(
            axes, [(left + width / 2, row + 0.5) for row, left, width in CONDITIONS.values()]
        )
        for words, places in JOINTS.items():
            for row, x in places:
                axes.text(x, row + 0.5, words, **CENTRED)

    def _build_rate(self, state: State) -> None:
        axes = self.rate_axes
        _style_visits_axis(axes, state.visits[-1])
        axes.set_yscale("log")
        axes.yaxis.set_minor_locator(NullLocator())
        self.rate_ruler = Ruler(axes.yaxis)
        _set_title(axes, "How fast the uncertainty falls")
        self.guides, self.guide_names = {}, {}
        for name in GUIDES:
            self.guides[name] = new_line(axes, ":", color=GREY)
            self.guide_names[name] = axes.text(state.visits[-1] * 1.1, 1, name, va="center")
        self.parts = {}
        for name, label in (("transitions", r"$\sqrt{E_T}$"), ("rewards", r"$\sqrt{E_R}$")):
            self.parts[name] = new_line(
                axes, color=DOUBT, **SOURCES[name], markevery=3, label=label
            )
        self.epistemic = new_line(
            axes, color=DOUBT, linewidth=1.8 * matplotlib.rcParams["lines.linewidth"], label="$E_b$"
        )
        handles = [self.epistemic, *self.parts.values()]
        legend_above(axes, handles, 3, "left", borderpad=0.2, columnspacing=1, handletextpad=0.4)

    def _build_weights(self) -> None:
        axes = self.weight_axes
        _style_visits_axis(axes, WEIGHT_VISITS[-1])
        axes.set(
            ylim=(0, 1.04), yticks=[0, 0.5, 1], ylabel="weight of the prior\n(dashed: its bound)"
        )
        _set_title(axes, "How long the prior has a say")
        axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
        letter = matplotlib.rcParams["font.size"]
        self.weights, self.weight_bounds, self.constants = {}, {}, {}
        for line, (name, style) in enumerate(SOURCES.items()):
            self.weights[name] = new_line(axes, color=PRIOR, marker=style["marker"], markevery=10)
            self.weight_bounds[name] = new_line(
                axes, color=PRIOR, linestyle=style["linestyle"], alpha=0.6
            )
            self.constants[name] = axes.annotate(
                "",
                (0, 1),
                xytext=(0, (1.75 - 1.4 * line) * letter),
                xycoords="axes fraction",
                textcoords="offset points",
                color=PRIOR_WORDS,
            )


def _constant(name: str, balance: float) -> str:
    symbol = {"transitions": "$C_g S$", "rewards": "$C_s$"}[name]
    mark = {"transitions": "●", "rewards": "■"}[name]
    value = f"{symbol} = {in_powers(balance)}" if np.isfinite(balance) else f"no {symbol}"
    return f"{mark} {name}: {value}"


def _set_title(axes: Axes, words: str) -> None:
    """The title, with room below it for two lines of words."""
    axes.set_title(words, loc="left", y=1.0, pad=3.3 * matplotlib.rcParams["font.size"])


def _style_visits_axis(axes: Axes, last: float) -> None:
    axes.set(xscale="log", xlim=(1, last), xlabel="n, visits to the pair")
    axes.xaxis.set_major_locator(FixedLocator([1, 10, 100, 1000, 10_000]))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def _limits(values: np.ndarray) -> tuple[float, float]:
    """The same for nearly all priors, so that one can be compared with another."""
    seen = values[values > 0]
    low = next((low for low in LOWEST if (seen >= low).all()), LOWEST[-1])
    high = next((high for high in HIGHEST if (seen <= high).all()), HIGHEST[-1])
    return low, high
