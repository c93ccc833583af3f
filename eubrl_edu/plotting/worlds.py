"""A world in its own shape, with the agent in it and how often it has been where.

Chains are drawn as a line, the sea as a grid, loops as petals. What never changes is drawn once;
the agent, its next step and the visits are moved.
"""

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Circle, FancyArrowPatch, StepPatch

from eubrl_edu.environments import DeepSea
from eubrl_edu.experiments.explored_run import ExplorationState, ExploredRun, reachable_states
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import state_ticks, world_title
from eubrl_edu.plotting.pair_maps import draw_cells, grid_lines
from eubrl_edu.plotting.style import BLACK, GREY, SKY_BLUE, VERMILLION, YELLOW

VISITS_MAP = "Blues"
LINE_POINTS = 62.0  # how high the line of states is drawn, about
MOST_LOOPS_WITH_COUNTS = 4
MOST_CELLS_WITH_COUNTS = 10


def draw_world(axes: Axes, run: ExploredRun) -> "World":
    """Return the picture that suits the run's world."""
    if isinstance(run.env, DeepSea):
        return Sea(axes, run)
    if np.ptp(run.env.state_positions[:, 1]) == 0:
        return Line(axes, run)
    return Petals(axes, run)


class World:
    """What the pictures of all worlds share: the agent, and an arrow to where it will get.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    run : ExploredRun
        The run whose world it is.
    """

    def __init__(self, axes: Axes, run: ExploredRun):
        self.axes = axes
        self.env = run.env
        axes.set_title(world_title(run.env), loc="left")
        self.arrow = FancyArrowPatch(
            (0, 0),
            (1, 0),
            arrowstyle="simple,head_length=9,head_width=10,tail_width=3",
            color=VERMILLION,
            shrinkA=0,
            shrinkB=0,
            zorder=6,
        )
        axes.add_patch(self.arrow)

    @property
    def artists(self) -> Sequence[Artist]:
        """Everything that moves."""
        return [self.arrow]

    def move(self, state: ExplorationState) -> None:
        """Put everything where ``state`` wants it."""
        target = None if state.action is None else self.likely_next(state.state, state.action)
        self.arrow.set_visible(target is not None and target != state.state)
        if self.arrow.get_visible():
            self.point(np.array(self.place(state.state)), np.array(self.place(target)))

    def likely_next(self, state: int, action: int) -> int:
        """The most likely next state."""
        row = state, action, self.env.model.weights[state, action].argmax()
        return int(self.env.model.successors[row])

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        return tuple(self.env.state_positions[state])

    def point(self, here: np.ndarray, there: np.ndarray) -> None:
        """Draw the arrow from one place most of the way to another."""
        self.arrow.set_positions(here + 0.3 * (there - here), here + 0.85 * (there - here))


class Line(World):
    """States side by side, the visits to each as a bar on a logarithmic scale."""

    def __init__(self, axes: Axes, run: ExploredRun):
        super().__init__(axes, run)
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
        (self.agent,) = axes.plot(
            [], [], "^", color=VERMILLION, markersize=15, markeredgecolor=BLACK, zorder=7
        )
        self.counts = Lettering(axes, np.zeros((n_states, 2))) if n_states <= 11 else None

    @property
    def artists(self) -> Sequence[Artist]:
        """Everything that moves."""
        return [self.bars, *super().artists, self.agent, *([self.counts] if self.counts else [])]

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        return float(state), -0.13 * self.top

    def move(self, state: ExplorationState) -> None:
        """Put everything where ``state`` wants it."""
        self.fit(len(state.run))
        super().move(state)
        visits = state.visits.sum(axis=1)
        heights = np.log10(1 + visits)
        self.bars.set_data(heights)
        self.agent.set_data(*[[coordinate] for coordinate in self.place(state.state)])
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

    def __init__(self, axes: Axes, run: ExploredRun):
        super().__init__(axes, run)
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

    @property
    def artists(self) -> Sequence[Artist]:
        """Everything that moves."""
        return [
            self.cells,
            self.lines,
            self.treasure,
            *super().artists,
            self.ring,
            *([self.counts] if self.counts else []),
        ]

    def place(self, state: int) -> tuple[float, float]:
        """Where a state is drawn."""
        row, column = divmod(state, self.env.size)
        return float(column), float(row)

    def likely_next(self, state: int, action: int) -> int:
        """The most likely next cell; the cell itself where the episode ends."""
        successor = super().likely_next(state, action)
        return state if successor in self.env.terminal_states else successor

    def move(self, state: ExplorationState) -> None:
        """Put everything where ``state`` wants it."""
        super().move(state)
        self.ring.set_visible(state.state not in self.env.terminal_states)
        self.ring.set_center(self.place(state.state))
        visits = state.visits.sum(axis=1)[:-1].reshape(self.shown.shape)
        shade = visit_shade(visits, len(state.run))
        self.cells.set_array(np.ma.masked_where(~self.shown, shade))
        write_counts(self.counts, visits.ravel(), shade.ravel())


class Petals(World):
    """States as circles around the start, each as dark as it was visited often."""

    radius = 0.33

    def __init__(self, axes: Axes, run: ExploredRun):
        super().__init__(axes, run)
        places = self.env.state_positions
        axes.set(xticks=[], yticks=[], aspect="equal")
        axes.spines[:].set_visible(False)
        self._draw_ways()
        self._name_loops()
        self.circles = PatchCollection(
            [Circle(place, self.radius) for place in places], edgecolors=BLACK, zorder=4
        )
        axes.add_collection(self.circles)
        with_counts = self.env.size <= MOST_LOOPS_WITH_COUNTS
        self.counts = Lettering(axes, places) if with_counts else None
        self.ring = axes.add_patch(
            Circle((0, 0), self.radius + 0.08, fill=False, ec=VERMILLION, lw=5, zorder=7)
        )

    @property
    def artists(self) -> Sequence[Artist]:
        """Everything that moves."""
        return [*super().artists, self.circles, self.ring, *([self.counts] if self.counts else [])]

    def move(self, state: ExplorationState) -> None:
        """Put everything where ``state`` wants it."""
        super().move(state)
        self.ring.set_center(self.place(state.state))
        visits = state.visits.sum(axis=1)
        shade = visit_shade(visits, len(state.run))
        self.circles.set_facecolor(matplotlib.colormaps[VISITS_MAP](shade))
        write_counts(self.counts, visits, shade)

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
            self.axes.add_patch(
                FancyArrowPatch(
                    here + gap,
                    there - gap,
                    arrowstyle="-|>",
                    mutation_scale=10,
                    shrinkA=0,
                    shrinkB=0,
                    color=GREY,
                    linestyle=":" if mistake else "-",
                    connectionstyle="arc3,rad=0.25" if mistake else "arc3",
                    zorder=1,
                )
            )

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


def visit_shade(visits: np.ndarray, steps: int) -> np.ndarray:
    """How dark to paint a number of visits, from 0 to 0.85, on a logarithmic scale."""
    return 0.85 * np.log10(1 + visits) / np.log10(1 + steps)


def write_counts(numbers: Lettering | None, visits: np.ndarray, shade: np.ndarray) -> None:
    """Write the visits, in letters that stand out against their ground; nothing for none."""
    if numbers:
        numbers.write(
            [str(count) if count else "" for count in visits],
            ["white" if dark > 0.55 else "black" for dark in shade],
        )
