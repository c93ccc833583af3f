"""What a picture is made of: artists that move, or a figure that a notebook shows, with words."""

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure, FigureBase
from matplotlib.legend import Legend
from matplotlib.lines import Line2D

from eubrl_edu.plotting.turns import IN_TURN


class Moving:
    """A picture, or a part of one, whose artists move: all that it keeps in its attributes.

    Axes and legends stay. What stays beside them is not kept.
    """

    @property
    def moving(self) -> list[Artist]:
        """The artists that `draw` moves, those of its parts included."""
        return list(dict.fromkeys(_artists_in(vars(self).values())))

    def show_only(self, names: Collection[str]) -> None:
        """Of what is kept by its name, show what has one of these."""
        for kept in vars(self).values():
            for name, thing in kept.items() if isinstance(kept, dict) else ():
                for artist in _artists_in([thing]):
                    artist.set_visible(name in names)


def _artists_in(kept: Iterable[Any]) -> Iterator[Artist]:
    for thing in kept:
        if isinstance(thing, Moving):
            yield from thing.moving
        elif isinstance(thing, dict):
            yield from _artists_in(thing.values())
        elif isinstance(thing, list | tuple):
            yield from _artists_in(thing)
        elif isinstance(thing, Artist) and not isinstance(thing, FigureBase | Axes | Axis | Legend):
            yield thing


def new_line(axes: Axes, *form: str, **look: Any) -> Line2D:
    """Add a curve, or dots, that look so; a state will say where they are."""
    (line,) = axes.plot([], [], *form, **look)
    return line


def new_dot(axes: Axes, colour: str, marker: str = "o", **look: Any) -> Line2D:
    """Add a large dot with a white edge, which tells it from the curve that it lies on."""
    look = {"markersize": 10, "markeredgecolor": "white", "linestyle": ""} | look
    return new_line(axes, color=colour, marker=marker, **look)


def set_limits(
    axes: Axes, x: tuple[float, float] | None = None, y: tuple[float, float] | None = None
) -> None:
    """Set these limits where they differ: any change has the whole figure drawn again."""
    if x is not None and axes.get_xlim() != x:
        axes.set_xlim(x)
    if y is not None and axes.get_ylim() != y:
        axes.set_ylim(y)


def legend_above(
    axes: Axes, handles: Sequence[Artist], columns: int, side: str = "center", **options: Any
) -> None:
    """Name these looks above the axes, in the middle or at the left."""
    place = {"loc": f"lower {side}", "bbox_to_anchor": (0.5 if side == "center" else 0.0, 1.0)}
    axes.legend(handles=handles, ncols=columns, **{"borderpad": 0} | place | options)


def area_under(x: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The corners of what lies between a curve and 0."""
    return np.concatenate([np.column_stack([x, heights]), [[x[-1], 0.0], [x[0], 0.0]]])


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure as the last line of a notebook's cell: the picture, and what it says in words.

    Attributes
    ----------
    figure : Figure
        What is shown.
    words : str
        The same in words; they stand in for the picture where it cannot be shown.
    """

    figure: Figure
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with IN_TURN:
            self.figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()
