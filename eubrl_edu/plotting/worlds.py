"""A world in its own shape, with the agent in it and how often it has been where.

Chains are drawn as a line, the sea as a grid, loops as petals, and any other world as it places
its states. What never changes is drawn once; the agent, its next step and the visits are moved.
"""

import matplotlib
import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Circle, FancyArrowPatch, StepPatch

from eubrl_edu.environments import DeepSea, Loop
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.plotting.lettering import SMALLEST_LETTERS, Lettering
from eubrl_edu.plotting.names import state_ticks
from eubrl_edu.plotting.pair_maps import draw_cells, grid_lines
from eubrl_edu.plotting.picture import new_line
from eubrl_edu.plotting.style import BLACK, GREY, SKY_BLUE, VERMILLION, YELLOW
from eubrl_edu.plotting.world import VISITS_MAP, Moment, World, visit_shade, write_counts

MOST_LOOPS_WITH_COUNTS = 4
PANEL_POINTS = 330.0, 230.0  # how wide and how high the panel of places is, about
LINE_POINTS = 62.0  # how high the line of states is drawn, about
MOST_CELLS_WITH_COUNTS = 10


def draw_world(axes: Axes, env: TabularEnvironment) -> World:
    """Return the picture that suits the world."""
    if isinstance(env, DeepSea):
        return Sea(axes, env)
    if isinstance(env, Loop):
        return Petals(axes, env)
    on_a_line = np.ptp(env.state_positions[:, 1]) == 0
    return Line(axes, env) if on_a_line else Places(axes, env)


class Line(World):
    """States side by side, the visits to each as a bar on a logarithmic scale."""

    def __init__(self, axes: Axes, env: TabularEnvironment):
        super().__init__(axes, env)
        n_states = self.env.n_states
        self.top = 0.0
        self.bars = StepPatch(
            np.zeros(n_states), np.arange(n_states + 1) - 0.5, fill=True, fc=SKY_BLUE, ec=BLACK
        )
        axes.add_patch(self.bars)
        axes.axhline(0, color=BLACK, linewidth=1)
        axes.set_xlim(-0.5, n_states - 0.5)
        places, labels = state_ticks(self.env)
        axes.set_xticks(places, labels)
        axes.tick_params(axis="x", length=0)
        axes.set_ylabel("visits")
        self.agent = new_line(
            axes, "^", color=VERMILLION, markersize=15, markeredgecolor=BLACK, zorder=7
        )
        self.counts = Lettering(axes, np.zeros((n_states, 2))) if n_states <= 11 else None

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        return float(state), -0.13 * self.top

    def draw(self, moment: Moment) -> None:
        """Put everything where ``moment`` wants it."""
        self.fit(moment.steps)
        super().draw(moment)
        visits = moment.visits
        heights = np.log10(1 + visits)
        self.bars.set_data(heights)
        self.agent.set_data(*[[coordinate] for coordinate in self.place(moment.state)])
        if self.counts:
            above = heights + (0.4 * rcParams["font.size"] + 3) / LINE_POINTS * self.top
            self.counts.set_offsets(np.column_stack([np.arange(len(visits)), above]))
            self.counts.write([str(count) for count in visits])

    def point(self, here: np.ndarray, there: np.ndarray) -> None:
        """Draw an arrow as long as one state is wide."""
        step = np.array([np.clip(there[0] - here[0], -1, 1), 0])
        self.arrow.set_positions(here + 0.3 * step, here + 1.1 * step)

    def fit(self, steps: int) -> None:
        """Make room for as many visits as there can be."""
        top = 1.25 * np.log10(1 + steps)
        if top == self.top:
            return
        self.top = top
        ticks = [0, *(10**k for k in range(1, 5) if 10**k <= steps)]
        self.axes.set_yticks(np.log10(1 + np.array(ticks)), map(str, ticks))
        self.axes.set_ylim(-0.27 * top, top)


class Sea(World):
    """The sea from above, each cell as dark as it was visited often."""

    def __init__(self, axes: Axes, env: TabularEnvironment):
        super().__init__(axes, env)
        size = self.env.size
        self.shown = reachable_states(self.env)[:-1].reshape(size, size)
        ends = -0.5, size - 0.5
        self.cells = draw_cells(axes, VISITS_MAP, size, size, (*ends, *reversed(ends)))
        axes.set(xticks=[], yticks=[], anchor="N", aspect="equal", xlim=ends, ylim=ends[::-1])
        axes.spines[:].set_visible(False)
        self.lines = grid_lines(axes, size, size)
        last, small = size - 1, min(1.0, 10 / size)
        (self.treasure,) = axes.plot(
            last, last, "*", color=YELLOW, markersize=18 * small, markeredgecolor=BLACK
        )
        self.arrow.set_mutation_scale(small)
        ring = Circle((0, 0), 0.42, fill=False, ec=VERMILLION, lw=4 * small, zorder=7)
        self.ring = axes.add_patch(ring)
        places = self.env.state_positions[:-1] * (1, -1)
        self.counts = Lettering(axes, places, size=0.9) if size <= MOST_CELLS_WITH_COUNTS else None

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        row, column = divmod(state, self.env.size)
        return float(column), float(row)

    def likely_next(self, state: int, action: int) -> int:
        """The most likely next cell; the cell itself where the episode ends."""
        successor = super().likely_next(state, action)
        return state if successor in self.env.terminal_states else successor

    def draw(self, moment: Moment) -> None:
        """Put everything where ``moment`` wants it."""
        super().draw(moment)
        self.ring.set_visible(moment.state not in self.env.terminal_states)
        self.ring.set_center(self.place(moment.state))
        visits = moment.visits[:-1].reshape(self.shown.shape)
        shade = visit_shade(visits, moment.steps)
        self.cells.set_array(np.ma.masked_where(~self.shown, shade))
        write_counts(self.counts, visits.ravel(), shade.ravel())


class Places(World):
    """States as circles where the world places them, each as dark as it was visited often."""

    radius = 0.33

    def __init__(self, axes: Axes, env: TabularEnvironment):
        super().__init__(axes, env)
        places = self.env.state_positions
        axes.set(xticks=[], yticks=[], aspect="equal")
        axes.spines[:].set_visible(False)
        low, high = places.min(axis=0) - 0.6, places.max(axis=0) + 0.6
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        self.circles = PatchCollection(
            [Circle(place, self.radius) for place in places], edgecolors=BLACK, zorder=4
        )
        axes.add_collection(self.circles)
        size = self.size_of_counts()
        self.counts = Lettering(axes, places, size=size) if size else None
        self.ring = axes.add_patch(
            Circle((0, 0), self.radius + 0.08, fill=False, ec=VERMILLION, lw=5, zorder=7)
        )

    def size_of_counts(self) -> float:
        """How large to write the visits, as a multiple of the picture's letters; 0 for not at all.

        Three digits have to fit into a circle.
        """
        across, up = np.ptp(self.env.state_positions, axis=0) + 1
        room = 0.3 * min(PANEL_POINTS[0] / across, PANEL_POINTS[1] / up)
        return min(1.0, room / rcParams["font.size"]) if room >= SMALLEST_LETTERS else 0.0

    def draw(self, moment: Moment) -> None:
        """Put everything where ``moment`` wants it."""
        super().draw(moment)
        self.ring.set_center(self.place(moment.state))
        visits = moment.visits
        shade = visit_shade(visits, moment.steps)
        self.circles.set_facecolor(matplotlib.colormaps[VISITS_MAP](shade))
        write_counts(self.counts, visits, shade)


class Petals(Places):
    """Loops around the start, with the ways between their states and what they pay."""

    def __init__(self, axes: Axes, env: TabularEnvironment):
        super().__init__(axes, env)
        self._draw_ways()
        self._name_loops()

    def size_of_counts(self) -> float:
        """Full size where few loops leave room for numbers."""
        return 1.0 if self.env.size <= MOST_LOOPS_WITH_COUNTS else 0.0

    def _draw_ways(self) -> None:
        """Draw an arrow for each possible transition, dashed where a mistake leads back."""
        model, places = self.env.model, self.env.state_positions
        ways = {
            (state, int(model.successors[state, action, 0]))
            for state in range(model.n_states)
            for action in range(model.n_actions)
        }
        for state, successor in sorted(ways):
            mistake = successor == 0 and state % 4 != 0
            here, there = places[state], places[successor]
            gap = self.radius * (there - here) / np.linalg.norm(there - here)
            way = {"linestyle": ":", "connectionstyle": "arc3,rad=0.25"} if mistake else {}
            look = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 0, "shrinkB": 0}
            arrow = FancyArrowPatch(here + gap, there - gap, **look, **way, color=GREY, zorder=1)
            self.axes.add_patch(arrow)

    def _name_loops(self) -> None:
        """Write each loop's name and pay outside of it, and make room for that."""
        size, places = self.env.size, self.env.state_positions
        few = size <= MOST_LOOPS_WITH_COUNTS
        reach = np.abs(places).max(axis=0) + (1.9 if few else 1.0, 0.6)
        for loop in range(size):
            corners = places[4 * loop + 1 : 4 * loop + 5]
            middle = corners.mean(axis=0)
            out = middle / np.linalg.norm(middle)
            x, y = middle + (1.05 if few else 1.0) * out
            pay = 2 if loop == size - 1 else 1
            self.axes.text(
                x,
                y,
                f"loop {loop}\npays {pay}" if few else str(loop),
                ha="center" if abs(out[0]) < 0.5 else "left" if out[0] > 0 else "right",
                va="center" if abs(out[1]) < 0.5 else "bottom" if out[1] > 0 else "top",
                fontweight="bold" if pay == 2 else "normal",
            )
            reach[1] = max(reach[1], abs(y) + 1.4 * abs(out[1]))
        self.axes.set(xlim=(-reach[0], reach[0]), ylim=(-reach[1], reach[1]))
