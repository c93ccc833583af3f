"""Margins in letters: they grow with the letters, and no two axes overlap."""

import matplotlib
import pytest
from matplotlib.figure import Figure

from eubrl_edu.plotting.grid import axes_grid

FIGURE_INCHES = (10.0, 5.0)


def boxes(font_size):
    """Left, bottom, right and top of all axes, in inches."""
    figure = Figure(FIGURE_INCHES, layout="constrained")
    with matplotlib.rc_context({"font.size": font_size}):
        rows = axes_grid(
            figure,
            row_heights=[2, 1],
            row_gaps=[3.0],
            margins=(4.0, 1.0, 2.0, 5.0),
            columns=2,
            column_gap=6.0,
        )
    figure.canvas.draw()
    width, height = FIGURE_INCHES
    return [
        [axes.get_position().extents * (width, height, width, height) for axes in row]
        for row in rows
    ]


@pytest.mark.parametrize("font_size", [10.0, 16.0])
def test_room_is_measured_in_letters(font_size):
    letter = font_size / 72
    (upper_left, upper_right), (lower_left, lower_right) = boxes(font_size)
    assert upper_left[0] == pytest.approx(4 * letter)
    assert 10.0 - upper_right[2] == pytest.approx(1 * letter)
    assert 5.0 - upper_left[3] == pytest.approx(2 * letter)
    assert lower_left[1] == pytest.approx(5 * letter)
    assert upper_right[0] - upper_left[2] == pytest.approx(6 * letter)
    assert upper_left[1] - lower_left[3] == pytest.approx(3 * letter)


def test_rows_and_columns_have_the_sizes_asked_for():
    (upper_left, upper_right), (lower_left, lower_right) = boxes(10.0)
    height, width = (lambda box: box[3] - box[1]), (lambda box: box[2] - box[0])
    assert height(upper_left) == pytest.approx(2 * height(lower_left))
    assert width(upper_left) == pytest.approx(width(upper_right))
    assert lower_right[0] == pytest.approx(upper_right[0])


def test_as_many_gaps_as_rows_need():
    with pytest.raises(ValueError):
        axes_grid(Figure(), row_heights=[1, 1], row_gaps=[], margins=(1, 1, 1, 1))
