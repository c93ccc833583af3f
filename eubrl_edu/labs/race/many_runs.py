"""The upper row of the picture of a race: many runs of each agent."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from eubrl_edu.labs.race.scene import Racer, State
from eubrl_edu.plotting.lettering import Lettering, letters_high
from eubrl_edu.plotting.names import as_written
from eubrl_edu.plotting.picture import Moving, new_line, set_limits
from eubrl_edu.plotting.style import BLACK

LETTERS_FOR_A_NAME, LETTERS_FOR_NUMBERS = 1.2, 2.2


class ManyRuns(Moving):
    """Bands of the return over time, and every run at its end.

    Parameters
    ----------
    band_axes, end_axes : matplotlib.axes.Axes
        Where to draw.
    styles : mapping of str to mapping
        How each agent looks that may be shown.
    """

    def __init__(
        self, band_axes: Axes, end_axes: Axes, styles: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.letters = letters_high(end_axes)
        self.end_axes = end_axes
        # One row for each agent: how many there are is no reason to draw the figure anew.
        end_axes.yaxis.set_animated(True)
        self.bands, self.medians = {}, {}
        self.dots, self.ends, self.rings = {}, {}, {}
        for name, style in styles.items():
            band = Polygon(np.zeros((1, 2)), facecolor=style["color"], alpha=0.2, linewidth=0)
            self.bands[name] = band_axes.add_patch(band)
            self.medians[name] = new_line(band_axes, **style)
            dots = {"marker": style["marker"], "color": style["color"], "linestyle": "none"}
            self.dots[name] = new_line(
                end_axes, **dots, alpha=0.45, markersize=4, markeredgewidth=0
            )
            self.ends[name] = new_line(end_axes, "|-", color=BLACK, markersize=9, zorder=3)
            self.rings[name] = new_line(
                end_axes, "o", markerfacecolor="none", color=BLACK, markersize=10, zorder=4
            )
        across = end_axes.get_yaxis_transform()
        self.words = Lettering(end_axes, [], "left", size=0.83, stand=True, transform=across)

    def draw(self, state: State) -> None:
        """Move the artists to ``state``."""
        names = [racer.name for racer in state.racers]
        self.show_only(names)
        set_limits(self.end_axes, y=(len(names), 0))
        letters_per_row = self.letters / len(names)
        self.words.set_visible(letters_per_row >= LETTERS_FOR_A_NAME)
        self.words.move([(0.0, place + 0.3) for place in range(len(names))])
        words = [self._draw_racer(place, racer, state) for place, racer in enumerate(state.racers)]
        words = words if letters_per_row > LETTERS_FOR_NUMBERS else names
        self.words.write([as_written(each) for each in words])

    def _draw_racer(self, place: int, racer: Racer, state: State) -> str:
        """Draw all runs of one agent, and return what to write beside their ends."""
        name = racer.name
        # Markers start apart, so that curves of about one height can both be seen.
        self.medians[name].set_markevery(((3 + 4 * place) % 20, 20))
        low, middle, high = state.shown(racer.bands, state.times)
        self.medians[name].set_data(state.times, middle)
        there, back = np.column_stack([state.times, low]), np.column_stack([state.times, high])
        self.bands[name].set_xy(np.concatenate([there, back[::-1]]))
        # The golden section spreads any number of dots evenly, without chance.
        spread = np.arange(len(racer.final_returns)) * 0.618 % 1.0
        steps = len(state.optimum) - 1
        ends = state.shown(racer.final_returns, steps)
        self.dots[name].set_data(ends, place + 0.45 + 0.45 * spread)
        mean = state.mean_at_the_end(racer)
        self.ends[name].set_data([mean.low, mean.value, mean.high], [place + 0.675] * 3)
        watched = state.shown(racer.watched.returns[-1], steps)
        self.rings[name].set_data([watched], [place + 0.675])
        return f"{name}: {mean}"
