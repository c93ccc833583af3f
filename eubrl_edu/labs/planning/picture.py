"""The picture of planning: values as bars, by sweeps and by policies, and how wrong they are."""

from collections.abc import Sequence

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from eubrl_edu.labs.planning.scene import MOST_SWEEPS, State
from eubrl_edu.plotting.lettering import Lettering, letters_high, short, title_of
from eubrl_edu.plotting.names import counted
from eubrl_edu.plotting.picture import Moving, new_dot, new_line
from eubrl_edu.plotting.style import BLACK, BLUE, SKY_BLUE, VERMILLION

SMALLEST, LARGEST = 1e-3, 3000.0  # errors that the axis shows
BY_SWEEPS = {"color": BLUE, "linestyle": "-"}
BY_POLICIES = {"color": VERMILLION, "linestyle": "--", "marker": "s", "markersize": 5}
RESIDUAL = {"color": SKY_BLUE, "linestyle": ":"}


class PlanningPicture(Moving):
    """Bars of V at the left, value iteration above policy iteration; errors at the right."""

    def __init__(self, figure: Figure, state: State) -> None:
        figure.set_layout_engine("none")
        self.by_sweeps = Bars(figure.add_axes((0.03, 0.63, 0.54, 0.27)), state, BLUE, "")
        self.by_policies = Bars(figure.add_axes((0.03, 0.14, 0.54, 0.27)), state, VERMILLION, "//")
        self._build_errors(figure.add_axes((0.66, 0.16, 0.3, 0.7)))

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        k, m = state.params.sweeps, state.at_policy
        optimal = state.optimal
        self.by_sweeps.draw(
            f"Value iteration, {counted(k, 'sweep')}",
            state.swept[k],
            optimal,
            state.arrows(state.greedy),
        )
        policy = state.policies[m - 1] if m else np.zeros_like(state.greedy)
        done = ": done" if m == state.n_policies else ""
        self.by_policies.draw(
            f"Policy iteration, {counted(m, 'policy')}{done}",
            state.evaluated[m],
            optimal,
            state.arrows(policy),
        )
        sweeps = np.arange(MOST_SWEEPS + 1)
        self.residuals.set_data(sweeps, np.maximum(state.residuals, SMALLEST))
        self.errors.set_data(sweeps, np.maximum(state.errors, SMALLEST))
        self.policy_errors.set_data(
            np.arange(state.n_policies + 1), np.maximum(state.policy_errors, SMALLEST)
        )
        self.cursor.set_xdata([k, k])
        self.dot.set_data([k], [max(state.errors[k], SMALLEST)])

    def _build_errors(self, axes: Axes) -> None:
        axes.set(xlim=(0, MOST_SWEEPS), yscale="log", ylim=(SMALLEST, LARGEST))
        axes.set(xlabel="k, sweeps or policies", title="How far off")
        self.residuals = new_line(axes, **RESIDUAL, label="residual")
        self.errors = new_line(axes, **BY_SWEEPS, label="true error")
        self.policy_errors = new_line(axes, **BY_POLICIES, label="error of policies")
        self.cursor = axes.axvline(0, color=BLACK, linewidth=1, alpha=0.6)
        self.dot = new_dot(axes, BLUE, markersize=9)
        axes.legend(handles=[self.errors, self.residuals, self.policy_errors], loc="upper right")


class Bars(Moving):
    """V of each state as a bar, V* as a line above it, and the greedy action below."""

    def __init__(self, axes: Axes, state: State, colour: str, hatch: str) -> None:
        states = np.arange(len(state.optimal))
        axes.set(xlim=(-0.6, len(states) - 0.4), ylim=(0, 1.25), yticks=[])
        axes.set_xticks(states, state.world.states)
        axes.tick_params(axis="x", length=0, pad=1.4 * rcParams["font.size"])
        axes.spines["left"].set_visible(False)
        self.title = title_of(axes)
        self.bars = [
            axes.add_patch(
                Rectangle((x - 0.4, 0), 0.8, 0, facecolor=colour, hatch=hatch, edgecolor="white")
            )
            for x in states
        ]
        self.optimal = axes.hlines(np.zeros(len(states)), states - 0.44, states + 0.44, BLACK)
        self.numbers = Lettering(axes, np.zeros((len(states), 2)), size=0.85, stand=True)
        below = np.full(len(states), -0.75 / letters_high(axes))
        self.arrows = Lettering(
            axes, np.column_stack([states, below]), transform=axes.get_xaxis_transform()
        )

    def draw(
        self, title: str, values: np.ndarray, optimal: np.ndarray, arrows: Sequence[str]
    ) -> None:
        """Show these values, as shares of the largest that there can be."""
        self.title.write([title])
        # Sweeps from 0 stay below V* where no reward is negative, as in these worlds.
        scale = optimal.max() if optimal.max() > 0 else 1.0
        for bar, value in zip(self.bars, values, strict=True):
            bar.set_height(value / scale)
        states = np.arange(len(values))
        self.optimal.set_segments(
            [
                [(x - 0.44, v / scale), (x + 0.44, v / scale)]
                for x, v in zip(states, optimal, strict=True)
            ]
        )
        self.numbers.move(np.column_stack([states, values / scale + 0.05]))
        self.numbers.write([short(value) for value in values])
        self.arrows.write(arrows)
