"""Axes in rows and columns, with margins measured in letters.

Matplotlib's constrained layout measures every label whenever it draws, which takes longer than
the drawing itself. Margins that grow with the letters need no measuring.
"""

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

POINTS_PER_INCH = 72


def size_in_letters(figure: Figure) -> np.ndarray:
    """Width and height of a figure, in heights of a letter."""
    return figure.get_size_inches() / (matplotlib.rcParams["font.size"] / POINTS_PER_INCH)


def axes_grid(
    figure: Figure,
    row_heights: Sequence[float],
    row_gaps: Sequence[float],
    margins: tuple[float, float, float, float],
    columns: int = 1,
    column_gap: float = 0.0,
) -> list[list[Axes]]:
    """Fill the figure with axes, and leave room for words around them.

    Parameters
    ----------
    figure : Figure
        An empty figure; its layout engine is taken away.
    row_heights : sequence of float
        Heights of the rows from the top, relative to each other.
    row_gaps : sequence of float
        Room below each row but the last, in heights of a letter.
    margins : (left, right, top, bottom)
        Room around all axes, in heights of a letter.
    columns : int
        Number of columns, all of one width.
    column_gap : float
        Room between columns, in heights of a letter.

    Returns
    -------
    list of rows, each a list of Axes
    """
    figure.set_layout_engine("none")
    width, height = size_in_letters(figure)
    left, right, top, bottom = margins
    column_width = (width - left - right - (columns - 1) * column_gap) / columns
    unit = (height - top - bottom - sum(row_gaps)) / sum(row_heights)

    rows = []
    floor = height - top
    for row_height, gap in zip(row_heights, [*row_gaps, 0.0], strict=True):
        floor -= row_height * unit
        lefts = (left + column * (column_width + column_gap) for column in range(columns))
        rows.append(
            [
                figure.add_axes(
                    (x / width, floor / height, column_width / width, row_height * unit / height)
                )
                for x in lefts
            ]
        )
        floor -= gap
    return rows
