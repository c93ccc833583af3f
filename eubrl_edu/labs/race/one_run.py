"""The lower row of the picture of a race: one run of each agent, step by step."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from eubrl_edu.labs.race.scene import Racer, State
from eubrl_edu.plotting.lettering import LINE, Lettering, letters_high
from eubrl_edu.plotting.picture import Moving, new_line
from eubrl_edu.plotting.style import BLACK

SMALL = 0.83  # of the figure's letters
TOP = 0.97  # where words in a corner begin, in heights of the axes


class OneRun(Moving):
    """Return and share of the pairs tried of one run of each agent, up to some step.

    Parameters
    ----------
    return_axes, coverage_axes : matplotlib.axes.Axes
        Where to draw.
    styles : mapping of str to mapping
        How each agent looks that may be shown.
    """

    def __init__(
        self, return_axes: Axes, coverage_axes: Axes, styles: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.returns, self.stars, self.coverages = {}, {}, {}
        for name, style in styles.items():
            self.returns[name] = new_line(return_axes, **style)
            star = {"color": style["color"], "markeredgecolor": BLACK, "markersize": 12}
            self.stars[name] = new_line(return_axes, "*", **star, zorder=4)
            self.coverages[name] = new_line(coverage_axes, **style)
        # In the corner at the top: how far down a line is depends on the height of the axes.
        line = LINE * SMALL / letters_high(return_axes)
        small = {"size": SMALL, "transform": return_axes.transAxes}
        self.solved_words = Lettering(return_axes, [(0.03, TOP - line / 2)], "left", **small)
        self.solved_words.write(["★ solved"])

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        self.show_only([racer.name for racer in state.racers])
        self.solved_words.set_visible(state.has_rule)
        for place, racer in enumerate(state.racers):
            self._draw_run(place, racer, state)

    def _draw_run(self, place: int, racer: Racer, state: State) -> None:
        name, watched = racer.name, racer.watched
        every = state.watched_times
        shown = np.append(every[every < state.until], state.until)
        # Markers start apart, so that curves of about one height can both be seen.
        for lines in (self.returns, self.coverages):
            lines[name].set_markevery(((12 + 16 * place) % 80, 80))
        self.returns[name].set_data(shown, state.shown(watched.returns[shown], shown))
        self.coverages[name].set_data(shown, watched.coverage[shown])
        is_solved = watched.solved_at is not None and watched.solved_at <= state.until
        solved = [watched.solved_at] if is_solved else []
        self.stars[name].set_data(solved, state.shown(watched.returns[solved], solved))
