"""The harness and the base classes in a real JupyterLab, on a small lab written in a notebook."""

import nbformat
import pytest

pytestmark = pytest.mark.long

LAB = """
import time
from dataclasses import dataclass

from eubrl_edu.labs.player import Player
from eubrl_edu.labs.settings import Settings, int_slider, setting
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.picture import Moving, new_line
from eubrl_edu.validation import require_finite


@dataclass(frozen=True)
class Params(Settings):
    size: int = int_slider(5, 5, 50, "size", "How long the work is")
    time: int = int_slider(0, 0, 4000, "time", "What to look at")
    offset: float = setting(0.0, "FloatText", require_finite, "offset", "What is added")


class DemoPicture(Moving):
    def __init__(self, figure, state):
        axes = figure.subplots()
        axes.set(xlim=(0, 40), ylim=(0, 100), xlabel="time")
        self.dot = new_line(axes, "o", markersize=12)

    def draw(self, state):
        self.dot.set_data([state[0]], [state[1]])


class DemoLab(SlowLab):
    Params = Params
    Picture = DemoPicture
    slow = ("size",)

    def build_actions(self):
        return [Player(self.controls["time"], seconds=0.05)]

    def prepare(self, params):
        # The size it starts with is ready at once, the next in a second, the last in ten minutes.
        steps = 0 if params.size == 5 else params.size**3
        for step in range(steps):
            time.sleep(0.005)
            yield step / steps
        return params.size

    def view(self, params, prepared):
        if params.offset < 0:
            raise ValueError(f"offset must be at least 0, got {params.offset!r}")
        return params.time, prepared + params.offset

    def describe(self, state):
        return f"At time {state[0]} the height is {state[1]:g}."


lab = DemoLab()
lab
"""


@pytest.fixture(scope="module")
def notebook(server, open_notebook):
    cells = [
        nbformat.v4.new_markdown_cell("# A demonstration"),
        nbformat.v4.new_code_cell(LAB.strip()),
        nbformat.v4.new_code_cell("print('the last cell')"),
    ]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata=metadata), server.notebooks / "demo.ipynb"
    )
    return open_notebook("demo.ipynb")


@pytest.fixture
def lab(notebook):
    """The lab as it starts: its cell is run anew for each test."""
    notebook.run_all()
    assert notebook.errors() == []
    (lab,) = notebook.labs()
    return lab


def test_server_has_loaded_what_makes_it_prompt(server):
    log = (server.folder / "server.log").read_text(encoding="utf-8")
    assert "eubrl_edu.labs.prompt_server | extension was successfully loaded" in log


def test_keys_on_a_slider_change_picture_and_words(lab):
    assert lab.words() == "At time 0 the height is 5."
    words, picture = lab.words(), lab.picture_hash()
    lab.press_on_slider("time", "ArrowRight")
    lab.wait_for_change(words, picture)
    lab.wait_for_words(lambda now: now == "At time 1 the height is 5.")
    lab.press_on_slider("time", "ArrowLeft")
    lab.wait_for_words(lambda now: now == words)
    lab.wait_until(lambda: lab.picture_hash() == picture, "the picture did not return")
    lab.screenshot("demo-lab")


def test_a_bad_value_is_answered_at_the_controls_and_taken_back(notebook, lab):
    picture = lab.picture_hash()
    lab.type_into("offset", "-3")
    lab.wait_for_words(lambda now: "offset must be at least 0, got -3.0" in now)
    lab.wait_until(lambda: lab.field("offset").input_value() == "0", "the box did not go back")
    assert lab.picture_hash() == picture and "At time 0 the height is 5." in lab.words()
    warning = lab.root.locator(".eubrl-warning")
    assert bottom(warning) < lab.picture.bounding_box()["y"] + 1
    assert warning.bounding_box()["y"] < lab.field("offset").bounding_box()["y"]  # beside it
    lab.screenshot("demo-bad-value")
    lab.type_into("offset", "3")
    lab.wait_for_words(lambda now: now == "At time 0 the height is 8.")
    assert warning.count() == 0 and notebook.errors() == []


def bottom(element) -> float:
    box = element.bounding_box()
    return box["y"] + box["height"]


def test_stop_is_heard_while_the_work_runs(notebook, lab):
    picture = lab.picture_hash()
    lab.press_on_slider("size", "End")
    lab.root.get_by_text("Computing").wait_for()
    lab.screenshot("demo-computing")
    # Other controls answer meanwhile.
    lab.press_on_slider("time", "ArrowRight")
    lab.wait_for_words(lambda now: now == "At time 1 the height is 5.")
    lab.press_on_slider("time", "ArrowLeft")
    lab.wait_for_words(lambda now: now == "At time 0 the height is 5.")
    lab.press_button("Stop")
    lab.root.get_by_text("Stopped at").wait_for()
    assert lab.picture_hash() == picture
    assert notebook.errors() == []


def test_work_runs_to_its_end_and_shows_the_result(lab):
    lab.press_on_slider("size", "ArrowRight")
    lab.wait_for_words(lambda now: now == "At time 0 the height is 6.")


def test_play_walks_and_pause_ends_it(lab):
    lab.press_button("Play")
    lab.wait_for_words(lambda now: now != "At time 0 the height is 5.")
    lab.press_button("Pause")
    lab.settle()
    paused = lab.words()
    lab.page.wait_for_timeout(500)
    assert lab.words() == paused != "At time 4000 the height is 5."


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900), (1920, 1080)])
def test_in_presentation_the_picture_takes_the_height_that_is_left(lab, width, height):
    lab.resize(width, height)
    lab.present()
    whole, drawn = lab.root.bounding_box(), lab.picture.bounding_box()
    words = lab.root.locator(".eubrl-words").bounding_box()
    assert whole["height"] <= height - 189
    # As high as there is room for, or as wide.
    shape = lab.picture.evaluate("e => e.naturalHeight / e.naturalWidth")
    is_wide = drawn["height"] > 0.99 * shape * drawn["width"]
    assert is_wide or whole["height"] > height - 192
    assert drawn["y"] + drawn["height"] <= words["y"] + 1
    assert words["y"] + words["height"] <= whole["y"] + whole["height"] + 1


def test_presentation_puts_the_picture_beside_larger_controls(lab):
    def letters(element):
        return float(element.evaluate("e => getComputedStyle(e).fontSize").removesuffix("px"))

    field = lab.field("offset")
    small = [letters(field), letters(lab.button("Run")), letters(lab.root.locator(".eubrl-words"))]
    lab.resize(1920, 1080)
    lab.present()
    large = [letters(field), letters(lab.button("Run")), letters(lab.root.locator(".eubrl-words"))]
    assert all(after > 1.25 * before for before, after in zip(small, large, strict=True))
    box = field.bounding_box()
    assert box["x"] + box["width"] < lab.picture.bounding_box()["x"]
    # All of it is on the screen at once, also in the shell of JupyterLab.
    assert lab.root.bounding_box()["height"] < 900
    lab.type_into("offset", "-3")
    warning = lab.root.locator(".eubrl-warning")
    warning.wait_for()
    assert warning.bounding_box()["x"] < lab.picture.bounding_box()["x"]
    lab.screenshot("demo-presentation")


def test_time_to_new_picture_is_measured(lab):
    times = lab.milliseconds_to_new_picture("time", ["ArrowRight"] * 5)
    assert len(times) == 5 and min(times) > 0
    lab.wait_for_words(lambda now: now == "At time 5 the height is 5.")
