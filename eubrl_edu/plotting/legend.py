"""What each look stands for, at the top of a figure, for those that are shown."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

import matplotlib
from matplotlib.figure import Figure

from eubrl_edu.experiments.records import RECORDS
from eubrl_edu.plotting import style
from eubrl_edu.plotting.lettering import Lettering, width_of
from eubrl_edu.plotting.names import as_written
from eubrl_edu.plotting.picture import Moving, new_line

# In heights of the legend's own letters.
HANDLE, GAP, BETWEEN = 2.0, 0.7, 1.8
ROW = 1.6
SIZE = 0.9  # of the figure's letters
POINTS_PER_INCH = 72
# How each agent looks, from its record, for ``Axes.plot``.
AGENT_STYLES = {
    record.name: {
        "color": getattr(style, record.look.colour),
        "marker": record.look.marker,
        "linestyle": record.look.line,
    }
    for record in RECORDS
}


def looks_of(agents: Iterable[str]) -> dict[str, dict]:
    """How each of these agents looks; one's own is black, in marker and line unlike the others."""
    taken = {(look["marker"], look["linestyle"]) for look in AGENT_STYLES.values()}
    many = len(style.MARKERS)
    pairs = [
        (style.MARKERS[-1 - n % many], style.LINES[-1 - (n + n // many) % many])
        for n in range(many**2)
    ]
    own = cycle(
        {"color": style.BLACK, "marker": marker, "linestyle": line}
        for marker, line in pairs
        if (marker, line) not in taken
    )
    return {name: AGENT_STYLES.get(name) or next(own) for name in agents}


class Legend(Moving):
    """Rows of looks and names, in the order of reading.

    Matplotlib makes a legend once and for all; this one shows other names whenever it is drawn.

    Parameters
    ----------
    figure : Figure
        Where to stand, along the upper edge.
    looks : mapping of str to mapping
        How each of the names that may be shown looks, for ``Axes.plot``.
    n_rows : int
        As many rows as there is room for.
    """

    def __init__(self, figure: Figure, looks: Mapping[str, Mapping], n_rows: int) -> None:
        letter = SIZE * matplotlib.rcParams["font.size"] / POINTS_PER_INCH
        width, height = figure.get_size_inches() / letter
        self.room = width
        height_shown = (n_rows + 0.4) * ROW / height
        axes = figure.add_axes((0.0, 1.0 - height_shown, 1.0, height_shown))
        axes.set_axis_off()
        axes.set(xlim=(0, width), ylim=(n_rows + 0.2, -0.2))
        self.handles = {name: new_line(axes, **look, markevery=[1]) for name, look in looks.items()}
        self.words = Lettering(axes, [], align="left", size=SIZE)

    def draw(self, names: Sequence[str]) -> None:
        """Show these names, with their looks."""
        places = dict(zip(names, _places(names, self.room), strict=True))
        for name, handle in self.handles.items():
            handle.set_visible(name in places)
            if name in places:
                x, row = places[name]
                handle.set_data([x, x + HANDLE / 2, x + HANDLE], [row + 0.5] * 3)
        self.words.move([(x + HANDLE + GAP, row + 0.5) for x, row in places.values()])
        self.words.write([as_written(name) for name in names])


def rows_needed(names: Sequence[str], width: float, presentation: bool | None = None) -> int:
    """How many rows the names take in a figure that is ``width`` inches wide.

    The letters are the figure's while it is built, where ``presentation`` is left out.
    """
    settings = matplotlib.rcParams if presentation is None else style.rc_parameters(presentation)
    letter = SIZE * settings["font.size"] / POINTS_PER_INCH
    return _places(names, width / letter)[-1][1] + 1


def settled_rows(names: Sequence[str], width: float, presentation: bool | None = None) -> int:
    """`rows_needed`, but two at least: seldom another number as names come and go."""
    return max(2, rows_needed(names, width, presentation))


def _places(names: Sequence[str], room: float) -> list[tuple[float, int]]:
    """Where each name begins, and in which row: one row if they fit, else even columns."""
    widths = [HANDLE + GAP + width_of(name) + BETWEEN for name in names]
    if 1.0 + sum(widths) <= room:
        return [(1.0 + sum(widths[:place]), 0) for place in range(len(names))]
    columns = max(1, int((room - 1.0) / max(widths)))
    return [(1.0 + place % columns * max(widths), place // columns) for place in range(len(names))]
