"""The picture of one belief: what is believed, who says so, and how wrong the mean is."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import LinearLocator, MaxNLocator

from eubrl_edu.labs.belief.scene import NEXT_STATES, TRUE_MEAN_REWARD, TRUE_PROBABILITIES, State
from eubrl_edu.plotting.grid import axes_grid
from eubrl_edu.plotting.lettering import Lettering
from eubrl_edu.plotting.names import in_two_digits, percent
from eubrl_edu.plotting.picture import Moving, area_under, new_line, set_limits
from eubrl_edu.plotting.style import BLACK, COLOURS, DATA, MARKERS, PRIOR, PRIOR_WORDS
from eubrl_edu.theory.priors import PredictiveError

PRIOR_HATCH = "////"
# Darker, since words need more contrast than areas.
DATA_WORDS = "#1B6A99"
RUG = {"marker": "|", "color": BLACK, "markersize": 9, "markeredgewidth": 1, "alpha": 0.5}
REWARD_COLOUR, REWARD_MARKER = COLOURS[3], MARKERS[3]


class BeliefPicture(Moving):
    """Two columns, transitions and rewards; three rows, from belief to weights to errors."""

    def __init__(self, figure: Figure, state: State) -> None:
        margins = (3, 1, 3.8, 3.2)
        rows = axes_grid(figure, [6, 0.8, 3.2], [5.2, 0.8], margins, columns=2, column_gap=3.4)
        self.transition_axes, self.reward_axes = rows[0]
        self._build_transition_densities()
        self._build_reward_densities()
        _build_legend(figure)
        self.transition_uncertainty = _add_number(self.transition_axes, "$E_T$ =")
        self.reward_uncertainty = _add_number(self.reward_axes, "$E_R$ =")
        self.transition_weights, self.reward_weights = (_WeightBar(axes) for axes in rows[1])
        self.transition_errors = _ErrorBars(rows[2][0], NEXT_STATES, "error  $P_b - P$  (◆)")
        self.reward_errors = _ErrorBars(rows[2][1], ("r",), "error  $r_b - r$  (◆)")

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        priors = state.transition_prior, state.reward_prior
        for line, density in zip(self.priors, priors, strict=True):
            line.set_data(density.values, density.heights)
        densities = [*state.transition_posteriors, state.reward_posterior]
        for line, filling, density in zip(self.posteriors, self.fillings, densities, strict=True):
            line.set_data(density.values, density.heights)
            filling.set_xy(area_under(density.values, density.heights))
        set_limits(self.reward_axes, state.reward_limits)
        self.rug.set_data(state.rewards_seen, np.full(len(state.rewards_seen), -0.06))
        self.transition_uncertainty.write([in_two_digits(state.transition_uncertainty)])
        self.reward_uncertainty.write([in_two_digits(state.reward_uncertainty)])

        self.transition_weights.draw(state.transition_error.data_weight)
        self.reward_weights.draw(state.reward_error.data_weight)
        self.transition_errors.draw(state.transition_error, state.transition_error_limit)
        self.reward_errors.draw(state.reward_error, state.reward_error_limit)

    def _build_transition_densities(self) -> None:
        axes = self.transition_axes
        axes.set_title("Belief over P(s′ | s, a)")
        axes.set(xlim=(-0.02, 1.02), xlabel="probability of the next state")
        _style_density_axes(axes)
        self.priors, self.posteriors, self.fillings = [_prior_line(axes)], [], []
        for position, name in enumerate(NEXT_STATES):
            colour, marker = COLOURS[position], MARKERS[position]
            _mark_truth(axes, TRUE_PROBABILITIES[position], f"true {name}", colour, marker)
            line, filling = _posterior_line(axes, colour, marker, first_marker=0.05 * position)
            self.posteriors.append(line)
            self.fillings.append(filling)

    def _build_reward_densities(self) -> None:
        axes = self.reward_axes
        axes.set(title="Belief over the mean reward r(s, a)", xlabel="mean reward")
        _style_density_axes(axes)
        prior = _prior_line(axes)
        _mark_truth(axes, TRUE_MEAN_REWARD, "true r", REWARD_COLOUR, REWARD_MARKER)
        posterior, filling = _posterior_line(axes, REWARD_COLOUR, REWARD_MARKER, first_marker=0.0)
        self.rug = new_line(axes, linestyle="none", **RUG)
        self.priors.append(prior)
        self.posteriors.append(posterior)
        self.fillings.append(filling)


class _WeightBar(Moving):
    """One bar from 0 to 1: how much of the posterior mean the data say, and how much the prior."""

    def __init__(self, axes: Axes) -> None:
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.set_axis_off()
        axes.text(0.5, 1.4, "weights", ha="center", va="baseline", fontstyle="italic")
        self.data = axes.add_patch(Rectangle((0, 0), 0, 1, facecolor=DATA))
        self.prior = axes.add_patch(
            Rectangle((0, 0), 1, 1, facecolor=PRIOR, hatch=PRIOR_HATCH, edgecolor="white")
        )
        self.words = Lettering(axes, [(0, 1.4), (1, 1.4)], stand=True, weight="bold")
        self.words.align_each(["left", "right"])

    def draw(self, data_weight: float) -> None:
        self.data.set_width(data_weight)
        self.prior.set(x=data_weight, width=1 - data_weight)
        self.words.write(
            [f"data {percent(data_weight)}", f"prior {percent(1 - data_weight)}"],
            [DATA_WORDS, PRIOR_WORDS],
        )


class _ErrorBars(Moving):
    """For each mean, the error that the data bring in, the one of the prior, and their sum."""

    def __init__(self, axes: Axes, names: Sequence[str], label: str) -> None:
        self.axes = axes
        # As much room for one mean as for three, so that all bars are equally thick.
        middle = (len(names) - 1) / 2
        axes.set(ylim=(middle + 1.4, middle - 1.4), xlabel=label)
        axes.xaxis.set_major_locator(LinearLocator(5))
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.axvline(0, color=BLACK, linewidth=1)
        self.rows = np.arange(len(names))
        self.data = axes.add_collection(PolyCollection([], facecolor=DATA), autolim=False)
        self.prior = axes.add_collection(
            PolyCollection([], facecolor=PRIOR, hatch=PRIOR_HATCH, edgecolor="white", linewidth=0),
            autolim=False,
        )
        self.sums = new_line(axes, "D", color=BLACK, markeredgecolor="white", zorder=3)

    def draw(self, error: PredictiveError, limit: float) -> None:
        set_limits(self.axes, (-limit, limit))
        self.data.set_verts(_bars(self.rows - 0.32, np.atleast_1d(error.frequentist)))
        self.prior.set_verts(_bars(self.rows, np.atleast_1d(error.prior_bias)))
        self.sums.set_data(np.atleast_1d(error.total), self.rows)


def _build_legend(figure: Figure) -> None:
    """Above both columns, where no curve ever is."""
    figure.legend(
        handles=[
            Line2D([], [], color=PRIOR, linestyle="--", label="prior"),
            Line2D([], [], color=BLACK, label="posterior"),
            Line2D([], [], **RUG, linestyle="none", label="reward seen"),
        ],
        loc="upper center",
        ncols=3,
        borderpad=0.3,
    )


def _style_density_axes(axes: Axes) -> None:
    axes.set(ylim=(-0.12, 1.32), yticks=[], ylabel="belief")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.spines["left"].set_visible(False)


def _prior_line(axes: Axes) -> Line2D:
    return new_line(axes, "--", color=PRIOR, zorder=2.5)


def _posterior_line(
    axes: Axes, colour: str, marker: str, first_marker: float
) -> tuple[Line2D, Polygon]:
    (filling,) = axes.fill([], [], facecolor=colour, alpha=0.12)
    line = new_line(axes, "-", color=colour, marker=marker, markevery=(first_marker, 0.15))
    return line, filling


def _mark_truth(axes: Axes, truth: float, words: str, colour: str, marker: str) -> None:
    axes.plot([truth, truth], [0, 1.12], ":", color=colour, linewidth=1.5)
    axes.plot([truth], [1.12], marker, color="white", markeredgecolor=colour, markeredgewidth=2)
    axes.text(truth, 1.19, words, color=colour, ha="center", va="bottom", fontsize="small")


def _bars(tops: np.ndarray, widths: Sequence[float]) -> list[list[tuple[float, float]]]:
    """Corners of horizontal bars from 0, each below one of these tops."""
    return [
        [(0, top), (width, top), (width, top + 0.32), (0, top + 0.32)]
        for top, width in zip(tops, widths, strict=True)
    ]


def _add_number(axes: Axes, name: str) -> Lettering:
    """Write ``name`` into the axes, and return the number that follows it."""
    axes.text(0.86, 0.8, name, ha="right", transform=axes.transAxes)
    number = Lettering(axes, [(0.88, 0.8)], align="left", stand=True, transform=axes.transAxes)
    # Curves pass here: on white, the number can still be read.
    number.set_path_effects([withStroke(linewidth=4, foreground="white")])
    return number
