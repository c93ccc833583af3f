"""The base class, driven without a browser through a lab of one dot on one curve."""

import asyncio
import base64
import io
import threading
from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.page import STYLE
from eubrl_edu.labs.settings import Settings, dropdown, log_slider, setting
from eubrl_edu.plotting.picture import Moving, new_line, set_limits
from eubrl_edu.validation import require_finite


@dataclass(frozen=True)
class DotParams(Settings):
    place: float = setting(1.0, "FloatText", require_finite, "place", "Where the dot is")
    scale: float = log_slider(1.0, -1, 1, "scale", "How high the picture is")
    power: str = dropdown("square", ["square", "cube"], "power", "Which curve it is on")


@dataclass(frozen=True)
class Dot:
    place: float
    value: float
    power: str
    scale: float


class DotPicture(Moving):
    def __init__(self, figure, state):
        self.axes = figure.subplots()
        xs = np.linspace(-4, 4, 50)
        self.axes.plot(xs, xs ** (2 if state.power == "square" else 3))
        self.dot = new_line(self.axes, "o", markersize=20)

    def draw(self, state):
        self.dot.set_data([state.place], [state.value])
        set_limits(self.axes, x=(-5 * state.scale, 5 * state.scale))


class DotLab(Lab):
    Params = DotParams
    Picture = DotPicture

    def __init__(self, **settings):
        self.full_draws = 0
        super().__init__(**settings)
        whole_draw = self.canvas.drawing.agg.draw

        def counted_draw():
            self.full_draws += 1
            whole_draw()

        self.canvas.drawing.agg.draw = counted_draw

    def compute(self, params):
        if abs(params.place) > 4:
            raise ValueError(f"place must be from -4 to 4, got {params.place!r}")
        exponent = {"square": 2, "cube": 3}[params.power]
        return Dot(params.place, params.place**exponent, params.power, params.scale)

    def structure(self, state):
        return state.power

    def describe(self, state):
        return f"At {state.place:g} the {state.power} is {state.value:g}. <" + "long words " * 20


@pytest.fixture
def lab():
    return DotLab()


def pixels(lab) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def test_the_style_is_sent_once_and_not_with_the_words(lab):
    assert STYLE not in lab.readout.value
    (style,) = (child for child in lab.children if getattr(child, "value", None) == STYLE)
    assert style.layout.display == "none"


def test_starts_with_picture_and_words(lab):
    assert "eubrl-lab" in lab._dom_classes
    assert "eubrl-figure" in lab.picture._dom_classes
    assert "eubrl-readout" in lab.readout._dom_classes
    assert lab.front.words == repr(lab)
    assert "At 1 the square is 1. &lt;long words" in lab.readout.value
    assert pixels(lab).shape == (400, 900, 3)
    assert pixels(lab).std() > 1


def test_settings_start_the_controls():
    lab = DotLab(place=2.0, power="cube")
    assert lab.params == DotParams(2.0, 1.0, "cube")
    assert lab.state == Dot(2.0, 8.0, "cube", 1.0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"plaec": 1.0}, "place"),
        ({"scale": 100.0}, "scale must be from 0.1 to 10, got 100.0"),
        ({"place": 9.0}, "place must be from -4 to 4, got 9.0"),
        ({"scale": "2"}, "scale must be a finite number, got '2'"),
        ({"power": "qube"}, "Did you mean 'cube'"),
    ],
)
def test_bad_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        DotLab(**settings)


def test_a_moved_control_changes_picture_and_words(lab):
    before, words = pixels(lab), lab.readout.value
    lab.controls["place"].value = 2.0
    assert "At 2 the square is 4" in lab.readout.value != words
    assert (pixels(lab) != before).any()
    lab.controls["place"].value = 1.0
    assert (pixels(lab) == before).all()


def test_redraw_from_the_background_equals_a_whole_draw(lab):
    lab.controls["place"].value = 2.0
    assert lab.full_draws == 0
    quick = pixels(lab)
    lab.panels.dot.set_animated(False)
    lab.canvas.drawing.agg.draw()
    assert (np.asarray(lab.canvas.drawing.agg.buffer_rgba())[..., :3] == quick).all()


def test_other_limits_make_a_new_background(lab):
    lab.controls["scale"].value = 0.5
    assert lab.full_draws == 1
    quick = pixels(lab)
    lab.panels.dot.set_animated(False)
    lab.canvas.drawing.agg.draw()
    assert (np.asarray(lab.canvas.drawing.agg.buffer_rgba())[..., :3] == quick).all()


def test_another_structure_builds_anew(lab):
    built = lab.panels
    lab.controls["place"].value = 2.0
    assert lab.panels is built
    lab.controls["power"].value = "cube"
    assert lab.panels is not built
    assert (pixels(lab) == pixels(DotLab(place=2.0, power="cube"))).all()


def test_presentation_enlarges_and_returns(lab):
    before = pixels(lab)
    small = lab.panels.axes.get_xticklabels()[0].get_fontsize()
    lab.presentation.value = True
    assert lab.panels.axes.get_xticklabels()[0].get_fontsize() > 1.5 * small
    assert "eubrl-presentation" in lab._dom_classes
    assert (pixels(lab) != before).any()
    lab.presentation.value = False
    assert "eubrl-presentation" not in lab._dom_classes
    assert (pixels(lab) == before).all()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7.0, "place must be from -4 to 4, got 7.0"),
        (float("nan"), "place must be a finite number, got nan"),
    ],
)
def test_a_bad_value_is_answered_in_words_and_taken_back(lab, value, words):
    lab.controls["place"].value = 3.0
    before, state = lab.picture.value, lab.state
    lab.controls["place"].value = value
    assert f"⚠ {words}. Back to place = 3." in lab.readout.value
    assert lab.controls["place"].value == lab.params.place == 3.0
    assert lab.picture.value == before and lab.state is state
    assert "At 3 the square is 9" in lab.readout.value
    lab.presentation.value = True
    assert words in lab.readout.value
    lab.presentation.value = False
    lab.controls["place"].value = 2.0
    assert "At 2 the square is 4" in lab.readout.value and "⚠" not in lab.readout.value


def test_a_value_beyond_the_end_of_a_slider_is_refused_in_words(lab):
    lab.set(scale=50.0, power="cube")
    assert "⚠ scale must be from 0.1 to 10, got 50.0. Back to scale = 1." in lab.readout.value
    assert lab.params == DotParams() and lab.controls["scale"].value == 1.0


def test_bad_values_set_together_are_all_taken_back(lab):
    lab.set(place=9.0, power="cube", scale=2.0)
    assert "Back to place = 1, scale = 1, power = square." in lab.readout.value
    assert lab.params == DotParams() and lab.controls["power"].value == "square"


def test_the_warning_is_read_as_text(lab):
    lab.complain(ValueError("<b>"), lab._next_generation())
    assert "⚠ &lt;b&gt;. Back to what the picture shows." in lab.readout.value


def test_set_computes_once(lab):
    seen = []
    compute = lab.compute
    lab.compute = lambda params: seen.append(params) or compute(params)
    lab.set(place=3.0, power="cube")
    assert seen == [DotParams(3.0, 1.0, "cube")]
    assert lab.state.value == 27
    with pytest.raises(ValueError, match="unknown control 'plaec'"):
        lab.set(plaec=1.0)
    lab.controls["place"].value = 1.0
    assert lab.state.value == 1


def test_an_older_result_never_overwrites_a_newer_one(lab):
    entered, release = threading.Event(), threading.Event()
    compute = lab.compute

    def slow_for_two(params):
        if params.place == 2.0:
            entered.set()
            assert release.wait(timeout=30)
        return compute(params)

    lab.compute = slow_for_two
    older = threading.Thread(target=lambda: setattr(lab.controls["place"], "value", 2.0))
    older.start()
    assert entered.wait(timeout=30)
    lab.controls["place"].value = 3.0
    newer = lab.picture.value
    release.set()
    older.join(timeout=30)
    assert lab.state.place == 3.0 and lab.picture.value == newer
    assert "At 3 the square is 9" in lab.readout.value


def test_an_older_complaint_never_overwrites_a_newer_result(lab):
    lab.controls["place"].value = 3.0
    lab.complain(ValueError("old"), 1)
    assert "⚠" not in lab.readout.value


def test_callbacks_from_many_threads_leave_one_consistent_lab(lab):
    places = np.linspace(-3, 3, 12)
    threads = [
        threading.Thread(target=lambda place=place: setattr(lab.controls["place"], "value", place))
        for place in places
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    shown = lab.state
    assert shown.place in places
    assert f"At {shown.place:g} the square" in lab.readout.value
    assert (pixels(lab) == pixels(DotLab(place=shown.place))).all()


def test_stored_output_has_full_text_and_picture(lab):
    bundle = lab._repr_mimebundle_()
    assert bundle["text/plain"] == lab.describe(lab.state) == repr(lab)
    assert len(bundle["text/plain"]) > 111
    assert base64.b64decode(bundle["image/png"]) == lab.picture.value
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == lab.model_id


def test_starts_whole_inside_a_running_loop():
    # A notebook's cell runs inside a loop; its output must show the lab, not a promise of it.
    async def cell():
        return DotLab(place=2.0)

    assert asyncio.run(cell()).state.place == 2.0
