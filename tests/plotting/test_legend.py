"""Names and looks stand beside each other, in order, inside the figure."""

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eubrl_edu.plotting.legend import AGENT_STYLES, Legend, rows_needed
from eubrl_edu.plotting.style import rc_parameters
from tests.plotting.words import boxes_of, require_apart


@pytest.mark.parametrize("presentation", [False, True])
@pytest.mark.parametrize("width", [8.0, 12.0])
@pytest.mark.parametrize("count", [1, 4, 9, len(AGENT_STYLES)])
def test_every_name_stands_right_of_its_look(presentation, width, count):
    names = list(AGENT_STYLES)[:count]
    rows = rows_needed(names, width, presentation)
    figure = Figure((width, 6), 100)
    renderer = FigureCanvasAgg(figure).get_renderer()
    with matplotlib.rc_context(rc_parameters(presentation)):
        legend = Legend(figure, AGENT_STYLES, rows)
    legend.draw(names)
    assert legend.words.texts == names
    require_apart(figure, renderer, [legend.words])
    boxes = boxes_of(legend.words, renderer)
    for name, box in zip(names, boxes, strict=True):
        handle = legend.handles[name]
        look = handle.get_window_extent(renderer)
        assert look.x0 > 0 and 0 < box.x0 - look.x1 < 30
        assert abs((look.y0 + look.y1) / 2 - (box.y0 + box.y1) / 2) < 5
        assert handle.get_color() == AGENT_STYLES[name]["color"]
    assert len({round(box.y0 / 12) for box in boxes}) <= 2 * rows
    assert sum(handle.get_visible() for handle in legend.handles.values()) == count


def test_who_is_gone_leaves_nothing():
    legend = Legend(Figure((10, 6), 100), AGENT_STYLES, 2)
    legend.draw(["EUBRL", "PSRL"])
    place = legend.handles["EUBRL"].get_xydata().tolist()
    legend.draw(["PSRL"])
    assert not legend.handles["EUBRL"].get_visible()
    assert legend.handles["PSRL"].get_xydata().tolist() == place
    assert legend.words.texts == ["PSRL"] and len(legend.words.get_offsets()) == 1


def test_names_that_fit_stand_in_one_row():
    assert rows_needed(["a", "b", "c"], 10.0, presentation=False) == 1
    assert rows_needed(list(AGENT_STYLES), 10.0, presentation=True) > 2
