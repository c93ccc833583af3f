"""The panels of an explored run."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from eubrl_edu.environments import LazyChain
from eubrl_edu.labs import ExplorationLab
from eubrl_edu.labs.exploration.picture import ReturnPanel
from eubrl_edu.plotting.names import as_written, world_title


@pytest.mark.parametrize(
    ("own", "best"),
    [(90.0, 100.0), (0.0, 100.0), (-700.0, 100.0), (-1600.0, -200.0), (-50.0, 10.0)],
)
def test_the_legend_of_the_returns_leaves_their_beginning_free(own, best):
    figure = Figure((4, 2.5))
    panel = ReturnPanel(figure.add_subplot())
    ramp = np.linspace(0, 1, 201)
    panel.fit(own * ramp, best * ramp)
    figure.canvas.draw()
    box = panel.legend.get_window_extent()
    for end in (own, best):
        places = np.column_stack([np.arange(201), end * ramp])[:60]
        inside = [box.contains(*place) for place in panel.axes.transData.transform(places)]
        assert not any(inside)


def test_what_a_world_of_this_package_is_called_is_never_cut():
    lab = ExplorationLab(world="loop", steps=30)
    for time in range(30):
        lab.set(time=time)
        (headline,) = lab.panels.headline.texts
        assert headline.startswith(f"EUBRL   |   time {time} of 30   |   state: ")
        assert "   |   action: a" in headline and "…" not in headline
    longest = world_title(LazyChain(200, stochastic=True))
    assert as_written(longest) == longest
