"""Pillow reads what `encode_png` writes; threads that draw at once draw what each would alone."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor

import matplotlib.axis
import numpy as np
import pytest
from PIL import Image

from eubrl_edu.exercises import predictions
from eubrl_edu.labs import PatienceLab, PlanningLab
from eubrl_edu.labs.canvas import DRAWINGS_KEPT, encode_png


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 5, 3), (200, 301, 3)])
def test_pillow_reads_the_same_pixels(shape):
    pixels = np.random.default_rng(0).integers(256, size=shape, dtype=np.uint8)
    read = Image.open(io.BytesIO(encode_png(pixels)))
    read.verify()
    read = Image.open(io.BytesIO(encode_png(pixels)))
    assert read.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(read), pixels)


def test_a_view_of_a_larger_picture_is_written_as_it_looks():
    pixels = np.random.default_rng(1).integers(256, size=(20, 30, 4), dtype=np.uint8)
    read = Image.open(io.BytesIO(encode_png(pixels[..., :3])))
    np.testing.assert_array_equal(np.asarray(read), pixels[..., :3])


def test_a_structure_that_comes_back_finds_its_figure_as_a_new_one_would_be():
    lab = PlanningLab(sweeps=2)
    figure, picture = lab.figure, lab.picture.value
    worlds = [world for world in lab.controls["world"].options if world != lab.params.world]
    lab.set(world=worlds[0], sweeps=5)
    assert lab.figure is not figure
    lab.load(**vars(PlanningLab.Params(sweeps=2)))
    assert lab.figure is figure and lab.picture.value == picture
    lab.canvas.forget()
    lab.refresh()
    assert lab.figure is not figure and lab.picture.value == picture


def test_only_the_last_few_figures_are_kept():
    lab = PlanningLab()
    figure = lab.figure
    for number in range(DRAWINGS_KEPT):
        lab.structure = lambda state, number=number: number
        lab.refresh()
    assert len(lab.canvas._drawings) == DRAWINGS_KEPT
    del lab.structure
    lab.refresh()
    assert lab.figure is not figure


@pytest.fixture
def many_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.long
def test_a_lab_is_uncovered_while_another_draws_on_another_thread(many_switches):
    """The powers of ten on their axes are formulas, which Matplotlib reads with one parser."""

    def pictures(large):
        shown = []
        for size in (20, 200):
            lab = PatienceLab(size=size, prediction=predictions.WORTH_THE_WALK)
            lab.presentation.value = large
            lab.uncover()
            shown.append(lab.picture.value)
        return shown

    alone = [pictures(False), pictures(True)]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(pictures, (False, True))) == alone


def move(lab, world):
    lab.controls["world"].value = world


@pytest.mark.parametrize("change", [PlanningLab.set, PlanningLab.load, move])
@pytest.mark.parametrize(
    ("owner", "name"),
    [(PlanningLab, "state_for"), (matplotlib.axis.Axis, "draw"), (PlanningLab, "describe")],
)
def test_a_lab_that_was_interrupted_shows_what_it_did_and_can_go_on(
    interrupt_once, owner, name, change
):
    lab = PlanningLab()
    params, picture, words = lab.params, lab.picture.value, repr(lab)
    interrupt_once(owner, name)
    with pytest.raises(KeyboardInterrupt):
        change(lab, world="chain")
    assert (lab.params, lab.picture.value, repr(lab)) == (params, picture, words)
    assert lab.controls["world"].value == params.world == lab.state.params.world
    change(lab, world="chain")
    lab.set(sweeps=2)
    assert lab.picture.value == PlanningLab(world="chain", sweeps=2).picture.value
