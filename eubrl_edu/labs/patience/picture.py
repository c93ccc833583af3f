"""The picture of a walk: its value along the chain, at the start of other chains, and its limit."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import FuncFormatter

from eubrl_edu.labs.patience.scene import LONGEST, PATIENCE, State
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.picture import Moving, area_under, new_dot, new_line
from eubrl_edu.plotting.style import BLACK, BLUE, VERMILLION

LOWEST, HIGHEST = -1.6, 2.4  # value, in multiples of N
WHOLE_NUMBERS = FuncFormatter(lambda value, _: f"{value:,.0f}")
PAYS = {"facecolor": "#CFE3F1", "edgecolor": "none"}
COSTS = {"facecolor": "#E6E6E6", "edgecolor": "white", "hatch": "//"}


class PatiencePicture(Moving):
    """The chain with the walk's value above it; below, longer chains, and more patience."""

    def __init__(self, figure: Figure, state: State) -> None:
        rows = figure.subplot_mosaic([["chain", "chain"], ["sizes", "limit"]])
        self._build_chain(rows["chain"])
        self._build_sizes(rows["sizes"])
        self._build_limit(rows["limit"])

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        params = state.params
        places = np.arange(1, 2 * params.size) / params.size - 1
        heights = np.clip(state.along / params.size, LOWEST, HIGHEST)
        self.along.set_data(places, heights)
        self.gain.set_xy(area_under(places, np.maximum(heights, 0)))
        self.cost.set_xy(area_under(places, np.minimum(heights, 0)))
        at_start = np.clip(state.start / params.size, LOWEST, HIGHEST)
        self.start.set_data([0], [at_start])
        self.words.move([(-0.03, max(at_start, 0) + 0.5)])
        self.words.write([f"at the start: {state.start:.3g}"])

        self.at_start.set_data(state.sizes, np.clip(state.at_start / state.sizes, LOWEST, HIGHEST))
        self.this_size.set_data([params.size], [at_start])

        self.limit.set_data(state.frontier, PATIENCE)
        above = [(1, PATIENCE[-1]), (1, PATIENCE[0])]
        self.region.set_xy(np.vstack([np.column_stack([state.frontier, PATIENCE]), above]))
        self.this_walk.set_data([params.size], [params.patience])

    def _build_chain(self, axes: Axes) -> None:
        axes.set(xlim=(-1.06, 1.06), ylim=(LOWEST, HIGHEST), ylabel="value / $N$")
        axes.set_title("What walking right is worth, from each state of the chain")
        axes.set_xticks([-1, 0, 1], ["left end\npays $N - 1$", "start", "right end\npays $2N - 1$"])
        axes.axhline(0, color=BLACK, linewidth=1)
        axes.text(-1.04, 0.1, "doing nothing: 0", va="bottom", fontsize="small")
        self.gain = axes.add_patch(Polygon(np.zeros((3, 2)), **PAYS))
        self.cost = axes.add_patch(Polygon(np.zeros((3, 2)), **COSTS))
        self.along = new_line(axes, color=BLUE)
        self.start = new_dot(axes, VERMILLION, "D")
        self.words = Lettering(axes, np.zeros((1, 2)), align="right", weight="bold")

    def _build_sizes(self, axes: Axes) -> None:
        axes.set(xscale="log", xlim=(1, 10_000), ylim=(LOWEST, 1.2))
        axes.set(xlabel="length $N$", ylabel="value / $N$", title="At the start of other chains")
        axes.xaxis.set_major_formatter(WHOLE_NUMBERS)
        axes.axhline(0, color=BLACK, linewidth=1)
        self.at_start = new_line(axes, color=BLUE)
        self.this_size = new_dot(axes, VERMILLION, "D")

    def _build_limit(self, axes: Axes) -> None:
        axes.set(xscale="log", yscale="log", xlim=(1, 10_000), ylim=(PATIENCE[0], LONGEST))
        axes.set(xlabel="length $N$", ylabel="patience $1/(1 - \\gamma)$")
        axes.set(title="Who should set out?", facecolor="#E6E6E6")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(WHOLE_NUMBERS)
        self.region = axes.add_patch(Polygon(np.zeros((3, 2)), **PAYS))
        self.limit = new_line(axes, color=BLACK)
        self.this_walk = new_dot(axes, VERMILLION, "D")
        self.verdicts = Lettering(axes, [(4, 4000), (2000, 14)], size=1.1, weight="bold")
        self.verdicts.write(["set out", "stay"])
