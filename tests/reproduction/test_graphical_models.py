"""The two graphical models: who depends on whom, and that both are drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from eubrl_edu.reproduction.graphical_models import (
    draw_graphical_model,
    guided_model,
    standard_model,
)


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def test_optimality_depends_on_state_action_and_with_eubrl_on_uncertainty():
    assert standard_model().parents("optimality") == {"state", "action"}
    assert guided_model().parents("optimality") == {"state", "action", "uncertainty"}
    assert guided_model().parents("uncertainty") == {"state", "action"}


@pytest.mark.parametrize("model", [standard_model(), guided_model()])
def test_only_optimality_is_observed_and_every_edge_joins_nodes(model):
    assert [name for name, node in model.nodes.items() if node.observed] == ["optimality"]
    for edge in model.edges:
        assert set(edge) <= set(model.nodes)


def test_pictures_differ_and_pyplot_keeps_none_of_them():
    before = plt.get_fignums()
    standard, guided = (draw_graphical_model(model) for model in (standard_model(), guided_model()))
    assert plt.get_fignums() == before
    labels = {text.get_text() for axes in guided.axes for text in axes.texts}
    assert labels >= {node.label for node in guided_model().nodes.values()}
    first, second = pixels(standard), pixels(guided)
    assert first.std() > 10 and second.std() > 10
    assert first.shape != second.shape
