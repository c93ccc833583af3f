"""A ruler says the same, at the same places, as Matplotlib's own axis."""

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator

from eubrl_edu.plotting.ruler import Ruler
from eubrl_edu.plotting.style import rc_parameters
from tests.plotting.words import boxes_of, shown_ticks


def linear(axes):
    axes.set(xlim=(0, 1000), ylim=(-0.03, 1.05))
    axes.set_yticks([0, 0.5, 1], ["0", "½", "1"])


def logarithmic(axes):
    axes.set(xscale="log", yscale="log", xlim=(1.7, 60), ylim=(1e0, 1e12))
    axes.xaxis.set_major_locator(FixedLocator([1, 2, 4, 8, 32, 64]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0,)))


def backwards(axes):
    axes.set(xlim=(5, -5), ylim=(0.25, 0.125))


@pytest.mark.parametrize("style", [linear, logarithmic, backwards])
@pytest.mark.parametrize("name", ["xaxis", "yaxis"])
def test_ticks_and_numbers_are_those_of_the_axis(style, name):
    with matplotlib.rc_context(rc_parameters()):
        figure = Figure((5, 4), 100)
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
        style(axes)
        canvas.draw()
        renderer = canvas.get_renderer()
        native = shown_ticks(getattr(axes, name))
        there = [label.get_window_extent(renderer) for label in native]

        ruler = Ruler(getattr(axes, name), grid=True)
        ruler.draw()
    # A formula is written in another, equivalent way: only what is plain text is the same.
    assert [text for text in ruler.numbers.texts if "$" not in text] == [
        label.get_text() for label in native if "$" not in label.get_text()
    ]
    found = boxes_of(ruler.numbers, renderer)
    assert len(found) == len(there) > 1
    for one, other in zip(found, there, strict=True):
        for side in ("x0", "x1", "y0", "y1"):
            # Ink does not fill the line that Matplotlib's box is as high as.
            assert getattr(one, side) == pytest.approx(getattr(other, side), abs=4.5)
    across = "get_xdata" if name == "xaxis" else "get_ydata"
    np.testing.assert_array_equal(
        getattr(ruler.grid, across)()[::3], getattr(ruler.ticks, across)()
    )


def test_new_limits_need_no_new_figure():
    figure = Figure((5, 4), 100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
    rulers = [Ruler(axes.xaxis), Ruler(axes.yaxis, numbered=False)]
    for ruler in rulers:
        for artist in ruler.moving:
            artist.set_animated(True)
        ruler.draw("episodes")
    canvas.draw()
    axes.set_xlim(0, 100)
    axes.set_ylim(3, 4)
    for ruler in rulers:
        ruler.draw("steps")
    assert not figure.stale
    assert rulers[0].numbers.texts[-1] == "100" and set(rulers[1].numbers.texts) == {""}
    assert rulers[0].name.texts == ["steps"]
