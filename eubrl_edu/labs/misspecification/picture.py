"""The picture of many agents with a wrong prior: who is stuck, and what the bound says of it."""

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.image import PcolorImage
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullLocator

from eubrl_edu.labs.misspecification.scene import ALPHAS, EXACT_ALPHAS, MOST_STEPS, State
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.lettering import Lettering, title_of
from eubrl_edu.plotting.picture import Moving, legend_above, new_dot, new_line
from eubrl_edu.plotting.style import BLACK, GREY, ORANGE, VERMILLION

# In the order of the codes in ``pulls``; light and dark differ as well as hue.
PULL_COLOURS = {
    "stuck on the worse arm": VERMILLION,
    "worse arm, but not stuck": ORANGE,
    "better arm": "#CFE6F3",
}
# In bytes and with opacity, Matplotlib has least to do.
RGBA = np.array([np.multiply(to_rgba(colour), 255) for colour in PULL_COLOURS.values()], np.uint8)
THRESHOLDS = ("a₁", "a₂")
DENSE = {"columnspacing": 1, "handlelength": 1.6, "handletextpad": 0.4, "labelspacing": 0.3}


class MisspecificationPicture(Moving):
    """Left, a row for each agent and a column for each step; right, the share stuck by prior.

    Both panels have the same vertical axis, so that heights can be compared across.
    """

    def __init__(self, figure: Figure, state: State) -> None:
        ((self.agent_axes, self.prior_axes),) = axes_grid(
            figure, [1], [], margins=(4.6, 1.8, 5.6, 3.2), columns=2, column_gap=3.6
        )
        for axes in (self.agent_axes, self.prior_axes):
            axes.set(ylim=(0, 1), yticks=[0, 0.25, 0.5, 0.75, 1])
        self.agent_axes.set_ylabel("share of the agents")
        self._build_agents(state)
        self._build_priors()

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        n_steps = state.pulls.shape[1]
        self.agents.set_data(*_cells(state))
        self.exact.set_data(np.arange(1, n_steps + 1), state.exact)
        self.bound.set_data([0.5, n_steps + 0.5], [state.least_stuck] * 2)
        stuck = round(state.stuck.value * state.params.n_agents)
        self.headline.write([f"{stuck} of {state.params.n_agents} never pull the better arm"])
        self.loss.write([f"mean loss in the last step: {state.loss:.2f}"])
        self.exact_by_alpha.set_data(EXACT_ALPHAS, state.exact_by_alpha)
        self.bound_by_alpha.set_data(ALPHAS, state.bound_by_alpha)
        self.error_bar.set_data([state.params.alpha] * 2, [state.stuck.low, state.stuck.high])
        self.dot.set_data([state.params.alpha], [state.stuck.value])
        self.missing.set_text(f"no bound:\n{state.no_bound}" if state.no_bound else "")
        self._draw_thresholds(state)

    def _draw_thresholds(self, state: State) -> None:
        required = state.required
        places = (np.nan, np.nan) if required is None else (required.late, required.early)
        for (name, line), place, other in zip(
            self.thresholds.items(), places, reversed(places), strict=True
        ):
            line.set_xdata([place] * 2)
            words = self.threshold_names[name]
            shown = ALPHAS[0] <= place <= ALPHAS[-1]
            words.set(text=name if shown else "", x=place if shown else 1.0)
            # The names stand on the sides that face away from each other.
            words.set_horizontalalignment("right" if place < other else "left")
        self.guaranteed.set_data([max(places), ALPHAS[-1]], [state.guaranteed] * 2)

    def _build_agents(self, state: State) -> None:
        axes = self.agent_axes
        axes.set(xlim=(0.5, MOST_STEPS + 0.5), xlabel="step")
        # Many times as fast as imshow, which resamples in floating point.
        self.agents = PcolorImage(axes, *_cells(state), zorder=0)
        axes.add_image(self.agents)
        self.exact = new_line(axes, color=BLACK)
        self.bound = new_line(axes, "--", color=BLACK)
        self.loss = Lettering(axes, [[0.98 * MOST_STEPS, 0.95]], align="right")
        handles = [Patch(color=colour, label=name) for name, colour in PULL_COLOURS.items()]
        _legend(axes, "", handles)
        self.headline = title_of(axes, lines_above=3.0, weight="bold")

    def _build_priors(self) -> None:
        axes = self.prior_axes
        axes.set_xscale("log")
        axes.set(xlim=ALPHAS[[0, -1]], xlabel="α of the prior Beta(α, α)")
        axes.xaxis.set_major_locator(FixedLocator([0.1, 1, 10, 100, 1000]))
        axes.xaxis.set_major_formatter("{x:,g}")
        axes.xaxis.set_minor_locator(NullLocator())
        self.exact_by_alpha = new_line(axes, color=BLACK, label="exact")
        self.bound_by_alpha = new_line(axes, "--", color=BLACK, label="bound")
        self.guaranteed = new_line(axes, ":", color=GREY, label="guaranteed")
        self.thresholds, self.threshold_names = {}, {}
        for name in THRESHOLDS:
            self.thresholds[name] = axes.axvline(1, ymax=0.62, color=GREY, linestyle="-.")
            self.threshold_names[name] = axes.text(1, 0.64, "")
        self.error_bar = new_line(axes, color=VERMILLION, linewidth=4, zorder=4)
        self.dot = new_dot(axes, VERMILLION, zorder=5, label="these agents")
        self.missing = axes.text(0.98, 0.8, "", transform=axes.transAxes, ha="right")
        _legend(
            axes,
            "How many are stuck, by prior",
            [self.dot, self.exact_by_alpha, self.bound_by_alpha, self.guaranteed],
        )


def _legend(axes: Axes, title: str, handles: list[Artist]) -> None:
    """A title, and under it a legend of two rows."""
    letter = matplotlib.rcParams["font.size"]
    axes.set_title(title, loc="left", y=1.0, pad=3.6 * letter)
    columns = (len(handles) + 1) // 2
    legend_above(axes, handles, columns, "left", borderpad=0.2, borderaxespad=0.3, **DENSE)


def _cells(state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges of the steps from left to right, of the agents from 0 up to 1, and their colours.

    White fills the rest of the axes: before 3.11, Matplotlib draws an animated image into the
    background too, and what was drawn there must not show.
    """
    n_agents, n_steps = state.pulls.shape
    steps = np.append(np.arange(n_steps + 1), MOST_STEPS) + 0.5
    colours = np.pad(RGBA[state.pulls], [(0, 0), (0, 1), (0, 0)], constant_values=255)
    return steps, np.linspace(0, 1, n_agents + 1), colours
