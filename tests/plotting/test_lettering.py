"""Numbers in about four characters, and that what is written is what is seen."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eubrl_edu.plotting.lettering import Lettering, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-9, "0"),
        (-1e-9, "0"),
        (3.4e-5, "3e−5"),
        (-7e-4, "−7e−4"),
        (0.00096, "0.001"),
        (0.0949, "0.095"),
        (0.0999, "0.10"),
        (-1.0, "−1.00"),
        (9.96, "10.0"),
        (62.83, "62.8"),
        (99.6, "100"),
        (4680.2, "4680"),
    ],
)
def test_short(value, text):
    assert short(value) == text


def drawn(texts, align="center", size=1.0, **look):
    """Where ink is, of a figure of 200 by 100 pixels with one text in its middle."""
    figure = Figure((2, 1), 100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    axes.set(xlim=(0, 200), ylim=(0, 100))
    Lettering(axes, [(100, 50)], align, size, **look).write(texts)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., 0] < 128


def test_text_is_centred_on_its_place():
    rows, columns = np.nonzero(drawn(["888"]))
    assert abs(rows.mean() - 49.5) < 1
    assert abs(columns.mean() - 99.5) < 1


def test_text_is_aligned():
    _, left = np.nonzero(drawn(["88"], "left"))
    _, right = np.nonzero(drawn(["88"], "right"))
    assert left.min() >= 99
    assert right.max() <= 101


def test_size_multiplies():
    rows, _ = np.nonzero(drawn(["8"]))
    larger, _ = np.nonzero(drawn(["8"], size=2.0))
    assert np.ptp(larger) == pytest.approx(2 * np.ptp(rows), abs=2)


def test_text_can_stand_on_its_place():
    rows, _ = np.nonzero(drawn(["888"], stand=True))
    assert abs(rows.max() - 49.5) < 1.5


def test_bold_letters_take_more_ink():
    assert drawn(["888"], weight="bold").sum() > 1.2 * drawn(["888"]).sum()


def test_a_formula_is_set_as_one():
    formula = drawn(["$E_b$"], "left")
    _, columns = np.nonzero(formula)
    assert columns.min() >= 99
    assert columns.max() < np.nonzero(drawn(["E_b"], "left"))[1].max()  # b is small, no line
    _, columns = np.nonzero(drawn(["$E_b$"], "right"))
    assert columns.max() <= 101


def test_nothing_and_spaces_leave_no_ink():
    assert not drawn([""]).any()
    assert not drawn(["  "]).any()


def test_each_place_needs_its_text():
    with pytest.raises(ValueError):
        drawn(["1", "2"])
