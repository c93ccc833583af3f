"""Worlds whose states have places of their own: circles on a map, and the petals of the loops."""

import matplotlib
import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Circle, FancyArrowPatch

from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.plotting.lettering import SMALLEST_LETTERS, Lettering
from eubrl_edu.plotting.style import BLACK, GREY, VERMILLION
from eubrl_edu.plotting.world import VISITS_MAP, Moment, World, visit_shade, write_counts

MOST_LOOPS_WITH_COUNTS = 4
PANEL_POINTS = 330.0, 230.0  # how wide and how high the panel is, about


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
