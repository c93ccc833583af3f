"""The picture of two rules for one arm: a line and a parabola, and a map of who is right."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from eubrl_edu.labs.guidance.picture import LABELS, RULE_STYLES
from eubrl_edu.labs.guided_reward.scene import HIGHEST_REWARD, LARGEST_MAX, LOWEST_REWARD, State
from eubrl_edu.plotting.grid import axes_grid, size_in_letters
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.picture import Moving, legend_above, new_dot, new_line
from eubrl_edu.plotting.style import BLACK, GREEN

BONUS, GUIDED = RULE_STYLES["r_b + E_b"], RULE_STYLES["EUBRL"]
NAMES = ("both", "EUBRL", "bonus", "neither")
SHADES = np.array(
    [np.array(to_rgb(colour)) for colour in (GREEN, GUIDED["color"], BONUS["color"], "#BBBBBB")]
)
PALE = 0.5  # towards white, so that words can be read on it
SMALLEST_NAMED = 0.04  # share of the map


class GuidedRewardPicture(Moving):
    """Worth against P_U at the left, the map of (r_b, E_max) at the right."""

    def __init__(self, figure: Figure, state: State) -> None:
        width, _ = size_in_letters(figure)
        of_map = 0.4 * width
        [[curves]] = axes_grid(figure, [1], [], (3.6, of_map + 6, 4.0, 3.2))
        [[regions]] = axes_grid(figure, [1], [], (width - of_map - 1, 1, 4.0, 3.2))
        self._build_curves(curves)
        self._build_map(regions)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        params, p = state.params, state.params.probability
        self.bonus.set_data(state.probabilities, state.with_bonus)
        self.guided.set_data(state.probabilities, state.guided)
        self.known.set_ydata([params.known] * 2)
        self.cursor.set_xdata([p, p])
        self.bonus_dot.set_data([p], [state.bonus_here])
        self.guided_dot.set_data([p], [state.guided_here])
        self.lowest.set_data([state.lowest], [state.lowest_worth])
        self.map.set_data(1 - PALE * (1 - SHADES[state.verdicts]))
        self.here.set_data([params.mean_reward], [params.max_uncertainty])
        self._name_regions(state.verdicts)

    def _name_regions(self, verdicts: np.ndarray) -> None:
        rewards = np.linspace(LOWEST_REWARD, HIGHEST_REWARD, verdicts.shape[1])
        largests = np.linspace(0, LARGEST_MAX, verdicts.shape[0])
        names, places = [], []
        for verdict, name in enumerate(NAMES):
            rows, columns = np.nonzero(verdicts == verdict)
            if len(rows) > SMALLEST_NAMED * verdicts.size:
                names.append(name)
                places.append((np.median(rewards[columns]), np.median(largests[rows])))
        self.names.move(places)
        self.names.write(names)

    def _build_curves(self, axes: Axes) -> None:
        axes.set(xlim=(0, 1), ylim=(LOWEST_REWARD - 0.1, HIGHEST_REWARD + LARGEST_MAX + 0.1))
        axes.set(xlabel="$P_U$, how unsure", ylabel="worth of a try")
        self.known = axes.axhline(0, color=BLACK, linewidth=1.4, label="known arm")
        self.cursor = axes.axvline(0, color=BLACK, linewidth=1, alpha=0.6)
        self.bonus = new_line(axes, **BONUS | {"marker": ""}, label=LABELS["r_b + E_b"])
        self.guided = new_line(axes, **GUIDED | {"marker": ""}, label=LABELS["EUBRL"])
        self.lowest = new_dot(axes, BLACK, "v", label="lowest")
        self.bonus_dot, self.guided_dot = (
            new_dot(axes, style["color"], style["marker"]) for style in (BONUS, GUIDED)
        )
        handles = [self.bonus, self.guided, self.known, self.lowest]
        legend_above(axes, handles, 2, columnspacing=1.0, handlelength=1.4)

    def _build_map(self, axes: Axes) -> None:
        limits = (LOWEST_REWARD, HIGHEST_REWARD, 0, LARGEST_MAX)
        axes.set(xlabel="$r_b$, believed reward", ylabel="$E_{max}$")
        axes.set_title("Who is right at this $P_U$?")
        self.map = axes.imshow(
            np.ones((2, 2, 3)), extent=limits, origin="lower", aspect="auto", zorder=0
        )
        self.names = Lettering(axes, [], size=0.9)
        self.here = new_dot(axes, BLACK, clip_on=False, zorder=9)
