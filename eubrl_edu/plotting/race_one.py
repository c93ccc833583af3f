"""The lower row of the picture of a race: one run of each agent, step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from eubrl_edu.plotting.race_view import RaceView, Watched
from eubrl_edu.plotting.style import BLACK

# As many points of a curve as the eye can tell apart.
MOST_POINTS = 400


class OneRun:
    """Return, share of the pairs tried and mean P_U of one run of each agent.

    Parameters
    ----------
    return_axes, coverage_axes, uncertainty_axes : matplotlib.axes.Axes
        Where to draw.
    styles : sequence of mapping
        How each agent looks.
    view : RaceView
        What to show first.
    """

    def __init__(
        self,
        return_axes: Axes,
        coverage_axes: Axes,
        uncertainty_axes: Axes,
        styles: Sequence[Mapping[str, Any]],
        view: RaceView,
    ) -> None:
        self.returns, self.stars, self.coverages, self.uncertainties = [], [], [], []
        for place, style in enumerate(styles):
            every = (12 + 16 * place) % 80, 80
            self.returns += return_axes.plot([], [], **style, markevery=every)
            self.stars += return_axes.plot(
                [], [], "*", color=style["color"], markeredgecolor=BLACK, markersize=12, zorder=4
            )
            self.coverages += coverage_axes.plot([], [], **style, markevery=every)
            self.uncertainties += uncertainty_axes.plot([], [], **style, markevery=every)
        without = [racer.name for racer in view.racers if racer.watched.mean_uncertainty is None]
        if without:
            uncertainty_axes.text(
                0.98,
                0.97,
                "\n".join(["no $P_U$:", *(without if len(without) < 5 else ["all others"])]),
                transform=uncertainty_axes.transAxes,
                ha="right",
                va="top",
                fontsize="small",
            )
        return_axes.text(
            0.03,
            0.97,
            "★ solved" if view.has_rule else "",
            transform=return_axes.transAxes,
            va="top",
            fontsize="small",
        )

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves."""
        return [*self.returns, *self.stars, *self.coverages, *self.uncertainties]

    def draw(self, view: RaceView) -> None:
        """Move the artists to ``view``."""
        for place, racer in enumerate(view.racers):
            self._draw_run(place, racer.watched, view)

    def _draw_run(self, place: int, watched: Watched, view: RaceView) -> None:
        shown = shown_times(view)
        self.returns[place].set_data(shown, view.shown(watched.returns[shown], shown))
        self.coverages[place].set_data(shown, watched.coverage[shown])
        if watched.mean_uncertainty is not None:
            self.uncertainties[place].set_data(shown, watched.mean_uncertainty[shown])
        solved = [] if watched.solved_at is None else [watched.solved_at]
        self.stars[place].set_data(solved, view.shown(watched.returns[solved], solved))


def shown_times(view: RaceView) -> np.ndarray:
    """The times that are drawn of a curve over all times."""
    last = len(view.optimum) - 1
    return np.unique(np.linspace(0, last, MOST_POINTS + 1).round().astype(int))
