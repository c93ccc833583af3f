"""The picture of a decomposed run: words that do not get in each other's way, areas that add up."""

import numpy as np
import pytest

from eubrl_edu.labs import DecompositionLab
from eubrl_edu.labs.decomposition.scene import WORLDS
from tests.plotting.words import require_apart, shown_ticks


@pytest.mark.long
@pytest.mark.parametrize("world", WORLDS)
def test_words_do_not_overlap(world):
    lab = DecompositionLab(world=world, steps=50)
    for presentation in (False, True):
        lab.presentation.value = presentation
        panels = lab.panels
        left = [panels.term_axes, panels.resistance_axes, panels.bound_axes]
        words = [
            panels.headline,
            panels.verdict,
            panels.numbers,
            panels.marks,
            panels.event_axes.title,
        ]
        for axes in (*left, panels.stair_axes):
            words += [axes.yaxis.label, *shown_ticks(axes.yaxis)]
        words += [axes.get_legend() for axes in left]
        words += [panels.bound_axes.xaxis.label, *shown_ticks(panels.bound_axes.xaxis)]
        words += shown_ticks(panels.stair_axes.xaxis)
        require_apart(lab.figure, lab.canvas.drawing.agg.get_renderer(), words)


def test_areas_stand_on_each_other():
    lab = DecompositionLab(steps=50)
    run, panels = lab.state.run, lab.panels
    for areas, whole in (
        (panels.resistance_areas, run.resistance),
        (panels.bound_areas, run.bound),
    ):
        floor = np.zeros(50)
        for area in areas:
            outline = area.get_paths()[0].vertices
            np.testing.assert_allclose(outline[:50, 1], floor)
            floor = outline[50:100, 1][::-1]
        np.testing.assert_allclose(floor, whole)
