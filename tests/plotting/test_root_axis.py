"""The axis of square roots: what is small can be told apart, gains have a place, ticks do too."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from eubrl_edu.plotting.root_axis import APART, ROOT_SCALE, RootLocator


@pytest.mark.parametrize("limits", [(-0.5, 250.0), (-500.0, 2500.0), (-0.002, 1.0), (-3e-4, 0.15)])
def test_values_stand_at_their_square_roots_and_ticks_apart(limits):
    axes = Figure().subplots()
    axes.set_yscale(**ROOT_SCALE)
    axes.set_ylim(*limits)
    low, high = limits

    def height(value):
        return axes.transAxes.inverted().transform(axes.transData.transform((0, value)))[1]

    share = (0.5 * np.sqrt(high) + np.sqrt(-low)) / (np.sqrt(high) + np.sqrt(-low))
    assert height(high / 4) == pytest.approx(share)
    assert height(low / 4) == pytest.approx(0.5 * np.sqrt(-low) / (np.sqrt(high) + np.sqrt(-low)))

    axes.yaxis.set_major_locator(RootLocator())
    ticks = axes.yaxis.get_majorticklocs()
    shown = [tick for tick in ticks if low <= tick <= high]
    assert 0.0 in shown and max(shown) > high / 4 and 4 <= len(shown) <= 12
    roots = np.sign(ticks) * np.sqrt(np.abs(ticks))
    assert (np.diff(roots) >= APART * np.sqrt(high) * 0.999).all()
